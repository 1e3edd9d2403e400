import type { z } from 'zod';
import { verifyReceipt, type PublishedReceiptKey } from '#protocol/payment/receipt-check.ts';
import type { ReceiptCheckAnswer, receiptVerify } from './operations.ts';

export function verifySentReceipt(
  { request, ...given }: z.output<typeof receiptVerify.input>,
  trust: { readonly keys: readonly PublishedReceiptKey[]; readonly sandbox: boolean },
): z.output<typeof ReceiptCheckAnswer> {
  const answer = given.answer ?? (given.result && { result: given.result });
  const receipt = given.receipt ?? answer?.['receipt'];
  const verdict = verifyReceipt({ receipt, answer, request, ...trust });
  const { key, outcome } = verdict;
  return {
    valid: outcome === 'valid',
    outcome,
    checks: [...verdict.checks],
    uncovered: [...verdict.uncovered],
    key: key === undefined ? null : { kid: key.kid, role: key.role, retired_at: key.retiredAt },
    sandbox: verdict.sandbox ?? null,
  };
}
