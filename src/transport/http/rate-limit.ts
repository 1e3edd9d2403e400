import type { RateClass } from '#kernel/operation.ts';
import { type RateFigures, ratePolicy } from '#kernel/rate-policy.ts';

export interface RateOutcome {
  readonly accepted: boolean;
  readonly remaining: number;
  /** Seconds until the whole burst is there again. */
  readonly resetSeconds: number;
  /** Seconds until the next call is accepted; 0 when this one was. */
  readonly retryAfterSeconds: number;
}

const MAX_KEYS = 200_000;
const MICROS = 1_000_000;
/** How many times as many calls one address may make together while known agents sign them. */
export const SIGNED_FACTOR = 4;

/**
 * GCRA: one number per caller, the theoretical arrival time in whole microseconds (floats would be off by one).
 * Callers least recently accepted are forgotten first.
 */
export class RateLimiter {
  readonly policy: string;
  readonly #name: RateClass;
  readonly #figures: RateFigures;
  readonly #arrivals = new Map<string, number>();
  #intervalUs = 0;
  #toleranceUs = 0;
  #burst = 0;

  constructor(name: RateClass, figures: RateFigures) {
    this.#name = name;
    this.#figures = figures;
    this.policy = ratePolicy(name, figures);
    this.share(1);
  }

  /** Works with one part of the figures, so that they hold over that many processes together. */
  share(processes: number): void {
    const { calls, perSeconds, burst } = this.#figures;
    this.#intervalUs = Math.max(1, Math.round((perSeconds * MICROS * processes) / calls));
    this.#burst = Math.max(1, Math.floor(burst / processes));
    this.#toleranceUs = this.#intervalUs * (this.#burst - 1);
  }

  /** How many calls this process takes of one caller at once. */
  get burst(): number {
    return this.#burst;
  }

  take(caller: string, monotonicMs: number, cost = 1): RateOutcome {
    const nowUs = Math.floor(monotonicMs * 1_000);
    const stored = this.#arrivals.get(caller);
    const arrivalUs = stored === undefined || stored < nowUs ? nowUs : stored;
    const nextUs = arrivalUs + Math.ceil(this.#intervalUs * cost);
    const earliestUs = nextUs - this.#toleranceUs - this.#intervalUs;
    if (nowUs < earliestUs) {
      return {
        accepted: false,
        remaining: 0,
        resetSeconds: Math.ceil((arrivalUs - nowUs) / MICROS),
        retryAfterSeconds: Math.max(1, Math.ceil((earliestUs - nowUs) / MICROS)),
      };
    }
    if (stored !== undefined) this.#arrivals.delete(caller);
    else if (this.#arrivals.size >= MAX_KEYS) this.#arrivals.delete(this.#arrivals.keys().next().value as string);
    this.#arrivals.set(caller, nextUs);
    return {
      accepted: true,
      remaining: Math.floor((this.#toleranceUs + this.#intervalUs - (nextUs - nowUs)) / this.#intervalUs),
      resetSeconds: Math.ceil((nextUs - nowUs) / MICROS),
      retryAfterSeconds: 0,
    };
  }

  /** Counts a call that was answered although it came too soon: for at most one more burst, so that others follow soon. */
  charge(caller: string, monotonicMs: number): void {
    const nowUs = Math.floor(monotonicMs * 1_000);
    const arrivalUs = Math.max(nowUs, this.#arrivals.get(caller) ?? nowUs);
    const mostUs = nowUs + 2 * (this.#toleranceUs + this.#intervalUs);
    this.#arrivals.set(caller, Math.max(arrivalUs, Math.min(arrivalUs + this.#intervalUs, mostUs)));
  }

  /**
   * A signed call counts for its agent in full and for its address in part. What is too much for the agent is counted as
   * if it were not signed: new names cost nothing, so that no signature replaces the limit of an address.
   */
  takeSigned(
    { agent, address }: { readonly agent: string; readonly address: string },
    monotonicMs: number,
    cost = 1,
  ): RateOutcome {
    const isWithin = this.take(agent, monotonicMs, cost).accepted;
    const outcome = isWithin ? this.take(address, monotonicMs, cost / SIGNED_FACTOR) : undefined;
    return outcome?.accepted ? outcome : this.take(address, monotonicMs, cost);
  }

  /** The RateLimit header of an outcome (draft-ietf-httpapi-ratelimit-headers). */
  header(outcome: RateOutcome): string {
    return `"${this.#name}";r=${outcome.remaining};t=${outcome.resetSeconds}`;
  }
}
