import { NewestMap } from '#kernel/newest-map.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { LightAnswer } from './look-operations.ts';
import { probePrice } from './probe-price.ts';

type ProbeAnswer = NonNullable<LightAnswer['probe']>;

/** What one guarded GET of an address that a caller chose gave; whoever makes it keeps it from inner networks. */
export type GuardedGet = (url: string) => Promise<
  | {
      readonly state: 'answered';
      readonly status: number;
      readonly latencyMs: number;
      header(name: string): string | undefined;
      readonly body: Uint8Array;
      readonly truncated: boolean;
    }
  | { readonly state: 'blocked' | 'failed'; readonly reason: string }
>;

interface Kept {
  readonly atMs: number;
  readonly answer: Promise<ProbeAnswer>;
}

const RETENTION_MS = 60_000;
const PER_HOST_MS = 10_000;
const MAX_AT_ONCE = 10;
const MAX_KEPT = 10_000;

const NOTHING = { alive: null, status: null, latency_ms: null, redirect: null, truncated: null, x402: null } as const;

/** Probes of keys, so few that nobody can use the service against others: per key, per host and at once. */
export class KeyProbes {
  readonly #get: GuardedGet;
  readonly #clock: Clock;
  readonly #kept = new NewestMap<string, Kept>(MAX_KEPT);
  readonly #hosts = new NewestMap<string, number>(MAX_KEPT);
  #underWay = 0;

  constructor(get: GuardedGet, clock: Clock) {
    this.#get = get;
    this.#clock = clock;
  }

  /** The answer of the last minute, or a new one. `mayAsk` is false for a load that its user did not ask for. */
  async probe(key: string, mayAsk: boolean): Promise<ProbeAnswer> {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#kept.get(key);
    if (known !== undefined && nowMs - known.atMs < RETENTION_MS) return { ...(await known.answer), cached: true };
    const host = URL.parse(key)?.host ?? '';
    const hostAtMs = this.#hosts.get(host);
    const isHostBusy = host !== '' && hostAtMs !== undefined && nowMs - hostAtMs < PER_HOST_MS;
    if (!mayAsk || isHostBusy || this.#underWay >= MAX_AT_ONCE) {
      if (known !== undefined) return { ...(await known.answer), cached: true };
      return { state: 'busy', ...NOTHING, reason: null, checked_at: this.#at(), cached: false };
    }
    if (host !== '') this.#hosts.set(host, nowMs);
    const answer = this.#ask(key);
    this.#kept.set(key, { atMs: nowMs, answer });
    return answer;
  }

  async #ask(key: string): Promise<ProbeAnswer> {
    this.#underWay += 1;
    try {
      const got = await this.#get(key);
      const moment = { checked_at: this.#at(), cached: false };
      if (got.state !== 'answered') {
        const alive = got.state === 'failed' ? false : null;
        return { state: got.state, ...NOTHING, alive, reason: got.reason, ...moment };
      }
      const { status, latencyMs, truncated } = got;
      return {
        state: 'answered',
        alive: true,
        status,
        latency_ms: Math.round(latencyMs),
        redirect: status >= 300 && status < 400,
        truncated,
        x402: status === 402 ? probePrice(got.header('payment-required'), got.body) : null,
        reason: null,
        ...moment,
      };
    } finally {
      this.#underWay -= 1;
    }
  }

  #at(): string {
    return isoTime(this.#clock.now());
  }
}
