import { formatMicro, parseMicro } from '#kernel/money.ts';
import type { GateAnswer, GatedCall } from '#kernel/paid-operation.ts';
import { type ProblemType, Refusal, withMembers } from '#kernel/problem.ts';
import { encodeHeader } from '#protocol/payment/header.ts';
import type { Challenger } from './challenge.ts';
import type { PaymentRecord } from './payment-record.ts';
import * as problems from './problems.ts';

const RETRY_SECONDS = 2;
/** As often as settlement that is down is asked again. */
const DOWN_RETRY_SECONDS = 5;
export const PAYMENT_REQUIRED_TEXT = 'Payment required';

/** Every refusal on a paid path says whether money was taken: true, false or null while it is not known. */
export function withCharged(refusal: Refusal, charged: boolean | null): Refusal {
  return withMembers(refusal, { charged });
}

/**
 * Of a refusal that came before the payment was looked up: a call that names one may repeat a payment that moved money.
 */
export function chargedUnseen(header: GatedCall['header']): false | null {
  return header('payment-signature') === undefined && header('idempotency-key') === undefined ? false : null;
}

/** A fault as its transport explains it. */
export function sayFault(
  { refusalOf }: Pick<GatedCall, 'refusalOf'>,
  error: unknown,
  charged: false | null,
): GateAnswer {
  if (refusalOf === undefined) throw error;
  return { headers: [], answer: withCharged(refusalOf(error), charged) };
}

export function refuse(type: ProblemType, detail: string, charged: boolean | null = false): GateAnswer {
  return { headers: [], answer: withCharged(new Refusal(type, { detail }), charged) };
}

export function refuseForNow(type: ProblemType, detail: string, retryAfterSeconds = RETRY_SECONDS): GateAnswer {
  const refusal = new Refusal(type, { detail, retryAfterSeconds });
  return { headers: [], answer: withCharged(refusal, false) };
}

export function sayChainSilent(): GateAnswer {
  return refuseForNow(problems.chainUnavailable, 'The chain does not respond. The payment was not used.');
}

/** In the place of a price that nobody could be paid. */
export function sayCannotSettle(fault: string): GateAnswer {
  const detail = `No payment can be settled now. ${fault} Do not sign one yet.`;
  return refuseForNow(problems.chainUnavailable, detail, DOWN_RETRY_SECONDS);
}

export interface Asking {
  readonly challenger: Challenger;
  readonly call: Pick<GatedCall, 'url'>;
  readonly nowSeconds: number;
}

/** By the reason of a refusal, which may come from outside. */
const DETAILS: ReadonlyMap<string, string> = new Map([
  [
    'invalid_exact_evm_token_name_mismatch',
    'The signature is for a token with another name. Sign with the name and version in accepts.extra. The payment was not stored.',
  ],
  ['invalid_x402_version', 'Avouch supports x402 version 2. Send PAYMENT-SIGNATURE instead of X-PAYMENT.'],
]);

/** 402 with the challenge in header and body. `error` is the reason why a payment was not taken. */
export function askForPayment({ challenger, call, nowSeconds }: Asking, error: string): GateAnswer {
  const { members, header } = challenger.challenge(call.url, error, nowSeconds);
  const { amount } = challenger.requirements;
  const isAsked = error === PAYMENT_REQUIRED_TEXT;
  const detail = isAsked
    ? priceText(amount)
    : (DETAILS.get(error) ?? `The payment was not accepted: ${error}. Nothing was charged.`);
  const refusal = new Refusal(problems.paymentRequired, { detail, members, membersRecur: true });
  return { headers: [['payment-required', header]], answer: refusal };
}

function priceText(atomic: string): string {
  return `This call costs ${formatMicro(Number(atomic))} USDC. See accepts.`;
}

/** 402 for a payment that the chain did not take. */
function saySettlementFailed(asking: Asking, record: PaymentRecord): GateAnswer {
  const reason = record.errorReason ?? 'unexpected_settle_error';
  const { members, header } = asking.challenger.challenge(asking.call.url, reason, asking.nowSeconds);
  const { network, payer } = record;
  const response = encodeHeader({ success: false, errorReason: reason, payer, transaction: '', network });
  const detail = `The payment could not be settled: ${reason}. Nothing was charged.`;
  return {
    headers: [
      ['payment-required', header],
      ['payment-response', response],
    ],
    answer: new Refusal(problems.paymentFailed, { detail, members }),
  };
}

/** 503: nobody may sign again before this is decided. */
export function sayPending({ nonce, transaction }: Pick<PaymentRecord, 'nonce' | 'transaction'>): GateAnswer {
  const payment = { nonce, transaction, status_url: `/v1/payments/${nonce}` };
  const refusal = new Refusal(problems.settlementPending, {
    detail: 'The outcome of the settlement is not known yet. Do not sign a new payment. Repeat the same request.',
    retryAfterSeconds: RETRY_SECONDS,
    members: { charged: null, payment },
  });
  return { headers: [], answer: refusal };
}

/** The answer that a row gives to a caller who may have it. */
export function answerOf(record: PaymentRecord, asking: Asking, isReplay: boolean): GateAnswer {
  const given = answerByState(record, asking, isReplay);
  const { payer, resultSha256 } = record;
  const hasResult = !(given.answer instanceof Refusal) && resultSha256 !== null;
  return { ...given, trace: { payer, ...(hasResult && { resultSha256 }) } };
}

function answerByState(record: PaymentRecord, asking: Asking, isReplay: boolean): GateAnswer {
  const { nonce, transaction } = record;
  switch (record.state) {
    case 'reserved':
    case 'settling':
    case 'unknown':
      return sayPending(record);
    case 'released':
      return refuseForNow(
        problems.verdictNotInTime,
        'There is no verdict, and nothing was charged. You can send the same payment again.',
      );
    case 'failed':
      return saySettlementFailed(asking, record);
    case 'refund_due': {
      const members = { charged: true, payment: { nonce, transaction } };
      const detail = 'The payment arrived, but there is no verdict. A refund is due.';
      return { headers: [], answer: new Refusal(problems.refundDue, { detail, members }) };
    }
    case 'refunded': {
      const payment = { nonce, transaction, refund_reference: record.refundRef };
      const detail = 'The payment arrived without a verdict and was refunded. Sign a new payment to call again.';
      return { headers: [], answer: new Refusal(problems.refundDue, { detail, members: { charged: false, payment } }) };
    }
    case 'settled': {
      const { response } = record;
      if (response === null || response.body === null) {
        const members = { charged: true, payment: { nonce, transaction } };
        const detail = 'The response was kept for 24 hours and has been deleted.';
        return { headers: [], answer: new Refusal(problems.resultExpired, { detail, members }) };
      }
      const answer = { headers: response.headers, answer: { status: response.status, body: response.body } };
      return isReplay ? asReplay(answer) : answer;
    }
  }
}

/** The same answer, marked as one that was given before. */
export function asReplay(given: GateAnswer): GateAnswer {
  if (given.answer instanceof Refusal) return given;
  return { ...given, headers: [...given.headers, ['idempotent-replayed', 'true']] };
}

/** What X-Max-Price says of a price. */
export function capOutcome(header: string | undefined, atomic: string): 'within' | 'above' | 'malformed' {
  if (header === undefined) return 'within';
  const cap = parseMicro(header); // attacker-controlled
  if (cap === null) return 'malformed';
  return Number(atomic) > cap ? 'above' : 'within';
}
