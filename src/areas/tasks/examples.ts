/** What documents show. */
export const TASK_ID = 'tsk_0123456789abcdefghjkmnpqrs';
const AT = '2026-11-15T10:00:00.000Z';
const NEED = 'Check VAT number NL123456789B01';
const CASE = '7'.repeat(64);

const nothingYet = { result: null, receipt: null, evidence_root: null, attestation_id: null, error: null };

export const TASK_INPUT = { agent_id: 'anonymous', need: NEED };

export const CREATED_TASK = {
  task_id: TASK_ID,
  state: 'payment_required',
  agent_id: 'anonymous',
  need: NEED,
  region: 'NL' as const,
  max_eur: '5.00',
  route: {
    id: 'eu_vat_check',
    why: ['vat=NL123456789B01', 'word:VAT'],
    alternatives: [],
    entities: { vat: 'NL123456789B01' },
  },
  questions: [],
  quote: { price_eur: '0.01', fee_eur: '0.00', expires_at: null },
  payment: {
    x402_url: 'https://avouch.example/v1/eu-vat-check?vat_number=NL123456789B01',
    price_usdc: '0.002',
    free_url: null,
    wallet: '/api/agents/register',
  },
  receipt_id: 'rcp_0123456789abcdefghjkmnpqrs',
  receipt_key: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
  poll: null,
  steps: [
    { n: 1, name: 'route' as const, at: AT },
    { n: 2, name: 'quote' as const, at: AT },
  ],
  free_tries_left: 3,
  ...nothingYet,
  created_at: AT,
  updated_at: AT,
  expires_at: '2026-11-22T10:00:00.000Z',
};

export const STATUS = {
  task_id: TASK_ID,
  state: 'completed',
  route: 'bounty_search',
  steps: [{ n: 1, name: 'route' as const, at: AT }],
  result_sha256: null,
  need: null,
  questions: [],
  quote: null,
  payment: null,
  ...nothingYet,
  created_at: AT,
  updated_at: AT,
  expires_at: null,
};

export const EVIDENCE = {
  task_id: TASK_ID,
  state: 'completed',
  steps: [{ n: 1, name: 'route' as const, input_sha256: CASE, output_sha256: CASE, prev: CASE, hash: CASE, at: AT }],
  root: CASE,
  chain_ok: true,
  attestation_id: null,
  verify_url: null,
  inclusion_url: null,
};
