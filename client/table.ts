// Generated from the operation table by node scripts/generate-docs.ts; changes are made in the tables.
import type { Route } from './request.ts';

export const VERSION = '0.2.0';

// biome-ignore format: generated
export const ROUTES: Readonly<Record<keyof Codes, Route>> = {
  look: { method: 'get', path: '/v1/look' },
  watch: { method: 'get', path: '/v1/watch', headers: { last_event_id: 'last-event-id' } },
  board: { method: 'get', path: '/board' },
  board_key: { method: 'get', path: '/board/{key}', rest: true },
  claim: { method: 'post', path: '/v1/claim', headers: { token: 'x-crossing-token' }, writes: true },
  release: { method: 'post', path: '/v1/release', headers: { token: 'x-crossing-token' }, writes: true },
  bounties: { method: 'get', path: '/v1/bounties' },
  brief: { method: 'post', path: '/v1/brief', headers: { token: 'x-crossing-token', accept_language: 'accept-language' }, writes: true },
  open_brief: { method: 'get', path: '/v1/brief/{brief}', headers: { accept_language: 'accept-language' } },
  brief_check: { method: 'post', path: '/v1/brief/check', headers: { accept_language: 'accept-language' } },
  brief_lint: { method: 'post', path: '/v1/brief/lint', headers: { accept_language: 'accept-language' } },
  mark: { method: 'post', path: '/v1/mark', headers: { token: 'x-crossing-token' }, writes: true },
  fence: { method: 'get', path: '/v1/fence' },
  counterparty_check: { method: 'get', path: '/v1/counterparty-check', paid: true },
  sanctions_screen: { method: 'get', path: '/v1/sanctions-screen', paid: true },
  sanctions_quality: { method: 'get', path: '/v1/sanctions/quality' },
  nl_vehicle_check: { method: 'get', path: '/v1/nl-vehicle-check', paid: true },
  eu_vat_check: { method: 'get', path: '/v1/eu-vat-check', paid: true },
  uk_company_check: { method: 'get', path: '/v1/uk-company-check', paid: true },
  uk_vehicle_mot_check: { method: 'get', path: '/v1/uk-vehicle-mot-check', paid: true },
  agent_budget_audit: { method: 'get', path: '/v1/agent-budget-audit', paid: true },
  spend_fuse: { method: 'get', path: '/v1/spend-fuse', paid: true },
  agent_coordination_audit: { method: 'get', path: '/v1/agent-coordination-audit', paid: true },
  check: { method: 'get', path: '/v1/check' },
  budget_preview: { method: 'get', path: '/v1/budget/preview' },
  budget_protocol: { method: 'get', path: '/v1/budget/protocol' },
  coordination_preview: { method: 'get', path: '/v1/coordination/preview' },
  coordination_protocol: { method: 'get', path: '/v1/coordination/protocol' },
  payment_status: { method: 'get', path: '/v1/payments/{nonce}', headers: { idempotency_key: 'idempotency-key', payment_signature: 'payment-signature' } },
  receipt_verify: { method: 'post', path: '/v1/receipts/verify' },
  attest_seal: { method: 'post', path: '/api/attest/seal', headers: { idempotency_key: 'idempotency-key', prefer: 'prefer', agent_key: 'x-agent-key' }, keyField: 'idempotency_key', writes: true },
  attest_erase: { method: 'post', path: '/api/attest/erase', writes: true },
  attest_verify: { method: 'get', path: '/api/attest/verify/{attestation_id}' },
  attest_verify_bundle: { method: 'post', path: '/api/attest/verify' },
  attest_lookup: { method: 'get', path: '/api/attest/lookup' },
  attest_ledger: { method: 'get', path: '/api/attest/ledger' },
  attest_stream: { method: 'get', path: '/api/attest/stream', headers: { last_event_id: 'last-event-id' }, answer: 'stream' },
  log_head: { method: 'get', path: '/api/astralock/sth' },
  log_audit: { method: 'get', path: '/api/astralock/audit' },
  attest_schemas: { method: 'get', path: '/api/attest/schemas' },
  log_checkpoint: { method: 'get', path: '/astralock/checkpoint', answer: 'text' },
  log_witnessed_checkpoint: { method: 'get', path: '/astralock/checkpoint.witnessed', answer: 'text' },
  log_tile: { method: 'get', path: '/astralock/tile/{tile}', rest: true, answer: 'bytes' },
  attest_receipt: { method: 'get', path: '/api/attest/receipt/{attestation_id}', answer: 'bytes' },
  log_consistency: { method: 'get', path: '/api/astralock/consistency', answer: 'bytes' },
  scitt_keys: { method: 'get', path: '/.well-known/scitt-keys', answer: 'bytes' },
  scitt_key: { method: 'get', path: '/.well-known/scitt-keys/{kid}', answer: 'bytes' },
  log_explorer: { method: 'get', path: '/log' },
  log_heads: { method: 'get', path: '/log/heads' },
  log_entry: { method: 'get', path: '/log/{ref}' },
  verify_page: { method: 'get', path: '/verify' },
  amh_register: { method: 'post', path: '/api/amh/register', writes: true },
  amh_mandate: { method: 'post', path: '/api/amh/mandate', headers: { idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  amh_verify: { method: 'post', path: '/api/amh/verify', headers: { api_key: 'x-amh-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  amh_seal: { method: 'post', path: '/api/amh/seal', headers: { api_key: 'x-amh-key' }, writes: true },
  amh_status: { method: 'get', path: '/api/amh/status/{verify_ref}', headers: { api_key: 'x-amh-key' } },
  amh_mandate_view: { method: 'get', path: '/api/amh/mandate/{mandate_id}', headers: { control_token: 'x-amh-control', api_key: 'x-amh-key' } },
  amh_mandate_revoke: { method: 'post', path: '/api/amh/mandate/{mandate_id}/revoke', headers: { control_token: 'x-amh-control' }, writes: true },
  amh_mandate_narrow: { method: 'post', path: '/api/amh/mandate/{mandate_id}/narrow', headers: { control_token: 'x-amh-control' }, writes: true },
  amh_mandate_void: { method: 'post', path: '/api/amh/mandate/{mandate_id}/void', headers: { control_token: 'x-amh-control' }, writes: true },
  amh_mandate_approve: { method: 'post', path: '/api/amh/mandate/{mandate_id}/approve', headers: { control_token: 'x-amh-control' }, writes: true },
  amh_key_create: { method: 'post', path: '/api/amh/keys', headers: { api_key: 'x-amh-key' }, writes: true },
  amh_key_revoke: { method: 'post', path: '/api/amh/keys/{key_id}/revoke', headers: { api_key: 'x-amh-key' }, writes: true },
  do: { method: 'post', path: '/do', headers: { agent_key: 'x-agent-key' }, keyField: 'idempotency_key', writes: true },
  create_task: { method: 'post', path: '/api/tasks', headers: { agent_key: 'x-agent-key' }, keyField: 'idempotency_key', writes: true },
  check_task: { method: 'get', path: '/api/tasks/{ref}', headers: { receipt_key: 'x-receipt-key', agent_key: 'x-agent-key' } },
  get_evidence: { method: 'get', path: '/api/tasks/{task_id}/evidence' },
  answer_task: { method: 'post', path: '/api/tasks/{task_id}/input', headers: { receipt_key: 'x-receipt-key', agent_key: 'x-agent-key' }, writes: true },
  accept_quote: { method: 'post', path: '/api/tasks/{task_id}/accept', headers: { receipt_key: 'x-receipt-key', agent_key: 'x-agent-key' }, writes: true },
  cancel_task: { method: 'post', path: '/api/tasks/{task_id}/cancel', headers: { receipt_key: 'x-receipt-key', agent_key: 'x-agent-key' }, writes: true },
  task_page: { method: 'get', path: '/tasks/{receipt_id}' },
  open_task_page: { method: 'post', path: '/tasks/{receipt_id}' },
  exit: { method: 'post', path: '/exit', headers: { agent_key: 'x-agent-key' }, writes: true },
  bom_calculate: { method: 'post', path: '/api/v1/calculate', headers: { agent_key: 'x-agent-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  get_calculation: { method: 'get', path: '/api/v1/calculations/{calculation_id}', headers: { agent_key: 'x-agent-key' } },
  create_order: { method: 'post', path: '/api/v1/orders', headers: { agent_key: 'x-agent-key', header_key: 'idempotency-key' }, keyField: 'header_key', writes: true },
  list_orders: { method: 'get', path: '/api/v1/orders', headers: { agent_key: 'x-agent-key' } },
  get_order: { method: 'get', path: '/api/v1/orders/{order_id}', headers: { agent_key: 'x-agent-key' } },
  place_order: { method: 'post', path: '/api/v1/orders/{order_id}/place', headers: { agent_key: 'x-agent-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  cancel_order: { method: 'post', path: '/api/v1/orders/{order_id}/cancel', headers: { agent_key: 'x-agent-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  register_agent: { method: 'post', path: '/api/agents/register', headers: { idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  get_agent: { method: 'get', path: '/api/agents/me', headers: { agent_key: 'x-agent-key' } },
  rotate_key: { method: 'post', path: '/api/agents/keys', headers: { agent_key: 'x-agent-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  revoke_key: { method: 'post', path: '/api/agents/keys/{key_id}/revoke', headers: { agent_key: 'x-agent-key' }, writes: true },
  get_wallet: { method: 'get', path: '/api/agents/wallet', headers: { agent_key: 'x-agent-key' } },
  get_wallet_ledger: { method: 'get', path: '/api/agents/wallet/ledger', headers: { agent_key: 'x-agent-key' } },
  topup_wallet: { method: 'post', path: '/api/agents/wallet/topup', headers: { agent_key: 'x-agent-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  get_topup: { method: 'get', path: '/api/agents/wallet/topup/{topup_id}', headers: { agent_key: 'x-agent-key' } },
  topup_return: { method: 'get', path: '/wallet/topups/{topup_id}' },
  stripe_webhook: { method: 'post', path: '/api/webhooks/stripe', headers: { signature: 'stripe-signature' }, writes: true },
  request_login_link: { method: 'post', path: '/api/cabinet/request-link', writes: true },
  cabinet_login_page: { method: 'get', path: '/cabinet/login' },
  cabinet_login: { method: 'post', path: '/cabinet/login', writes: true },
  start_page: { method: 'get', path: '/start' },
  start: { method: 'post', path: '/start', keyField: 'idempotency_key', writes: true },
  start_call: { method: 'post', path: '/start/call', writes: true },
  start_topup: { method: 'post', path: '/start/topup', writes: true },
  cabinet_overview: { method: 'get', path: '/cabinet' },
  cabinet_agent: { method: 'post', path: '/cabinet/agents', writes: true },
  cabinet_ledger: { method: 'get', path: '/cabinet/ledger' },
  cabinet_spend: { method: 'get', path: '/cabinet/spend' },
  cabinet_topups: { method: 'get', path: '/cabinet/topup' },
  cabinet_topup: { method: 'post', path: '/cabinet/topup', writes: true },
  cabinet_tasks: { method: 'get', path: '/cabinet/tasks' },
  cabinet_task_cancel: { method: 'post', path: '/cabinet/tasks', writes: true },
  cabinet_task_answer: { method: 'post', path: '/cabinet/tasks/answer', writes: true },
  cabinet_task_accept: { method: 'post', path: '/cabinet/tasks/accept', writes: true },
  cabinet_orders: { method: 'get', path: '/cabinet/orders' },
  cabinet_order_cancel: { method: 'post', path: '/cabinet/orders', writes: true },
  cabinet_calls: { method: 'get', path: '/cabinet/calls' },
  cabinet_mandates: { method: 'get', path: '/cabinet/mandates' },
  cabinet_mandate_open: { method: 'post', path: '/cabinet/mandates', writes: true },
  cabinet_keys: { method: 'get', path: '/cabinet/keys' },
  cabinet_key: { method: 'post', path: '/cabinet/keys', writes: true },
  cabinet_agent_new: { method: 'post', path: '/cabinet/keys/agent', writes: true },
  cabinet_sessions: { method: 'get', path: '/cabinet/sessions' },
  cabinet_session_end: { method: 'post', path: '/cabinet/sessions', writes: true },
  cabinet_account: { method: 'get', path: '/cabinet/account' },
  cabinet_account_delete: { method: 'post', path: '/cabinet/account', writes: true },
  cabinet_export: { method: 'get', path: '/cabinet/export' },
  sandbox_checkout: { method: 'get', path: '/sandbox/checkout/{session_id}' },
  sandbox_checkout_act: { method: 'post', path: '/sandbox/checkout/{session_id}/{action}' },
  sandbox_outbox: { method: 'get', path: '/sandbox/outbox' },
  capabilities_manifest: { method: 'get', path: '/capabilities/manifest' },
  execute_capability: { method: 'post', path: '/capabilities/execute', headers: { agent_key: 'x-agent-key', idempotency_key: 'idempotency-key' }, keyField: 'idempotency_key', writes: true },
  get_execution: { method: 'get', path: '/capabilities/executions/{execution_id}', headers: { agent_key: 'x-agent-key' } },
  data_summary: { method: 'get', path: '/api/data/summary' },
  data_permits: { method: 'get', path: '/api/data/permits' },
  data_leadtimes: { method: 'get', path: '/api/data/leadtimes' },
  data_tenders: { method: 'get', path: '/api/data/tenders' },
  data_laws: { method: 'get', path: '/api/data/laws' },
  data_economy: { method: 'get', path: '/api/data/economy' },
  data_zones: { method: 'get', path: '/api/data/zones' },
  data_natura: { method: 'get', path: '/api/data/natura' },
  data_events: { method: 'get', path: '/api/data/events' },
  data_sources: { method: 'get', path: '/api/data/sources' },
  data_component: { method: 'get', path: '/api/data/components/{mpn}' },
  data_search: { method: 'get', path: '/api/data/search' },
  data_document: { method: 'get', path: '/api/data/documents' },
  data_ask: { method: 'get', path: '/api/data/ask' },
  playground: { method: 'get', path: '/playground' },
  playground_run: { method: 'post', path: '/playground', writes: true },
  playground_pay: { method: 'post', path: '/playground/pay', writes: true },
  sandbox_faucet: { method: 'post', path: '/sandbox/faucet', writes: true },
  sandbox_balance: { method: 'get', path: '/sandbox/balance/{address}' },
  health: { method: 'get', path: '/api/v1/health' },
  system_status: { method: 'get', path: '/system/status' },
  service_keys: { method: 'get', path: '/.well-known/avouch-keys.json' },
  did_document: { method: 'get', path: '/.well-known/did.json' },
  x402_discovery: { method: 'get', path: '/.well-known/x402' },
  mcp_tools: { method: 'get', path: '/mcp/tools.json' },
  connect: { method: 'get', path: '/connect' },
  openapi: { method: 'get', path: '/openapi.json' },
  problem_type: { method: 'get', path: '/problems/{code}' },
  entry: { method: 'get', path: '/entry' },
  entry_full: { method: 'get', path: '/entry/full' },
  onboarding: { method: 'get', path: '/agent-discovery/onboarding' },
  coordination_manifest: { method: 'get', path: '/coordination/manifest' },
  economy_manifest: { method: 'get', path: '/economy/manifest' },
  strategy_pillars: { method: 'get', path: '/api/strategy/pillars' },
  usage_rules: { method: 'get', path: '/api/rules-of-engagement' },
  llms: { method: 'get', path: '/llms.txt', answer: 'text' },
  llms_full: { method: 'get', path: '/llms-full.txt', answer: 'text' },
  ai_plugin: { method: 'get', path: '/.well-known/ai-plugin.json' },
  ai_catalog: { method: 'get', path: '/.well-known/ai-catalog.json' },
  mcp_server_card: { method: 'get', path: '/mcp/streamable/server-card' },
  mcp_server_card_well_known: { method: 'get', path: '/.well-known/mcp/server-card.json' },
  mcp_registry_auth: { method: 'get', path: '/.well-known/mcp-registry-auth', answer: 'text' },
  robots: { method: 'get', path: '/robots.txt', answer: 'text' },
  logo: { method: 'get', path: '/logo.svg', answer: 'text' },
  verify_file: { method: 'get', path: '/verify/{file}', answer: 'text' },
  home: { method: 'get', path: '/' },
  demo_race: { method: 'post', path: '/demo/race', writes: true },
  product: { method: 'get', path: '/product/{product}' },
  pricing: { method: 'get', path: '/pricing' },
  protocols: { method: 'get', path: '/protocols' },
  protocol: { method: 'get', path: '/protocols/{protocol}' },
  docs: { method: 'get', path: '/docs' },
  docs_page: { method: 'get', path: '/docs/{name}' },
  api_reference: { method: 'get', path: '/docs/api' },
  api_operation: { method: 'get', path: '/docs/api/{operation}' },
  search_pages: { method: 'get', path: '/search' },
  design: { method: 'get', path: '/design' },
  page_asset: { method: 'get', path: '/assets/{name}', answer: 'text' },
  identity: { method: 'get', path: '/v1/identity' },
  signature_directory: { method: 'get', path: '/.well-known/http-message-signatures-directory' },
};

// biome-ignore format: generated
type G1 = 'invalid_parameters' | 'malformed_request' | 'slow_down' | 'storage_unavailable';
// biome-ignore format: generated
type G2 = 'invalid_parameters' | 'malformed_request' | 'slow_down' | 'storage_unavailable' | 'too_many_streams' | 'streams_full';
// biome-ignore format: generated
type G3 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'prefetch' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable' | 'suspended';
// biome-ignore format: generated
type G4 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'prefetch' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable';
// biome-ignore format: generated
type G5 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'slow_down';
// biome-ignore format: generated
type G6 = 'invalid_parameters' | 'malformed_request' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'audit_trail_unavailable' | 'payment_required' | 'payment_failed' | 'invalid_payload' | 'idempotency_key_invalid' | 'max_price_invalid' | 'price_above_cap' | 'payment_bound_to_other_request' | 'idempotency_conflict' | 'payment_id_conflict' | 'refund_due' | 'result_expired' | 'settlement_pending' | 'settlement_not_configured' | 'chain_unavailable' | 'verdict_not_in_time';
// biome-ignore format: generated
type G7 = 'invalid_parameters' | 'malformed_request';
// biome-ignore format: generated
type G8 = 'invalid_parameters' | 'malformed_request' | 'slow_down';
// biome-ignore format: generated
type G9 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'key_conflict' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable';
// biome-ignore format: generated
type G10 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable';
// biome-ignore format: generated
type G11 = 'invalid_parameters' | 'malformed_request' | 'slow_down' | 'storage_unavailable' | 'log_unsound';
// biome-ignore format: generated
type G12 = 'invalid_parameters' | 'malformed_request' | 'slow_down' | 'storage_unavailable' | 'log_unsound' | 'too_many_streams' | 'streams_full';
// biome-ignore format: generated
type G13 = 'invalid_parameters' | 'malformed_request' | 'storage_unavailable' | 'log_unsound';
// biome-ignore format: generated
type G14 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable' | 'suspended';
// biome-ignore format: generated
type G15 = 'invalid_parameters' | 'malformed_request' | 'key_conflict' | 'slow_down' | 'storage_unavailable';
// biome-ignore format: generated
type G16 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'key_conflict' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable' | 'suspended';
// biome-ignore format: generated
type G17 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'slow_down' | 'storage_unavailable';
// biome-ignore format: generated
type G18 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable';
// biome-ignore format: generated
type G19 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable';
// biome-ignore format: generated
type G20 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable' | 'suspended';
// biome-ignore format: generated
type G21 = 'invalid_parameters' | 'malformed_request' | 'malformed_json' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'slow_down';
// biome-ignore format: generated
type G22 = 'invalid_parameters' | 'malformed_request' | 'body_too_large' | 'too_many_bodies' | 'unsupported_media_type' | 'unsupported_coding' | 'cross_site_request' | 'slow_down' | 'busy' | 'storage_unavailable' | 'outcome_unknown' | 'signer_unavailable' | 'audit_trail_unavailable' | 'suspended';

/** The codes of the problems that each operation promises. */
// biome-ignore format: generated
export interface Codes {
  look: G1 | 'rule_refused';
  watch: G2 | 'revision_compacted';
  board: G2;
  board_key: G1;
  claim: G3 | 'bad_token' | 'rule_refused' | 'held' | 'in_clearance' | 'already_yours' | 'lease_lost' | 'slots_full' | 'hop_limit' | 'once_taken' | 'public_venue';
  release: G4 | 'bad_token' | 'unknown_lease';
  bounties: G1;
  brief: G3 | 'bad_token' | 'rule_refused' | 'held' | 'brief_closed' | 'key_crowded' | 'unknown_brief';
  open_brief: G1 | 'unknown_brief';
  brief_check: G5;
  brief_lint: G5;
  mark: G3 | 'bad_token' | 'rule_refused' | 'unknown_lease' | 'mark_limit';
  fence: G1;
  counterparty_check: G6 | 'register_not_configured' | 'register_unavailable';
  sanctions_screen: G6 | 'register_not_configured' | 'register_unavailable';
  sanctions_quality: G7;
  nl_vehicle_check: G6 | 'register_not_configured' | 'register_unavailable';
  eu_vat_check: G6 | 'register_not_configured' | 'register_unavailable';
  uk_company_check: G6 | 'register_not_configured' | 'register_unavailable';
  uk_vehicle_mot_check: G6 | 'register_not_configured' | 'register_unavailable';
  agent_budget_audit: G6;
  spend_fuse: G6;
  agent_coordination_audit: G6;
  check: G8;
  budget_preview: G8;
  budget_protocol: G8;
  coordination_preview: G8;
  coordination_protocol: G8;
  payment_status: G8 | 'payment_unknown';
  receipt_verify: G5;
  attest_seal: G9 | 'key_malformed' | 'key_invalid' | 'suspended' | 'schema_not_open' | 'unknown_schema' | 'idempotency_conflict' | 'idempotency_in_flight';
  attest_erase: G10 | 'attestation_not_found';
  attest_verify: G11 | 'attestation_not_found' | 'format_unsupported';
  attest_verify_bundle: G5;
  attest_lookup: G11;
  attest_ledger: G12 | 'beyond_the_log' | 'no_checkpoint';
  attest_stream: G12 | 'beyond_the_log';
  log_head: G11 | 'beyond_the_log';
  log_audit: G11 | 'beyond_the_log';
  attest_schemas: G8 | 'unknown_schema_digest';
  log_checkpoint: G13;
  log_witnessed_checkpoint: G13 | 'not_witnessed';
  log_tile: G13 | 'tile_not_found';
  attest_receipt: G11 | 'attestation_not_found' | 'no_receipt_yet';
  log_consistency: G11 | 'beyond_the_log';
  scitt_keys: G8;
  scitt_key: G8 | 'unknown_receipt_key';
  log_explorer: G11;
  log_heads: G11 | 'no_checkpoint';
  log_entry: G11 | 'attestation_not_found';
  verify_page: G11;
  amh_register: G14 | 'rule_refused' | 'registrations_exceeded';
  amh_mandate: G14 | 'signature_invalid' | 'nonce_reused' | 'idempotency_conflict' | 'imported_before';
  amh_verify: G10 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'mandate_not_found' | 'idempotency_conflict';
  amh_seal: G10 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'verify_ref_not_found' | 'transition_invalid' | 'amount_exceeds_verified' | 'payload_mismatch';
  amh_status: G1 | 'key_malformed' | 'key_invalid' | 'verify_ref_not_found';
  amh_mandate_view: G1 | 'key_malformed' | 'key_invalid' | 'mandate_not_found';
  amh_mandate_revoke: G10 | 'signature_invalid' | 'key_missing' | 'key_malformed' | 'key_invalid' | 'mandate_not_found' | 'nonce_reused';
  amh_mandate_narrow: G10 | 'signature_invalid' | 'key_missing' | 'key_malformed' | 'key_invalid' | 'mandate_not_found' | 'nonce_reused' | 'not_narrower';
  amh_mandate_void: G10 | 'signature_invalid' | 'key_missing' | 'key_malformed' | 'key_invalid' | 'mandate_not_found' | 'nonce_reused' | 'platform_known';
  amh_mandate_approve: G14 | 'signature_invalid' | 'key_missing' | 'key_malformed' | 'key_invalid' | 'mandate_not_found' | 'nonce_reused';
  amh_key_create: G10 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'too_many_keys';
  amh_key_revoke: G10 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'key_not_found' | 'last_key';
  do: G9 | 'free_tries_used' | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'rule_refused' | 'idempotency_conflict' | 'in_flight';
  create_task: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'rule_refused' | 'idempotency_conflict' | 'in_flight';
  check_task: G15 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'receipt_key_invalid' | 'unknown_task';
  get_evidence: G1 | 'unknown_task';
  answer_task: G16 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'receipt_key_invalid' | 'unknown_task' | 'transition_invalid' | 'rule_refused' | 'in_flight';
  accept_quote: G16 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'receipt_key_invalid' | 'unknown_task' | 'transition_invalid' | 'insufficient_funds' | 'wallet_frozen' | 'ledger_halted' | 'in_flight';
  cancel_task: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'receipt_key_invalid' | 'unknown_task' | 'transition_invalid';
  task_page: G1 | 'unknown_task';
  open_task_page: G17 | 'unknown_task' | 'receipt_key_invalid';
  exit: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'rule_refused' | 'lessons_exceeded';
  bom_calculate: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'insufficient_funds' | 'wallet_frozen' | 'ledger_halted' | 'idempotency_conflict' | 'idempotency_in_flight' | 'too_many_large_bills';
  get_calculation: G15 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'calculation_not_found';
  create_order: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'insufficient_funds' | 'wallet_frozen' | 'ledger_halted' | 'idempotency_conflict' | 'idempotency_in_flight' | 'mandate_denied' | 'rule_refused' | 'calculation_not_found' | 'calculation_expired' | 'total_over_limit' | 'nothing_to_order' | 'supplier_unreachable';
  list_orders: G15 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'order_not_found';
  get_order: G15 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'order_not_found';
  place_order: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'insufficient_funds' | 'wallet_frozen' | 'ledger_halted' | 'idempotency_conflict' | 'idempotency_in_flight' | 'mandate_denied' | 'transition_invalid' | 'order_not_found';
  cancel_order: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'idempotency_conflict' | 'idempotency_in_flight' | 'transition_invalid' | 'order_not_found';
  register_agent: G14 | 'scope_restricted' | 'rule_refused' | 'registrations_exceeded' | 'idempotency_conflict' | 'idempotency_in_flight';
  get_agent: G15 | 'key_missing' | 'key_malformed' | 'key_invalid';
  rotate_key: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'too_many_keys' | 'idempotency_conflict' | 'idempotency_in_flight';
  revoke_key: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'key_not_found' | 'last_key';
  get_wallet: G15 | 'key_missing' | 'key_malformed' | 'key_invalid';
  get_wallet_ledger: G15 | 'key_missing' | 'key_malformed' | 'key_invalid';
  topup_wallet: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'idempotency_conflict' | 'too_many_topups' | 'processor_unavailable' | 'payments_not_configured' | 'not_installed';
  get_topup: G15 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'topup_not_found';
  topup_return: G1 | 'topup_not_found';
  stripe_webhook: G18 | 'signature_invalid' | 'not_settled' | 'ledger_halted' | 'payments_not_configured' | 'not_installed';
  request_login_link: G19 | 'origin' | 'mail_not_configured';
  cabinet_login_page: G7;
  cabinet_login: G19 | 'link_invalid' | 'origin';
  start_page: G1 | 'not_of_account';
  start: G20 | 'origin' | 'rule_refused' | 'registrations_exceeded' | 'idempotency_conflict' | 'idempotency_in_flight';
  start_call: G20 | 'origin' | 'key_missing' | 'key_malformed' | 'key_invalid';
  start_topup: G19 | 'no_session' | 'link_invalid' | 'csrf' | 'origin' | 'not_of_account' | 'agent_not_accepted' | 'suspended' | 'too_many_topups' | 'processor_unavailable' | 'payments_not_configured' | 'not_installed';
  cabinet_overview: G1 | 'no_session' | 'not_of_account';
  cabinet_agent: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'agent_accepted';
  cabinet_ledger: G1 | 'no_session' | 'not_of_account';
  cabinet_spend: G1 | 'no_session' | 'not_of_account';
  cabinet_topups: G1 | 'no_session';
  cabinet_topup: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'agent_not_accepted' | 'suspended' | 'too_many_topups' | 'processor_unavailable' | 'payments_not_configured' | 'not_installed';
  cabinet_tasks: G1 | 'no_session' | 'not_of_account';
  cabinet_task_cancel: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'transition_invalid';
  cabinet_task_answer: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'suspended' | 'transition_invalid' | 'rule_refused';
  cabinet_task_accept: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'suspended' | 'transition_invalid' | 'insufficient_funds' | 'wallet_frozen' | 'ledger_halted';
  cabinet_orders: G1 | 'no_session' | 'not_of_account';
  cabinet_order_cancel: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'transition_invalid';
  cabinet_calls: G1 | 'no_session' | 'not_of_account';
  cabinet_mandates: G1 | 'no_session' | 'not_of_account';
  cabinet_mandate_open: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'key_malformed' | 'key_invalid';
  cabinet_keys: G1 | 'no_session';
  cabinet_key: G19 | 'no_session' | 'csrf' | 'not_of_account' | 'too_many_keys';
  cabinet_agent_new: G19 | 'no_session' | 'csrf' | 'rule_refused' | 'registrations_exceeded';
  cabinet_sessions: G1 | 'no_session';
  cabinet_session_end: G19 | 'no_session' | 'csrf' | 'not_of_account';
  cabinet_account: G1 | 'no_session';
  cabinet_account_delete: G19 | 'no_session' | 'csrf' | 'account_in_use';
  cabinet_export: G2 | 'no_session';
  sandbox_checkout: G8 | 'checkout_not_found';
  sandbox_checkout_act: G21 | 'checkout_not_found' | 'action_not_possible';
  sandbox_outbox: G1;
  capabilities_manifest: G7;
  execute_capability: G9 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'suspended' | 'insufficient_funds' | 'wallet_frozen' | 'ledger_halted' | 'idempotency_conflict' | 'idempotency_in_flight' | 'capability_unknown' | 'provider_required' | 'provider_failed' | 'work_too_large' | 'too_many_executions' | 'heavy_work_paused' | 'capabilities_busy' | 'not_installed' | 'price_unknown';
  get_execution: G15 | 'key_missing' | 'key_malformed' | 'key_invalid' | 'execution_not_found';
  data_summary: G1;
  data_permits: G1;
  data_leadtimes: G1;
  data_tenders: G1;
  data_laws: G1;
  data_economy: G1;
  data_zones: G1;
  data_natura: G1;
  data_events: G1;
  data_sources: G1;
  data_component: G8;
  data_search: G8;
  data_document: G8 | 'document_not_found';
  data_ask: G1 | 'rule_refused';
  playground: G8;
  playground_run: G20;
  playground_pay: G20 | 'no_sandbox_buyer';
  sandbox_faucet: G14 | 'no_test_money';
  sandbox_balance: G8 | 'no_test_money';
  health: G7 | 'down';
  system_status: G7;
  service_keys: G7;
  did_document: G7;
  x402_discovery: G7;
  mcp_tools: G7;
  connect: G7;
  openapi: G7;
  problem_type: G7 | 'unknown_code';
  entry: G7;
  entry_full: G7;
  onboarding: G7;
  coordination_manifest: G7;
  economy_manifest: G7;
  strategy_pillars: G7;
  usage_rules: G7 | 'unknown_rules_version';
  llms: G7;
  llms_full: G7;
  ai_plugin: G7;
  ai_catalog: G7;
  mcp_server_card: G7;
  mcp_server_card_well_known: G7;
  mcp_registry_auth: G7 | 'unknown_file';
  robots: G7;
  logo: G7;
  verify_file: G7 | 'unknown_file';
  home: G7;
  demo_race: G22 | 'malformed_json';
  product: G7 | 'unknown_product' | 'not_offered';
  pricing: G7;
  protocols: G7;
  protocol: G7 | 'unknown_protocol';
  docs: G7;
  docs_page: G7 | 'unknown_page' | 'not_offered';
  api_reference: G7;
  api_operation: G7 | 'unknown_page';
  search_pages: G1;
  design: G7;
  page_asset: G7 | 'unknown_asset';
  identity: G8;
  signature_directory: G7;
}
