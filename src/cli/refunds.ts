import { isoTime } from '#kernel/clock.ts';
import { formatMicro } from '#kernel/money.ts';
import { isNotDue, refundSteps } from '#platform/payments/refunds.ts';
import { REFUNDS_DUE } from '#platform/payments/sql.ts';
import { columns } from './line/columns.ts';
import { type Run, UsageError } from './line/spec.ts';
import { joinLog, openStore } from './operator-store.ts';

const HEADER = ['NONCE', 'PAYER', 'USDC', 'SINCE', 'TRANSACTION'];
const MAX_REFERENCE = 200;

export const listRefunds: Run = async (_given, output) => {
  await using opened = await openStore(output);
  const refunds = (await opened.foundation.store.read(REFUNDS_DUE)).map((payment) => ({
    nonce: payment.nonce,
    payer: payment.payer,
    amount_usdc: formatMicro(payment.amountAtomic),
    since: isoTime(payment.updatedAtMs),
    transaction: payment.transaction,
  }));
  const rows = refunds.map(({ nonce, payer, amount_usdc, since, transaction }) => [
    nonce,
    payer,
    amount_usdc,
    since,
    transaction ?? '',
  ]);
  output.result({ refunds }, rows.length === 0 ? '' : columns(HEADER, rows));
  if (rows.length === 0) output.note('No refund is due.');
  return 0;
};

/** Records that the operator paid one back; the money itself moves elsewhere. */
export const settleRefund: Run = async ({ operands, values }, output) => {
  const nonce = (operands[0] as string).toLowerCase();
  const { reference = '', payer } = values;
  if (!/^[\x20-\x7e]+$/.test(reference) || reference.length > MAX_REFERENCE) {
    throw new UsageError(`--reference must be 1 to ${MAX_REFERENCE} printable ASCII characters.`);
  }
  await using opened = await openStore(output);
  const { foundation, isSandbox } = opened;
  const { store } = foundation;
  const due = (await store.read(REFUNDS_DUE)).filter(
    (one) => one.nonce === nonce && (payer === undefined || one.payer === payer.toLowerCase()),
  );
  const [payment] = due;
  if (payment === undefined) {
    throw new Error(`No refund is due for the nonce ${nonce}. \`avouch refunds list\` shows those that are.`);
  }
  if (due.length > 1) throw new UsageError('Two accounts used this nonce. Name one with --payer.');
  await joinLog(foundation);
  const [result] = await store.runAll(refundSteps(payment.id, reference, isSandbox), isNotDue);
  if (isNotDue(result)) throw new Error('The refund was recorded meanwhile. Nothing was changed.');
  const { payer: to, amountAtomic } = payment;
  output.result(
    { nonce, payer: to, amount_usdc: formatMicro(amountAtomic), refund_reference: reference },
    `Recorded: ${formatMicro(amountAtomic)} USDC refunded to ${to} (${reference}).\n`,
  );
  return 0;
};
