// What the callers of one service saw: how long calls took, how long writes stood still, which answers came.
import type { Answer } from '../support/client.ts';
import { NO_ANSWER } from '../support/journal.ts';
import { outcomeOf } from '../support/load.ts';
import { PROCESSES_HUNG_MS, unlessHung } from '../support/until.ts';

const SLOW_MS = 12_000;

export interface ServiceFigures {
  readonly service: string;
  readonly answers: Readonly<Record<string, number>>;
  readonly slowest_s: number;
  readonly slow: number;
  /** Where it was not cut off: the longest time without an acknowledged write. */
  readonly longest_pause_s: number;
  readonly write_ms: { readonly p50: number; readonly p99: number };
}

export class Meter {
  readonly #answers = new Map<string, number>();
  readonly #writes: { readonly atMs: number; readonly ms: number }[] = [];
  readonly #waiting = new Set<() => void>();
  #slowest = { ms: 0, what: '' };
  #slow = 0;

  async measure(what: string, isWrite: boolean, call: () => Promise<Answer>): Promise<Answer | undefined> {
    const startedMs = performance.now();
    const answer = await call().catch(() => undefined);
    const endedMs = performance.now();
    const ms = endedMs - startedMs;
    const outcome = answer === undefined ? NO_ANSWER : outcomeOf(answer);
    this.#answers.set(outcome, (this.#answers.get(outcome) ?? 0) + 1);
    if (ms > SLOW_MS) this.#slow += 1;
    if (ms > this.#slowest.ms) this.#slowest = { ms, what: `${what}, ${outcome}` };
    if (isWrite && (answer?.status === 200 || answer?.status === 201)) {
      this.#writes.push({ atMs: endedMs, ms });
      for (const resolve of this.#waiting) resolve();
    }
    return answer;
  }

  /** Resolves when a write that was sent from now on, or any later one, may have been acknowledged. */
  async nextWrite(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await unlessHung('a write that is acknowledged', promise, PROCESSES_HUNG_MS);
    this.#waiting.delete(resolve);
  }

  /** The longest time between two acknowledged writes since then, the last one before it included. */
  longestPauseMs(sinceMs: number): number {
    const last = this.#writes.findLastIndex(({ atMs }) => atMs <= sinceMs);
    const times = this.#writes.slice(Math.max(0, last)).map(({ atMs }) => atMs);
    return times.reduce((longest, atMs, index) => Math.max(longest, atMs - (times[index - 1] ?? atMs)), 0);
  }

  /** How long acknowledged writes took that were answered since then. */
  writeMs(sinceMs = 0): { p50: number; p99: number } {
    const since = this.#writes.filter(({ atMs }) => atMs > sinceMs);
    const sorted = since.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    return { p50: at(0.5), p99: at(0.99) };
  }

  /** A sentence about calls that got no answer. */
  violations(service: string): string[] {
    const cut = this.#answers.get(NO_ANSWER) ?? 0;
    return cut === 0 ? [] : [`${service}: ${cut} calls got no answer`];
  }

  /** A sentence about calls that took longer than anybody should have to wait. */
  late(service: string): string[] {
    const { ms, what } = this.#slowest;
    if (this.#slow === 0) return [];
    return [`${service}: ${this.#slow} calls took over 12 s, the slowest ${seconds(ms)} s (${what})`];
  }

  figures(service: string): ServiceFigures {
    return {
      service,
      answers: Object.fromEntries(this.#answers),
      slowest_s: seconds(this.#slowest.ms),
      slow: this.#slow,
      longest_pause_s: seconds(this.longestPauseMs(0)),
      write_ms: this.writeMs(),
    };
  }
}

export function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
