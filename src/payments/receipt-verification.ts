import type { z } from 'zod';
import { type PublishedKey, verifyReceipt } from '#protocol/payment/receipt-check.ts';
import type { ReceiptVerdict, receiptVerify } from './operations.ts';

export function verifySentReceipt(
  { receipt, result, request }: z.output<typeof receiptVerify.input>,
  keys: readonly PublishedKey[],
): z.output<typeof ReceiptVerdict> {
  const verdict = verifyReceipt({ receipt, result, request, keys });
  const { key } = verdict;
  return {
    valid: verdict.valid,
    checks: [...verdict.checks],
    key: key === undefined ? null : { kid: key.kid, role: key.role, retired_at: key.retiredAt },
    sandbox: verdict.sandbox ?? null,
  };
}
