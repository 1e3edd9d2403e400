/** Why a payment is refused or fails, letter for letter as x402 writes it. */
export const PAYMENT_REASONS = [
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_undeployed_smart_wallet',
  'invalid_exact_evm_nonce_already_used',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_transaction_simulation_failed',
  'invalid_exact_evm_transaction_failed',
  'invalid_exact_evm_transfer_event_mismatch',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_failed_to_parse_signature',
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  'smart_wallet_deployment_failed',
  'unsupported_payload_type',
  'invalid_transaction_state',
  'settlement_pending',
  'extension_echo_mismatch',
  'insufficient_funds',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_x402_version',
  'unexpected_verify_error',
  'unexpected_settle_error',
] as const;

export type PaymentReason = (typeof PAYMENT_REASONS)[number];

const KNOWN: ReadonlySet<string> = new Set(PAYMENT_REASONS);

export function isPaymentReason(text: string): text is PaymentReason {
  return KNOWN.has(text);
}
