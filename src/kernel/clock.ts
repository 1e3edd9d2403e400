import { lazily } from './lazily.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Clock {
  /** Integer milliseconds since the epoch. Never goes back; follows wall time without jumping. */
  now(): number;
  /** Milliseconds from an arbitrary start, for durations and rate limits. */
  monotonicMs(): number;
}

/**
 * Largest share of elapsed time by which a clock is corrected. Within a second of wall time the limit is NTP's own,
 * 500 ppm. Beyond it (a stepped clock, a machine that slept) 5 %: an hour is made good in 20 hours, and a holder who
 * refreshes at half of a lease is still far from losing it.
 */
const SMALL_ERROR_MS = 1000;
const SMALL_SLEW = 500e-6;
export const MAX_SLEW = 0.05;

/** Wall time is compared at most this often: between two comparisons time is the monotonic clock alone. */
const COMPARE_EVERY_MS = 1;

/** Turns readings of a monotonic clock into wall time that starts right, never goes back and never jumps. */
export class SlewedTime {
  readonly #startWallMs: number;
  readonly #startMonotonicMs: number;
  #comparedAtMs: number;
  // Kept apart from the start: added to an epoch time, a correction below 0.0002 ms would be lost to rounding.
  #correctionMs = 0;
  #elapsedMs = 0;

  constructor(wallMs: number, monotonicMs: number) {
    this.#startWallMs = Math.floor(wallMs);
    this.#startMonotonicMs = monotonicMs;
    this.#comparedAtMs = monotonicMs;
  }

  /** Returns the time at a monotonic reading; `readWallMs` is called only when a comparison is due. */
  at(monotonicMs: number, readWallMs: () => number): number {
    const sinceComparedMs = monotonicMs - this.#comparedAtMs;
    if (sinceComparedMs >= COMPARE_EVERY_MS) {
      const uncorrectedMs = this.#startWallMs + (monotonicMs - this.#startMonotonicMs) + this.#correctionMs;
      this.#correctionMs += slew(readWallMs() - uncorrectedMs, sinceComparedMs);
      this.#comparedAtMs = monotonicMs;
    }
    const elapsedMs = Math.floor(monotonicMs - this.#startMonotonicMs + this.#correctionMs);
    if (elapsedMs > this.#elapsedMs) this.#elapsedMs = elapsedMs;
    return this.#startWallMs + this.#elapsedMs;
  }
}

function slew(errorMs: number, elapsedMs: number): number {
  const limitMs = elapsedMs * (Math.abs(errorMs) <= SMALL_ERROR_MS ? SMALL_SLEW : MAX_SLEW);
  return Math.max(-limitMs, Math.min(limitMs, errorMs));
}

/** Returns the clock of this process, which starts at wall time. */
export function systemClock(): Clock {
  const time = new SlewedTime(Date.now(), performance.now());
  return {
    now: () => time.at(performance.now(), Date.now),
    monotonicMs: () => performance.now(),
  };
}

/** A clock that stands still until it is moved by hand. */
export class ManualClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = integer(startMs);
  }

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** Lets time pass on both clocks. */
  advance(byMs: number): void {
    if (byMs < 0) throw new RangeError('time does not go back; jump() is for testing what happens when it does');
    this.#nowMs += integer(byMs);
    this.#monotonicMs += byMs;
  }

  /** Lets time pass until a moment. */
  set(toMs: number): void {
    this.advance(toMs - this.#nowMs);
  }

  /** Moves wall time either way while no time passes: the fault that users of a clock must survive. */
  jump(toMs: number): void {
    this.#nowMs = integer(toMs);
  }
}

function integer(ms: number): number {
  if (!Number.isSafeInteger(ms)) throw new RangeError(`not a whole number of milliseconds: ${ms}`);
  return ms;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const MIDNIGHT = '00:00:00.000Z';

let isoOfMs = Number.NaN;
let isoText = '';
let dayOfText = Number.NaN;
let dayText = '';

/**
 * Returns ISO 8601 in UTC with milliseconds. All answers of one batch share a time, so the last text is kept; most others
 * are of the same day, whose text is kept too, since a Date takes four times as long.
 */
export function isoTime(ms: number): string {
  if (ms !== isoOfMs) {
    isoText = isoTextOf(Math.trunc(ms));
    isoOfMs = ms;
  }
  return isoText;
}

function isoTextOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== dayOfText) {
    dayText = new Date(day * DAY_MS).toISOString().slice(0, -MIDNIGHT.length);
    dayOfText = day;
  }
  const ofDay = ms - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const [hour, minute, second] = [
    TWO_DIGITS[Math.floor(minutes / 60)],
    TWO_DIGITS[minutes % 60],
    TWO_DIGITS[seconds % 60],
  ];
  return `${dayText}${hour}:${minute}:${second}.${String(ofDay % 1_000).padStart(3, '0')}Z`;
}

/** Returns the UTC day as YYYY-MM-DD. */
export function utcDay(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

// The tables of languages and time zones take 30 ms and some MiB.
const amsterdam = lazily(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam', dateStyle: 'short' }));

/** Returns the day in the Netherlands as YYYY-MM-DD. */
export function dutchDate(ms: number): string {
  return amsterdam().format(ms);
}

/** Returns the day in the Netherlands as YYYYMMDD, as Dutch registers write days. */
export function dutchDay(ms: number): string {
  return dutchDate(ms).replaceAll('-', '');
}
