import { bytesOfHex, type Hex } from '#protocol/payment/hex.ts';
import type { PaymentReason } from '#protocol/payment/reason.ts';
import type { RpcRefusedError } from './rpc.ts';

const ERROR_STRING_SELECTOR = '0x08c379a0';

/** What the token says against a transfer, and the reason of x402 for it. */
const TEXTS: readonly (readonly [RegExp, PaymentReason])[] = [
  [/used or canceled/i, 'invalid_exact_evm_nonce_already_used'],
  [/invalid signature/i, 'invalid_exact_evm_signature'],
  [/is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/exceeds balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/revert/i, 'invalid_exact_evm_transaction_failed'],
];

/** Why the token refuses the call; null when the node said something else, such as that it has too much to do. */
export function reasonOfRevert({ message, data }: RpcRefusedError): PaymentReason | null {
  const text = `${message} ${data === undefined ? '' : revertText(data)}`;
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function revertText(data: string): string {
  if (!data.startsWith(ERROR_STRING_SELECTOR)) return '';
  const bytes = Buffer.from(bytesOfHex(data as Hex)).subarray(4 + 32);
  if (bytes.length < 32) return '';
  const length = bytes.readUInt32BE(28); // attacker-controlled: subarray never reads beyond the end
  return bytes.subarray(32, 32 + length).toString();
}
