import { sha256Hex } from '#kernel/ids.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { type Step, step } from '#platform/storage/store.ts';
import { type PaymentResult, paymentUnit } from './payment-unit.ts';

/** Makes a debt public, or that it was paid; the digest names the payment to whoever knows it. */
export function refundStatement(what: 'refund_due' | 'refunded', paymentId: string, sandbox: boolean): Step {
  return statementStep(`payment.${what} sha256 ${sha256Hex(paymentId)}`, sandbox);
}

/** Notes that the operator paid the money back, and seals it; for `store.runAll([...], isNotDue)`. */
export function refundSteps(paymentId: string, reference: string, sandbox: boolean): Step[] {
  const own = step(paymentUnit, { type: 'event', id: paymentId, event: { type: 'refunded', reference } });
  return [own, refundStatement('refunded', paymentId, sandbox)];
}

/** Of the first step: nothing is owed for this payment. */
export function isNotDue(result: unknown): boolean {
  return (result as Partial<PaymentResult>).type === 'unchanged';
}
