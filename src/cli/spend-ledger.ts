import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isoTime, utcDay } from '#kernel/clock.ts';

interface Line {
  readonly at: string;
  readonly id: string;
  readonly amountAtomic: string;
  readonly to: string;
  readonly outcome: 'sent' | 'not_charged';
}

export interface SpendRecord {
  readonly id: string;
  readonly amountAtomic: bigint;
  readonly to: string;
}

/** What `pay` has spent, one line each in a file, so that a day has an end. */
export class SpendLedger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** What was sent on this day of UTC and not given back. */
  #spentAtomic(nowMs: number): bigint {
    const day = utcDay(nowMs);
    const sums = { sent: 1n, not_charged: -1n };
    return this.#lines()
      .filter(({ at }) => at.startsWith(day))
      .reduce((sum, { amountAtomic, outcome }) => sum + BigInt(amountAtomic) * sums[outcome], 0n);
  }

  /** Takes the amount out of the day before it is spent; false, and nothing taken, when that would be too much. */
  take(spend: SpendRecord, capAtomic: bigint, nowMs: number): boolean {
    // Written before it is summed up: of two commands at once none can slip past the other.
    this.#append(spend, 'sent', nowMs);
    if (this.#spentAtomic(nowMs) <= capAtomic) return true;
    // Given back to the same day, before anything is signed.
    this.#append(spend, 'not_charged', nowMs);
    return false;
  }

  #append({ id, amountAtomic, to }: SpendRecord, outcome: Line['outcome'], nowMs: number): void {
    const line: Line = { at: isoTime(nowMs), id, amountAtomic: String(amountAtomic), to, outcome };
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  }

  #lines(): Line[] {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line, i) => {
        try {
          return JSON.parse(line) as Line;
        } catch {
          throw new Error(
            `Line ${i + 1} of ${this.#path} is damaged, so the day's spending is not known. Correct or remove the line.`,
          );
        }
      });
  }
}
