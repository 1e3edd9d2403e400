import { type Clock, HOUR_MS } from '#kernel/clock.ts';
import { settleableOf } from './delivery.ts';
import { type PaymentLedger, SETTLE_OWNER_MS } from './ledger.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { OnChain, Reconciliation, Settleable, SettlementBackend } from './settlement.ts';
import type { Settler } from './settler.ts';
import { BODY_KEPT_MS } from './transitions.ts';

/** Behind its time limit an authorization can move nothing; this much later the chain's head has passed it too. */
const CLOSED_AFTER_MS = 60_000;
const WATCH_EVERY_MS = 60_000;
/** So long after its settlement a payment is looked for once more: 15 blocks of Base, while most can be settled again. */
export const PROVEN_AFTER_MS = 30_000;
/** A chain that cannot say by then whether it still shows a payment has forgotten it. */
const UNPROVEN_UNTIL_MS = HOUR_MS;
const AT_ONCE = 16;

export interface ReconcilerOptions {
  readonly ledger: PaymentLedger;
  readonly settler: Settler;
  readonly backend: SettlementBackend;
  readonly clock: Pick<Clock, 'now'>;
  readonly chainInstance: string | null;
  readonly logFault: (what: string, error: unknown) => void;
}

/** Brings to an end what a crash, a timeout or a silent chain left open. */
export class Reconciler implements AsyncDisposable {
  readonly #options: ReconcilerOptions;
  readonly #lookedAtMs = new Map<string, number>();
  readonly #stop = new AbortController();
  #pass: Promise<void> | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /**
   * Starts a pass unless one is under way; it never rejects, and a slow chain makes it long. `isOnlyProcess`: whatever
   * another process began was begun by one that is gone.
   */
  kick(isOnlyProcess: boolean): Promise<void> {
    this.#pass ??= this.#work(isOnlyProcess)
      .catch((error: unknown) => this.#options.logFault('payment reconciliation failed', error))
      .finally(() => {
        this.#pass = undefined;
      });
    return this.#pass;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#pass;
  }

  async #work(isOnlyProcess: boolean): Promise<void> {
    const { ledger, clock } = this.#options;
    await this.#each(await ledger.undecided(), (record) => this.#resolve(record, isOnlyProcess));
    await this.#each(await ledger.watched(), (record) => this.#watch(record));
    await this.#each(await ledger.unproven(clock.now() - PROVEN_AFTER_MS), (record) => this.#prove(record));
    for (const id of await ledger.outdated(clock.now() - BODY_KEPT_MS)) {
      await ledger.recordEvent({ id, operationId: '' }, { type: 'expired' });
    }
  }

  /** Asks the chain about a payment whose outcome is not known, and gives the row as it then stands. */
  async decide(record: PaymentRecord): Promise<PaymentRecord> {
    const { ledger, settler, chainInstance } = this.#options;
    if (record.chainInstance !== chainInstance) {
      return (await ledger.recordEvent(record, { type: 'failed', reason: 'sandbox_reset' })).record ?? record;
    }
    const payment = settleableOf(record);
    if (payment === undefined) return record;
    const found = await this.#ask(payment);
    switch (found.outcome) {
      case 'confirmed':
        return (await settler.confirm(record, found)).record ?? record;
      case 'failed':
        return (await ledger.recordEvent(record, { type: 'failed', reason: found.reason })).record ?? record;
      case 'unused': {
        const resumed = await ledger.recordEvent(record, {
          type: 'resumed',
          owner: ledger.owner,
          ownerMs: SETTLE_OWNER_MS,
        });
        if (!resumed.isChanged || resumed.record === undefined) return resumed.record ?? record;
        return (await settler.settle(resumed.record, { ...payment, mayBeSent: true })).record ?? record;
      }
      case 'unknown':
        return record;
    }
  }

  async #resolve(record: PaymentRecord, isOnlyProcess: boolean): Promise<void> {
    const { ledger, clock } = this.#options;
    if (record.state === 'unknown') return void (await this.decide(record));
    const isCertain = isOnlyProcess && record.owner !== ledger.owner;
    if (!isCertain && (record.ownerUntilMs ?? 0) > clock.now()) return;
    const lapsed = await ledger.recordEvent(record, { type: 'lapsed', isCertain });
    if (lapsed.record?.state === 'unknown') await this.decide(lapsed.record);
  }

  /** A payment that sold nothing may still be brought to the chain by anybody, until its time is over. */
  async #watch(record: PaymentRecord): Promise<void> {
    const { ledger, settler, clock, chainInstance } = this.#options;
    const nowMs = clock.now();
    const isOver = nowMs > record.validBeforeSeconds * 1000 + CLOSED_AFTER_MS;
    if (!isOver && nowMs - (this.#lookedAtMs.get(record.id) ?? 0) < WATCH_EVERY_MS) return;
    this.#lookedAtMs.set(record.id, nowMs);
    const payment = settleableOf(record);
    if (payment === undefined) return;
    const isLostChain = record.chainInstance !== chainInstance;
    const found = isLostChain ? ({ outcome: 'failed' } as const) : await this.#ask(payment);
    if (found.outcome === 'confirmed') await settler.confirm(record, found);
    else if (isLostChain || (isOver && found.outcome === 'failed')) {
      await ledger.recordEvent(record, { type: 'closed' });
      this.#lookedAtMs.delete(record.id);
    }
  }

  /** Blocks may be replaced: a payment that the chain showed once is settled only where it shows it again. */
  async #prove(record: PaymentRecord): Promise<void> {
    const { ledger, settler, clock, chainInstance, logFault } = this.#options;
    const nowMs = clock.now();
    const payment = settleableOf(record);
    if (payment === undefined || nowMs - (this.#lookedAtMs.get(record.id) ?? 0) < WATCH_EVERY_MS) return;
    const isLostChain = record.chainInstance !== chainInstance;
    const found: Reconciliation = isLostChain ? { outcome: 'unknown' } : await this.#ask(payment);
    const isForgotten = isLostChain || nowMs - record.updatedAtMs > UNPROVEN_UNTIL_MS;
    if (found.outcome === 'unknown' && !isForgotten) return void this.#lookedAtMs.set(record.id, nowMs);
    this.#lookedAtMs.delete(record.id);
    const isThere = found.outcome === 'confirmed' && isAt(record, found);
    if (isThere || found.outcome === 'unknown') return void (await ledger.recordEvent(record, { type: 'closed' }));
    const { isChanged, record: open } = await ledger.recordEvent(record, { type: 'vanished' });
    if (!isChanged || open === undefined) return;
    if (found.outcome === 'confirmed') return void (await settler.confirm(open, found));
    logFault('settled payment missing from the chain', new Error(`payment ${record.id}`));
    await this.decide(open);
  }

  async #ask(payment: Settleable): Promise<Reconciliation> {
    try {
      return await this.#options.backend.reconcile(payment);
    } catch (error) {
      this.#options.logFault('settlement backend failed', error);
      return { outcome: 'unknown' };
    }
  }

  async #each(records: readonly PaymentRecord[], work: (record: PaymentRecord) => Promise<void>): Promise<void> {
    for (let from = 0; from < records.length && !this.#stop.signal.aborted; from += AT_ONCE) {
      await Promise.all(records.slice(from, from + AT_ONCE).map(work));
    }
  }
}

function isAt(record: PaymentRecord, { transaction, logIndex }: OnChain): boolean {
  return record.transaction === transaction && record.logIndex === logIndex;
}
