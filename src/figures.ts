import { type Availability, CallTally } from '#areas/discovery/call-tally.ts';
import type { LiveFigures } from '#areas/discovery/economy.ts';
import { type LessonDigest, newestDigest } from '#areas/tasks/lessons/digest.ts';
import { openTasks } from '#areas/tasks/open-tasks.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { formatMicro } from '#kernel/money.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import { SealCount } from '#platform/log/seal-count.ts';
import { type PaymentTotals, paymentTotals } from '#platform/payments/totals.ts';
import type { Store } from '#platform/storage/store.ts';

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Counts what documents show of the day's work, in the background: a request never triggers a count. */
export class Figures implements AsyncDisposable {
  readonly #store: Store;
  readonly #log: PublicLog;
  readonly #clock: Clock;
  readonly #seals: SealCount;
  readonly #tally: CallTally;
  #nextMs = 0;
  #lessons: LessonDigest | null = null;
  #live: LiveFigures | null = null;
  #payments: PaymentTotals | null = null;
  #availability: Availability | null = null;

  constructor(store: Store, log: PublicLog, clock: Clock) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
    this.#seals = new SealCount(store);
    this.#tally = new CallTally(store, clock);
  }

  /** Null before the first count. */
  live(): LiveFigures | null {
    return this.#live;
  }

  /** The newest digest of what agents learned. */
  lessons(): LessonDigest | null {
    return this.#lessons;
  }

  async readLessons(): Promise<void> {
    this.#lessons = await newestDigest(this.#store, this.#lessons);
  }

  payments(): PaymentTotals | null {
    return this.#payments;
  }

  availability(): Availability | null {
    return this.#availability;
  }

  count({
    op,
    status = 0,
    atMs,
  }: {
    readonly op: string;
    readonly status?: number | undefined;
    readonly atMs: number;
  }): void {
    if (op !== 'none') this.#tally.count(op, status, atMs);
  }

  /** Writes what was counted since the last minute. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tally.flush().catch(() => {});
  }

  /** A store out of reach leaves the figures as they were; `as_of` tells how old they are. */
  async refreshIfDue(): Promise<void> {
    const startedMs = this.#clock.monotonicMs();
    if (startedMs < this.#nextMs) return;
    this.#nextMs = Number.POSITIVE_INFINITY;
    try {
      await this.#tally.flush();
      const { size } = this.#log.head();
      const wallMs = this.#clock.now();
      const counts = await this.#seals.countUpTo(size, wallMs - (wallMs % DAY_MS));
      const { seals, rejects, refusals, today } = counts;
      const totals = await paymentTotals(this.#store);
      this.#payments = totals;
      this.#availability = await this.#tally.availability();
      this.#live = {
        as_of: isoTime(this.#clock.now()),
        calls_24h: await this.#tally.callsOfDay(),
        paid_calls_total: totals.settled,
        settled_usdc_total: formatMicro(totals.settledAtomic),
        refunds_due: totals.refundsDue,
        unknown_settlements: totals.unknown,
        log_entries_total: size,
        seals_total: seals,
        rejects_total: rejects,
        refusals_total: refusals,
        open_tasks: await openTasks(this.#store),
        seals_today: today,
      };
    } catch {
      // Counted again a minute later.
    } finally {
      this.#nextMs = startedMs + EVERY_MS;
    }
  }
}
