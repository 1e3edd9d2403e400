import { MINUTE_MS } from '#kernel/clock.ts';
import { type Breaker, breakerState } from './breaker.ts';

type BreakerState = ReturnType<typeof breakerState>;

/** A part of a register that can fail alone, as a member state of VIES. */
interface LaneHealth {
  readonly id: string;
  readonly breaker: BreakerState;
  /** Share of gets that ended in an answer; null without traffic. */
  readonly success60m: number | null;
}

/** Which list is in use. */
export interface ListState {
  /** ISO 8601 calendar date, as the list says it. */
  readonly generated: string;
  readonly ageHours: number;
  readonly entities: number;
  readonly names: number;
  /** Of the file as it came. */
  readonly sha256: string;
}

export interface RegisterHealth {
  readonly status: 'up' | 'degraded' | 'down';
  readonly breaker: BreakerState;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly success5m: number | null;
  readonly success60m: number | null;
  readonly lastSuccessMs: number | null;
  readonly lanes: readonly LaneHealth[];
  /** Of the register that is a list. */
  readonly list?: ListState | null;
}

interface Get {
  readonly lane: string;
  readonly answered: boolean;
  readonly latencyMs: number;
  readonly nowMs: number;
  /** The register refuses our credentials or address. */
  readonly isConfigFault: boolean;
}

const KEPT_GETS = 1_000;

/** How a register has been, from real traffic: one that was not asked counts as up. */
export class HealthRecord {
  readonly #gets: Get[] = [];
  #lastSuccessMs: number | null = null;

  record(get: Get): void {
    this.#gets.push(get);
    if (this.#gets.length > KEPT_GETS) this.#gets.shift();
    if (get.answered) this.#lastSuccessMs = get.nowMs;
  }

  read(lanes: ReadonlyMap<string, Breaker>, now: { nowMs: number; monotonicMs: number }): RegisterHealth {
    const lastHour = this.#gets.filter(({ nowMs }) => now.nowMs - nowMs <= 60 * MINUTE_MS);
    const latencies = lastHour.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(latencies[Math.floor((latencies.length - 1) * share)] as number);
    const states = [...lanes].map(([id, breaker]): LaneHealth => {
      const success60m = successOf(lastHour.filter(({ lane }) => lane === id));
      return { id, breaker: breakerState(breaker, now.monotonicMs), success60m };
    });
    const shut = states.filter(({ breaker }) => breaker !== 'closed');
    const isShut = shut.length > 0 && shut.length === states.length;
    const isHurt = shut.length > 0 || this.#gets.at(-1)?.isConfigFault === true;
    return {
      status: isShut ? 'down' : isHurt ? 'degraded' : 'up',
      breaker: isShut ? (shut.find(({ breaker }) => breaker === 'open') ? 'open' : 'half_open') : 'closed',
      p50Ms: latencies.length === 0 ? null : at(0.5),
      p95Ms: latencies.length === 0 ? null : at(0.95),
      success5m: successOf(lastHour.filter(({ nowMs }) => now.nowMs - nowMs <= 5 * MINUTE_MS)),
      success60m: successOf(lastHour),
      lastSuccessMs: this.#lastSuccessMs,
      lanes: states,
    };
  }
}

function successOf(gets: readonly Get[]): number | null {
  if (gets.length === 0) return null;
  return Math.round((gets.filter(({ answered }) => answered).length / gets.length) * 1_000) / 1_000;
}
