import { type Availability, CallTally } from '#areas/discovery/call-tally.ts';
import { type DailyAvailability, DayCounts } from '#areas/discovery/daily-availability.ts';
import type { LiveFigures as Shown } from '#areas/discovery/economy.ts';
import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { formatMicro } from '#kernel/money.ts';
import type { Operation } from '#kernel/operation.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { SealCount } from '#platform/log/seal-count.ts';
import type { PaymentFigures } from '#platform/payments/totals.ts';
import type { Store } from '#platform/storage/store.ts';
import type { z } from 'zod';

const EVERY_MS = 60_000;

export interface LiveStatsOptions {
  readonly store: Store;
  readonly log: PublicLog;
  readonly clock: Clock;
  /** How many tasks are not over. */
  readonly openTasks: () => Promise<number>;
  readonly payments: PaymentFigures;
  readonly newSealCount: () => SealCount;
  /** Whose calls are counted by product and day. */
  readonly operations: readonly Operation[];
}

/** Counts what documents show of the day's work, in the background: a request never triggers a count. */
export class LiveStats implements AsyncDisposable {
  readonly #log: PublicLog;
  readonly #clock: Clock;
  readonly #openTasks: () => Promise<number>;
  readonly #payments: PaymentFigures;
  readonly #seals: SealCount;
  readonly #tally: CallTally;
  readonly #days: DayCounts;
  #nextMs = 0;
  #live: Shown | null = null;
  #availability: Availability | null = null;
  #availabilityByDay: z.output<typeof DailyAvailability> | null = null;

  constructor({ store, log, clock, openTasks, payments, newSealCount, operations }: LiveStatsOptions) {
    this.#log = log;
    this.#clock = clock;
    this.#openTasks = openTasks;
    this.#payments = payments;
    this.#seals = newSealCount();
    this.#tally = new CallTally(store, clock);
    this.#days = new DayCounts(store, clock, operations);
  }

  /** Null before the first count. */
  live(): Shown | null {
    return this.#live;
  }

  availability(): Availability | null {
    return this.#availability;
  }

  availabilityByDay(): z.output<typeof DailyAvailability> | null {
    return this.#availabilityByDay;
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
      const totals = await this.#payments.refresh();
      await this.#days.refresh();
      this.#availabilityByDay = this.#days.shown();
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
        open_tasks: await this.#openTasks(),
        seals_today: today,
      };
    } catch {
      // Counted again a minute later.
    } finally {
      this.#nextMs = startedMs + EVERY_MS;
    }
  }
}
