import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { askBounded, type BoundedAnswer } from '#platform/outbound/bounded-ask.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import { BAZAAR } from '#protocol/payment/extension.ts';
import { type ListingAnswer, listingAnswer } from '#protocol/payment/extension-responses.ts';
import { type Hex, isBytes32 } from '#protocol/payment/hex.ts';
import { isPaymentReason, type PaymentReason } from '#protocol/payment/reason.ts';
import { type PaymentPayload, SettleResponse } from '#protocol/payment/wire.ts';
import type { ChainReads, SlowVerdict } from './chain-reads.ts';
import {
  ChainUnavailableError,
  type OnChain,
  type PayerFacts,
  type PaymentKey,
  type Reconciliation,
  type Settleable,
  type Settlement,
  type SettlementBackend,
} from './settlement.ts';
import { SettlementRefusedError } from './settlement-guards.ts';

const TIMEOUT_MS = 20_000;
/** Tokens live two minutes: further apart, two clocks disagree about them. */
const CLOCK_TOLERANCE_SECONDS = 60;
const REFUSES_CREDENTIAL: ReadonlySet<number> = new Set([401, 403]);
const TOO_MANY_REQUESTS = 429;
const SILENT = 'the facilitator does not respond';
const REFUSED_CREDENTIAL = 'the facilitator refuses the credential';
const MAX_BYTES = 1_000_000;

/** Reasons that speak of the payment itself: with one of these nothing was sent. Every other one leaves it open. */
const REFUSED_FOR_WHAT_IT_IS: ReadonlySet<PaymentReason> = new Set<PaymentReason>([
  'invalid_exact_evm_signature',
  'invalid_exact_evm_failed_to_parse_signature',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_insufficient_balance',
  'insufficient_funds',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
]);

const Supported = z.object({
  kinds: z.array(z.object({ x402Version: z.unknown(), scheme: z.unknown(), network: z.unknown() })),
});

export interface FacilitatorOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly network: string;
  readonly reads: ChainReads;
  readonly clock: Clock;
  /** The Authorization header, asked for before each call: some take one for this method and address only. */
  readonly authorization: ((method: 'GET' | 'POST', url: string) => string) | null;
  /** What its catalogue did with the call that was paid. */
  readonly onListing?: (operationId: string, answer: ListingAnswer) => void;
  readonly pollEveryMs: number;
  readonly timeoutMs?: number;
}

/** Lets a facilitator send the transaction, and believes only what the chain then shows. */
export class FacilitatorBackend implements SettlementBackend {
  readonly name = 'facilitator';
  readonly #options: FacilitatorOptions;
  readonly #running = new Map<PaymentKey, Promise<Settlement>>();
  #fault: string | null = null;

  constructor(options: FacilitatorOptions) {
    this.#options = options;
  }

  payerFacts(authorization: TransferAuthorization): Promise<PayerFacts> {
    return this.#options.reads.payerFacts(authorization);
  }

  settle(payment: Settleable): Promise<Settlement> {
    const running = this.#running.get(payment.key);
    if (running !== undefined) return running;
    const settled = this.#settle(payment)
      .catch((): Settlement => ({ outcome: 'unknown', transaction: null }))
      .finally(() => this.#running.delete(payment.key));
    this.#running.set(payment.key, settled);
    return settled;
  }

  reconcile({ authorization }: Settleable): Promise<Reconciliation> {
    return this.#options.reads.reconcile(authorization);
  }

  verifySlow(payment: Settleable): Promise<SlowVerdict> {
    return this.#options.reads.verifySlow(payment);
  }

  /** Who sends and what is believed: without either no payment is taken. */
  async probe(): Promise<void> {
    await Promise.all([this.requireSupport(), this.#options.reads.domainSeparator()]);
  }

  status(): ReturnType<SettlementBackend['status']> {
    return this.#fault === null ? { state: 'up', detail: null } : { state: 'degraded', detail: this.#fault };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /**
   * Throws SettlementRefusedError when the facilitator does not settle on this network. Gives by how many seconds the
   * clock here is ahead of the facilitator's; null where it does not say.
   */
  async requireSupport(): Promise<number | null> {
    const answer = await this.#ask('supported', undefined, this.#deadline()).catch((error: unknown) => {
      throw new ChainUnavailableError(SILENT, { cause: error });
    });
    if (answer.status >= 500 || answer.status === TOO_MANY_REQUESTS) throw new ChainUnavailableError(SILENT);
    const aheadSeconds = this.#aheadOf(answer);
    if (REFUSES_CREDENTIAL.has(answer.status)) {
      const clocks = clockFault(aheadSeconds) ?? 'check its key and the clock';
      throw new SettlementRefusedError(`${REFUSED_CREDENTIAL} (${answer.status}): ${clocks}`);
    }
    const supported = Supported.safeParse(jsonIn(answer)); // attacker-controlled
    if (!supported.success) throw new ChainUnavailableError(faultOf(answer));
    const isSupported = supported.data.kinds.some(
      ({ x402Version, scheme, network }) =>
        x402Version === 2 && scheme === 'exact' && network === this.#options.network,
    );
    if (isSupported) return aheadSeconds;
    throw new SettlementRefusedError(`the facilitator does not settle exact payments on ${this.#options.network}`);
  }

  async #settle(payment: Settleable): Promise<Settlement> {
    const deadlineMs = this.#deadline();
    let answer = await this.#settleOnce(payment, deadlineMs);
    let { mayBeSent = false } = payment;
    let pending: Hex | null = null;
    if (answer?.success === false && answer.errorReason === 'settlement_pending') {
      mayBeSent = true;
      pending = transactionIn(answer);
      answer = await this.#settleOnce(payment, deadlineMs);
    }
    const transaction = transactionIn(answer) ?? pending;
    if (answer?.success === true && answer.network === payment.requirements.network && transaction !== null) {
      const place = await this.#seen(transaction, payment.authorization, deadlineMs);
      if (place !== undefined) return { outcome: 'confirmed', ...place };
    }
    const reason = answer?.success === false ? answer.errorReason : undefined;
    if (!mayBeSent && reason !== undefined && isPaymentReason(reason) && REFUSED_FOR_WHAT_IT_IS.has(reason)) {
      if (!(await this.#options.reads.isUsed(payment.authorization))) return { outcome: 'failed', reason };
    }
    return { outcome: 'unknown', transaction };
  }

  /** Undefined for every answer that is not one of settle: then nothing is known. */
  async #settleOnce(payment: Settleable, deadlineMs: number): Promise<SettleResponse | undefined> {
    const { requirements, listing } = payment;
    const body = JSON.stringify({
      x402Version: 2,
      paymentPayload: listedPayload(payment),
      paymentRequirements: requirements,
    });
    try {
      const answer = await this.#ask('settle', body, deadlineMs);
      if (answer.status >= 500) throw new Error(`the facilitator answers ${answer.status}`);
      const settled = SettleResponse.safeParse(jsonIn(answer)); // attacker-controlled
      this.#fault = settled.success ? null : faultOf(answer);
      const listed = listingAnswer(answer.header('extension-responses'));
      if (listing !== undefined && listed !== undefined) this.#options.onListing?.(listing.operationId, listed);
      return settled.data;
    } catch {
      this.#fault = SILENT;
      return undefined;
    }
  }

  /** A transaction that a facilitator names may not be visible yet; what is not seen in time stays open. */
  async #seen(
    transaction: Hex,
    authorization: TransferAuthorization,
    deadlineMs: number,
  ): Promise<OnChain | undefined> {
    const { reads, clock, pollEveryMs } = this.#options;
    while (true) {
      const place = await reads.paidIn(transaction, authorization).catch(() => undefined);
      if (place !== undefined || clock.monotonicMs() + pollEveryMs > deadlineMs) return place;
      await pause(pollEveryMs);
    }
  }

  #ask(path: 'settle' | 'supported', body: string | undefined, deadlineMs: number): Promise<BoundedAnswer> {
    const { authorization, clock } = this.#options;
    const url = `${this.#options.url}/${path}`;
    const method = body === undefined ? 'GET' : 'POST';
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization: authorization(method, url) }),
    };
    const timeoutMs = Math.max(1, Math.ceil(deadlineMs - clock.monotonicMs()));
    return askBounded(url, { headers, body }, { timeoutMs, maxBytes: MAX_BYTES });
  }

  #aheadOf(answer: BoundedAnswer): number | null {
    const theirs = Date.parse(answer.header('date') ?? '');
    return Number.isNaN(theirs) ? null : Math.round((this.#options.clock.now() - theirs) / 1000);
  }

  #deadline(): number {
    return this.#options.clock.monotonicMs() + (this.#options.timeoutMs ?? TIMEOUT_MS);
  }
}

function transactionIn(answer: SettleResponse | undefined): Hex | null {
  return answer !== undefined && isBytes32(answer.transaction) ? answer.transaction : null;
}

/** Catalogues read what the client echoed; where it left that out, ours is put in. The payer signs neither. */
function listedPayload({ payload, listing }: Settleable): PaymentPayload {
  const { extensions = {} } = payload;
  if (listing === undefined || Object.hasOwn(extensions, BAZAAR)) return payload;
  return { ...payload, extensions: { ...extensions, [BAZAAR]: listing.bazaar } };
}

/** Null where both clocks agree well enough, or the facilitator's is not known. */
export function clockFault(aheadSeconds: number | null): string | null {
  if (aheadSeconds === null || Math.abs(aheadSeconds) <= CLOCK_TOLERANCE_SECONDS) return null;
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return `the clock here is ${Math.abs(aheadSeconds)} seconds ${side} the facilitator's`;
}

function faultOf({ status }: BoundedAnswer): string {
  return REFUSES_CREDENTIAL.has(status)
    ? `${REFUSED_CREDENTIAL} (${status})`
    : 'the facilitator sends a response that is not x402';
}

function jsonIn({ text }: BoundedAnswer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
