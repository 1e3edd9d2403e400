import type { Clock } from '#kernel/clock.ts';
import type { Gate, GateAnswer, GatedCall, PaidRow } from '#kernel/paid-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { PaymentReason } from '#protocol/payment/reason.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { requestFingerprint } from '#protocol/payment/request-fingerprint.ts';
import type { Step } from '#platform/storage/store.ts';
import {
  type Asking,
  answerOf,
  asReplay,
  askForPayment,
  capOutcome,
  chargedUnseen,
  PAYMENT_REQUIRED_TEXT,
  refuse,
  refuseForNow,
  sayCannotSettle,
  sayChainSilent,
  sayFault,
  sayPending,
  withCharged,
} from './answers.ts';
import { Challenger } from './challenge.ts';
import type { DeliveryDeps } from './delivery.ts';
import { InFlightCalls, type Running } from './in-flight-calls.ts';
import { idempotencyHash, type PaymentLedger } from './ledger.ts';
import { runReserved, SETTLE_MARGIN_SECONDS } from './paid-run.ts';
import { plainRefusal, readPayment, type SentPayment, signatureRefusal } from './payment-check.ts';
import type { PaymentRecord } from './payment-record.ts';
import * as problems from './problems.ts';
import type { Reconciler } from './reconciler.ts';
import { ChainUnavailableError, type SettlementBackend } from './settlement.ts';
import type { Settler } from './settler.ts';
import { storedPayload } from './stored-payload.ts';
import { priceOf } from './terms.ts';
import { within } from './time-limit.ts';

/** Only the chain can check the signature, and it does not answer. */
const CHAIN_SILENT = 'chain_silent';

interface Settlements {
  readonly backend: SettlementBackend;
  readonly settler: Settler;
  readonly reconciler: Reconciler;
}

export interface GateOptions extends DeliveryDeps {
  readonly ledger: PaymentLedger;
  readonly clock: Pick<Clock, 'now'>;
  readonly engine: RecoverEngine;
  readonly serviceName: string;
  readonly chainInstance: string | null;
  /** Undefined when this installation cannot settle. */
  readonly settlement: Settlements | undefined;
  /** Why settlement is known to be down; null where it is not. Answered from memory. */
  readonly settlementFault?: () => string | null;
  /** How many times longer than usual callers wait. */
  readonly patience?: number;
  readonly logFault: (what: string, error: unknown) => void;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{16,255}$/;
/** How long a second caller waits for the first one's answer. */
const JOIN_MS = 30_000;
const POLL_MS = 200;
/** How long a caller waits while the chain is asked about a payment whose outcome is not known. */
const LOOK_MS = 3_000;

/** One request on its way through the gate. */
interface PaymentAttempt {
  readonly row: PaidRow<Step>;
  readonly call: GatedCall;
  readonly asking: Asking;
  readonly fingerprint: string | Refusal;
  readonly idempotencyKey: string | undefined;
  /** The row to which the Idempotency-Key belongs. */
  readonly keyed: PaymentRecord | undefined;
}

/** A valid payment that nobody has seen, and what it is to buy. */
interface Purchase {
  readonly payment: SentPayment;
  readonly fingerprint: string;
  readonly input: unknown;
  readonly settlement: Settlements;
}

/**
 * Stands before every operation with a price. One authorization runs one handler, moves money once and has one answer;
 * it belongs to the request with which it came first.
 */
export class PaymentGate {
  readonly #options: GateOptions;
  readonly #inFlight = new InFlightCalls();
  readonly #joinMs: number;
  readonly #lookMs: number;

  constructor(options: GateOptions) {
    const { patience = 1 } = options;
    this.#options = options;
    this.#joinMs = patience * JOIN_MS;
    this.#lookMs = patience * LOOK_MS;
  }

  /** The only way to the handler of the row. */
  gateOf(row: PaidRow<Step>): Gate {
    const challenger = new Challenger({ operation: row.operation, ...this.#options });
    return (call) =>
      this.#answer(row, call, challenger).catch((error: unknown) => sayFault(call, error, chargedUnseen(call.header)));
  }

  async #answer(row: PaidRow<Step>, call: GatedCall, challenger: Challenger): Promise<GateAnswer> {
    const { clock, ledger } = this.#options;
    const asking: Asking = { challenger, call, nowSeconds: Math.floor(clock.now() / 1000) };
    if (call.isHead) return this.#quote(asking, PAYMENT_REQUIRED_TEXT);
    const idempotencyKey = call.header('idempotency-key');
    const header = call.header('payment-signature');
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      const detail = 'Send 16 to 255 visible ASCII characters. This call charged nothing.';
      return refuse(problems.idempotencyKeyInvalid, detail, header === undefined ? false : null);
    }
    const cap = capOutcome(call.header('x-max-price'), priceOf(row.operation).atomic);
    if (cap === 'malformed') {
      const detail = 'Send a plain decimal amount of USDC. This call charged nothing.';
      return refuse(problems.maxPriceInvalid, detail, chargedUnseen(call.header));
    }
    const keyed = idempotencyKey === undefined ? undefined : await ledger.byIdempotencyKey(idempotencyKey);
    if (header === undefined && keyed === undefined) return this.#ask({ row, call, asking }, cap);
    const attempt: PaymentAttempt = { row, call, asking, fingerprint: fingerprintOf(row, call), idempotencyKey, keyed };
    const passed = header === undefined ? await this.#unpaid(attempt) : await this.#paid(attempt, header);
    if (passed !== 'new' && 'answer' in passed) return passed;
    return passed === 'new' || cap === 'above' ? this.#ask(attempt, cap) : this.#buy(attempt, passed);
  }

  /** What a caller without a payment hears, and one who would pay more than it wants to. */
  #ask(
    { row, call, asking }: Pick<PaymentAttempt, 'row' | 'call' | 'asking'>,
    cap: ReturnType<typeof capOutcome>,
  ): GateAnswer {
    if (cap === 'above') {
      return refuse(
        problems.priceAboveCap,
        `The call costs ${priceOf(row.operation).usdc} USDC, which is more than X-Max-Price. Nothing was charged.`,
      );
    }
    const isOldVersion = call.header('x-payment') !== undefined;
    return this.#quote(asking, isOldVersion ? 'invalid_x402_version' : PAYMENT_REQUIRED_TEXT);
  }

  /** The price, unless it is known that nobody could be paid: then a caller hears so before it signs. */
  #quote(asking: Asking, error: string): GateAnswer {
    const fault = this.#options.settlementFault?.() ?? null;
    return fault === null ? askForPayment(asking, error) : sayCannotSettle(fault);
  }

  /** A key alone opens the answer that was paid with it. */
  async #unpaid({ keyed, fingerprint, asking }: PaymentAttempt): Promise<GateAnswer | 'new'> {
    if (keyed === undefined) return 'new';
    if (keyed.fingerprint !== fingerprint)
      return refuse(
        problems.idempotencyConflict,
        'This Idempotency-Key belongs to a different request. Use a new one.',
      );
    return this.#answerOfOther(keyed, asking);
  }

  /** Everything that is decided before new work is begun; what is to be bought by a valid payment that is new. */
  async #paid(attempt: PaymentAttempt, header: string): Promise<GateAnswer | Purchase> {
    const { asking, fingerprint, keyed } = attempt;
    const { terms, ledger } = this.#options;
    const payment = readPayment(header, asking.challenger, terms);
    if (payment === undefined) {
      const detail = 'PAYMENT-SIGNATURE is not a payment. This call charged nothing.';
      return refuse(problems.invalidPayload, detail, keyed === undefined ? false : null);
    }
    if (fingerprint instanceof Refusal) return { headers: [], answer: withCharged(fingerprint, false) };
    // Byte for byte the header of a call under way, which was checked when that one began.
    const running = this.#inFlight.get(payment.key);
    if (running?.headerSha256 === payment.headerSha256 && running.fingerprint === fingerprint) {
      return this.#joined(running, payment);
    }
    const record = await ledger.byId(payment.key);
    const isIdentical = record?.headerSha256 === payment.headerSha256;
    if (record !== undefined && isIdentical && record.state !== 'released')
      return this.#known(record, payment, attempt);
    const reason =
      plainRefusal(payment, asking.challenger, asking.nowSeconds) ?? (await this.#signatureRefusal(payment));
    // A payment that is under way or was made is never asked for again, however it is sent.
    if (reason !== undefined && isTaken(record)) return boundToOther();
    if (reason !== undefined) return reason === CHAIN_SILENT ? sayChainSilent() : askForPayment(asking, reason);
    if (record !== undefined && (record.state !== 'released' || record.fingerprint !== fingerprint)) {
      return this.#known(record, payment, attempt);
    }
    if (keyed !== undefined) {
      const answer = await this.#answerOfKey(keyed, payment, attempt);
      if (answer !== 'new') return answer;
    }
    const named = payment.paymentId === null ? [] : await ledger.byPaymentId(payment.paymentId);
    const [other] = named.filter(({ id }) => id !== payment.key);
    if (other !== undefined) return this.#answerOfName(other, payment, attempt);
    const { settlement } = this.#options;
    if (settlement === undefined || (await settlement.backend.isConfigured?.()) === false) {
      return refuseForNow(
        problems.settlementNotConfigured,
        'This installation cannot settle payments. The payment was not used.',
      );
    }
    const input = attempt.call.input();
    if (input instanceof Refusal) return { headers: [], answer: withCharged(input, false) };
    // What is left of its life must hold the work and the settlement.
    if (payment.validBeforeSeconds - asking.nowSeconds <= SETTLE_MARGIN_SECONDS) {
      return askForPayment(asking, 'invalid_exact_evm_payload_authorization_valid_before');
    }
    return { payment, fingerprint, input, settlement };
  }

  async #signatureRefusal(payment: SentPayment): Promise<PaymentReason | typeof CHAIN_SILENT | undefined> {
    const { terms, engine, settlement } = this.#options;
    const refusal = signatureRefusal(payment, terms, engine);
    if (refusal !== 'slow') return refusal;
    try {
      const verified = await settlement?.backend.verifySlow?.(payment);
      if (verified === undefined) return 'invalid_exact_evm_failed_to_parse_signature';
      return verified.valid ? undefined : verified.reason;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      return CHAIN_SILENT;
    }
  }

  /** Does the work for a new payment, or joins the call that already does it. */
  async #buy(attempt: PaymentAttempt, purchase: Purchase): Promise<GateAnswer> {
    const { payment, fingerprint } = purchase;
    const { key, headerSha256 } = payment;
    const running = this.#inFlight.get(key);
    if (running !== undefined) {
      const isSame = running.headerSha256 === headerSha256 || !running.isSettling;
      return running.fingerprint === fingerprint && isSame ? this.#joined(running, payment) : boundToOther();
    }
    return this.#inFlight.run(key, { fingerprint, headerSha256 }, (own) => this.#work(attempt, purchase, own));
  }

  async #work(attempt: PaymentAttempt, purchase: Purchase, running: Running): Promise<GateAnswer> {
    const { row, call, asking, idempotencyKey } = attempt;
    const { payment, fingerprint, input, settlement } = purchase;
    const { ledger, clock, terms, chainInstance, logFault } = this.#options;
    const { requirements } = payment;
    const resourceUrl = asking.challenger.resourceUrl(call.url);
    const reserved = await ledger.reserve({
      id: payment.key,
      network: terms.network,
      asset: terms.asset.toLowerCase(),
      payer: payment.payer,
      nonce: payment.nonce,
      fingerprint,
      operationId: row.operation.operationId,
      amountAtomic: Number(requirements.amount),
      payTo: terms.payTo.toLowerCase(),
      payload: storedPayload(payment, resourceUrl),
      idemHash: idempotencyKey === undefined ? null : idempotencyHash(idempotencyKey),
      paymentId: payment.paymentId,
      headerSha256: payment.headerSha256,
      validBeforeSeconds: payment.validBeforeSeconds,
      chainInstance,
    });
    switch (reserved.type) {
      case 'reserved': {
        const run = { row, call, asking, payment, input, ...reserved };
        return runReserved({ ledger, clock, logFault, ...settlement }, run, running);
      }
      case 'known':
        return this.#known(reserved.record, payment, attempt, false);
      case 'key_taken': {
        const answer = await this.#answerOfKey(reserved.record, payment, attempt);
        return answer === 'new' ? sayPending(reserved.record) : answer;
      }
      case 'name_taken':
        return this.#answerOfName(reserved.record, payment, attempt);
    }
  }

  /**
   * A row of the same authorization. From the settlement on the authorization is public, so only the very bytes that
   * came first open the answer, and nobody can test which request they were for.
   */
  async #known(
    record: PaymentRecord,
    payment: SentPayment,
    attempt: PaymentAttempt,
    mayJoin = true,
  ): Promise<GateAnswer> {
    const { fingerprint, asking } = attempt;
    if (record.fingerprint !== fingerprint) return boundToOther();
    const isPublic = record.state !== 'reserved' && record.state !== 'released';
    const isIdentical = record.headerSha256 === payment.headerSha256;
    const isRebuildable = !payment.holdsSecret && asking.nowSeconds >= payment.validBeforeSeconds;
    if (isPublic && (!isIdentical || isRebuildable)) return boundToOther();
    const decided = await this.#decided(record, mayJoin);
    return 'answer' in decided ? decided : answerOf(decided, asking, true);
  }

  async #answerOfKey(
    record: PaymentRecord,
    payment: SentPayment,
    attempt: PaymentAttempt,
  ): Promise<GateAnswer | 'new'> {
    const isSame = record.payer === payment.payer && record.fingerprint === attempt.fingerprint;
    if (!isSame)
      return refuse(
        problems.idempotencyConflict,
        'This Idempotency-Key belongs to a different request or payer. Use a new one.',
      );
    return record.id === payment.key ? 'new' : this.#answerOfOther(record, attempt.asking);
  }

  async #answerOfName(record: PaymentRecord, payment: SentPayment, attempt: PaymentAttempt): Promise<GateAnswer> {
    const isSame = record.payer === payment.payer && record.fingerprint === attempt.fingerprint;
    if (!isSame)
      return refuse(
        problems.paymentIdConflict,
        'The payment id belongs to a different request or payer. Use a new one.',
      );
    const answer = await this.#answerOfOther(record, attempt.asking);
    return answer === 'new' ? sayPending(record) : answer;
  }

  /** The answer of a row that a name opens; `new` when it turns out to have sold nothing. */
  async #answerOfOther(record: PaymentRecord, asking: Asking): Promise<GateAnswer | 'new'> {
    const decided = await this.#decided(record, true);
    if ('answer' in decided) return decided;
    const hasSold = decided.state !== 'released' && decided.state !== 'failed';
    return hasSold ? answerOf(decided, asking, true) : 'new';
  }

  /** The row once nobody works on it any more, as far as that can be waited for. */
  async #decided(record: PaymentRecord, mayJoin: boolean): Promise<PaymentRecord | GateAnswer> {
    const running = mayJoin ? this.#inFlight.get(record.id) : undefined;
    if (running !== undefined) return this.#joined(running, record);
    const { ledger, settlement } = this.#options;
    let current = record;
    for (let polls = 0; isBusy(current) && polls < this.#joinMs / POLL_MS; polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      current = (await ledger.byId(record.id)) ?? { ...record, state: 'released' };
    }
    if (current.state !== 'unknown' || settlement === undefined) return current;
    return (await within(settlement.reconciler.decide(current), this.#lookMs)) ?? current;
  }

  async #joined(running: Running, payment: Pick<PaymentRecord, 'nonce'>): Promise<GateAnswer> {
    const answer = await within(running.answer, this.#joinMs);
    return answer === undefined ? sayPending({ nonce: payment.nonce, transaction: null }) : asReplay(answer);
  }
}

function isBusy({ state }: PaymentRecord): boolean {
  return state === 'reserved' || state === 'settling';
}

function isTaken(record: PaymentRecord | undefined): boolean {
  return record !== undefined && record.state !== 'released' && record.state !== 'failed';
}

function boundToOther(): GateAnswer {
  return refuse(
    problems.paymentBoundToOtherRequest,
    'The authorization belongs to a different request. Repeat that request, or sign a new payment.',
    null,
  );
}

/** What the payment is bound to: the request as it was decoded, before any default. */
function fingerprintOf({ operation }: PaidRow<Step>, call: GatedCall): string | Refusal {
  const query = call.query();
  if (query instanceof Refusal) return query;
  const isHttp = call.url.startsWith('/');
  return requestFingerprint(
    isHttp ? { method: 'GET', path: operation.path, query } : { method: 'tools/call', path: call.url, query },
  );
}
