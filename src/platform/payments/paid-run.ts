import type { GateAnswer, GatedCall, PaidRow, PaidVerdict } from '#kernel/paid-operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { resultSha256 } from '#protocol/payment/receipt.ts';
import { signaturePath } from '#protocol/payment/static-checks.ts';
import type { Step } from '#platform/storage/store.ts';
import {
  answerOf,
  askForPayment,
  type Asking,
  refuseForNow,
  sayChainSilent,
  sayFault,
  sayPending,
  withCharged,
} from './answers.ts';
import { HANDLER_MS, type PaymentLedger, SETTLE_OWNER_MS } from './ledger.ts';
import type { Running } from './in-flight-calls.ts';
import type { SentPayment } from './payment-check.ts';
import * as problems from './problems.ts';
import { ChainUnavailableError, type SettlementBackend } from './settlement.ts';
import type { Settler } from './settler.ts';
import { within } from './time-limit.ts';

/** A handler must leave the settlement this much of the payment's life. */
export const SETTLE_MARGIN_SECONDS = 10;

export interface RunDeps {
  readonly ledger: PaymentLedger;
  readonly clock: Pick<Clock, 'now'>;
  readonly backend: SettlementBackend;
  readonly settler: Settler;
  readonly logFault: (what: string, error: unknown) => void;
}

export interface ReservedRun {
  readonly row: PaidRow<Step>;
  readonly call: GatedCall;
  readonly asking: Asking;
  readonly payment: SentPayment;
  readonly input: unknown;
  readonly openBeforeAtomic: number;
  readonly isAgain: boolean;
}

/** From the reservation to the answer. Nothing of the verdict leaves before its settlement is stored. */
export async function runReserved(parts: RunDeps, run: ReservedRun, running: Running): Promise<GateAnswer> {
  const { ledger, settler, logFault } = parts;
  const { payment, row, asking } = run;
  const record = { id: payment.key, operationId: row.operation.operationId };
  const release = (reason: string) => ledger.recordEvent(record, { type: 'refused', owner: ledger.owner, reason });
  let verdict: PaidVerdict | GateAnswer;
  try {
    const stopped = await chainStop(parts, run);
    if (stopped !== undefined) {
      await ledger.drop(payment.key, 'not taken');
      return stopped;
    }
    verdict = await verdictOf(run, parts.clock.now());
    if ('answer' in verdict) await release('no verdict');
  } catch (error) {
    // Should this fail too, the row's time limit does it.
    await release('fault').catch((cause: unknown) => logFault('payment reservation release failed', cause));
    return sayFault(run.call, error, false);
  }
  if ('answer' in verdict) return verdict;
  running.isSettling = true;
  try {
    const result = JSON.stringify(verdict.result);
    const { receipt } = verdict;
    const executed = await ledger.recordEvent(record, {
      type: 'executed',
      owner: ledger.owner,
      result: `{"result":${result}${receipt === undefined ? '' : `,"receipt":${JSON.stringify(receipt)}`}}`,
      resultSha256: resultSha256(JSON.parse(result)),
      ownerMs: SETTLE_OWNER_MS,
    });
    // Another process took it for abandoned: nothing was charged.
    if (!executed.isChanged || executed.record === undefined) {
      return refuseForNow(
        problems.verdictNotInTime,
        'The verdict came too late, and nothing was charged. You can send the same payment again.',
      );
    }
    const settled = await settler.settle(executed.record, payment);
    return answerOf(settled.record ?? executed.record, asking, false);
  } catch (error) {
    // Money may have moved or may yet move: whatever went wrong, nobody is told to pay again.
    logFault('paid call failed during settlement', error);
    return sayPending({ nonce: payment.nonce, transaction: null });
  }
}

/** What the chain has against the payment. */
async function chainStop({ backend }: RunDeps, run: ReservedRun): Promise<GateAnswer | undefined> {
  const { payment, asking, openBeforeAtomic, isAgain } = run;
  try {
    const facts = await backend.payerFacts(payment.authorization);
    // One that was released may have been brought to the chain by somebody else: the money is here, so is the verdict.
    if (facts.isNonceUsed) return isAgain ? undefined : askForPayment(asking, 'invalid_exact_evm_nonce_already_used');
    if (facts.hasCode && signaturePath(payment.payload) === 'fast') {
      const checked = (await backend.verifySlow?.(payment)) ?? { valid: false, reason: 'invalid_exact_evm_signature' };
      if (!checked.valid) return askForPayment(asking, checked.reason);
    }
    const availableAtomic = facts.balance - BigInt(openBeforeAtomic);
    if (availableAtomic >= payment.authorization.value) return undefined;
    return askForPayment(asking, 'invalid_exact_evm_insufficient_balance');
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    return sayChainSilent();
  }
}

/** The checks before it have taken their part of the payment's life. */
async function verdictOf({ row, call, payment, input }: ReservedRun, nowMs: number): Promise<PaidVerdict | GateAnswer> {
  const leftMs = (payment.validBeforeSeconds - SETTLE_MARGIN_SECONDS) * 1000 - nowMs;
  const { key, payer } = payment;
  const verdict =
    leftMs > 0 ? await within(row.handler(input, call, { key, payer }), Math.min(HANDLER_MS, leftMs)) : undefined;
  if (verdict === undefined) {
    return refuseForNow(problems.verdictNotInTime, 'The verdict was not ready in time. Nothing was charged.');
  }
  return verdict instanceof Refusal ? { headers: [], answer: withCharged(verdict, false) } : verdict;
}
