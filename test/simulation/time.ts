// Virtual time and seeded chance: timers of the process run on a queue of moments, and nothing waits for the machine.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { randomBytes as drawnBytes } from '#kernel/ids.ts';
import { seededRandom } from '../support/random.ts';

interface Moment {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | undefined;
}

const realImmediate = globalThis.setImmediate;
const POOL_BYTES = 4096;

/** A queue of moments. Two at the same time come in the order in which they were asked for. */
export class VirtualTime {
  #nowMs: number;
  #order = 0;
  readonly #heap: Moment[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  readonly now = (): number => this.#nowMs;

  readonly sleep = (ms: number): Promise<void> => new Promise((resolve) => void this.after(ms, resolve));

  after(ms: number, run: () => void): Moment {
    const moment = { atMs: this.#nowMs + Math.max(0, Math.round(ms)), order: (this.#order += 1), run };
    this.#push(moment);
    return moment;
  }

  /** Lives through everything that is due up to a moment, and until nobody has work left that needs no time. */
  async runUntil(endMs: number): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= endMs; next = this.#heap[0]) {
      this.#pop();
      if (next.run === undefined) continue;
      this.#nowMs = next.atMs;
      next.run();
      await new Promise<void>((resolve) => realImmediate(resolve));
    }
    this.#nowMs = endMs;
  }

  #push(moment: Moment): void {
    const heap = this.#heap;
    let at = heap.push(moment) - 1;
    for (let up = (at - 1) >> 1; at > 0 && isBefore(moment, heap[up] as Moment); up = (at - 1) >> 1) {
      heap[at] = heap[up] as Moment;
      at = up;
    }
    heap[at] = moment;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Moment;
    if (heap.length === 0) return;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Moment, heap[down] as Moment)) down += 1;
      if (!isBefore(heap[down] as Moment, last)) break;
      heap[at] = heap[down] as Moment;
      at = down;
    }
    heap[at] = last;
  }
}

function isBefore(a: Moment, b: Moment): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/** Draws of one kind of chance; a source of its own for each, so that one more draw here moves nothing there. */
export class Chance {
  readonly draw: () => number;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.draw = seededRandom(seed);
  }

  of(name: string): Chance {
    return new Chance(Number.parseInt(crypto.hash('sha256', `${this.#seed} ${name}`, 'hex').slice(0, 8), 16));
  }

  happens(share: number): boolean {
    return this.draw() < share;
  }

  below(count: number): number {
    return Math.floor(this.draw() * count);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Between two lengths of time, each order of magnitude as often as the next. */
  span(leastMs: number, mostMs: number): number {
    return Math.round(leastMs * (mostMs / leastMs) ** this.draw());
  }

  /** By weight. */
  among<T extends string>(weights: Readonly<Record<T, number>>): T {
    const names = Object.keys(weights) as T[];
    let left = this.draw() * names.reduce((sum, name) => sum + weights[name], 0);
    return names.find((name) => (left -= weights[name]) < 0) ?? (names[0] as T);
  }
}

/** Puts timers and random bytes of the whole process on virtual time and a seed, until it is disposed. */
export function takeOver(time: VirtualTime, chance: Chance): Disposable {
  const { setTimeout, clearTimeout, setImmediate } = globalThis;
  const { randomFillSync, randomBytes } = crypto;
  const sleepBefore = timers.setTimeout;
  const { draw } = chance.of('bytes');
  const fill = <T extends Uint8Array>(bytes: T): T => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = draw() * 256;
    return bytes;
  };
  const later = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const moment = time.after(ms, () => run(...args));
    return Object.assign(moment, { ref: () => moment, unref: () => moment });
  };
  const replaced = {
    setTimeout: later,
    clearTimeout: (moment: Moment | undefined) => void (moment !== undefined && (moment.run = undefined)),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => later(run, 0, ...args),
  };
  Object.assign(globalThis, replaced);
  Object.assign(crypto, { randomFillSync: fill, randomBytes: (count: number) => fill(Buffer.alloc(count)) });
  Object.assign(timers, { setTimeout: (ms: number) => time.sleep(ms) });
  syncBuiltinESMExports();
  // What the pool holds was drawn before.
  drawnBytes(POOL_BYTES);
  return {
    [Symbol.dispose]() {
      Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate });
      Object.assign(crypto, { randomFillSync, randomBytes });
      Object.assign(timers, { setTimeout: sleepBefore });
      syncBuiltinESMExports();
      drawnBytes(POOL_BYTES);
    },
  };
}
