import { setImmediate } from 'node:timers/promises';
import { type Clock, DAY_MS } from '#kernel/clock.ts';
import { capabilityOf, readMoved } from '#platform/ledger/queries.ts';
import type { Store } from '#platform/storage/store.ts';

/** What a wallet gave and gained on a day, by kind and capability. */
export interface DayTotal {
  /** Its first moment in UTC. */
  readonly dayMs: number;
  readonly kind: string;
  readonly capability: string | null;
  readonly spentMicro: number;
  readonly spentTimes: number;
  readonly gainedMicro: number;
}

interface Kept {
  readonly uptoSeq: number;
  readonly totals: ReadonlyMap<string, DayTotal>;
}

export const MAX_DAYS = 90;
const MAX_WALLETS = 200;
const PAGE = 2_000;
/** Of a wallet that nobody looked at for long. */
const MAX_READ = 50_000;
const NOTHING_KEPT: Kept = { uptoSeq: 0, totals: new Map() };

/** The last days of wallets. The ledger only grows, so that what was added up once is never read again. */
export class DailyTotals {
  readonly #store: Pick<Store, 'read'>;
  readonly #clock: Pick<Clock, 'now'>;
  /** Those that were looked at last, newest last. */
  readonly #wallets = new Map<string, Promise<Kept>>();

  constructor(store: Pick<Store, 'read'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  async of(agentId: string): Promise<readonly DayTotal[]> {
    const before = this.#wallets.get(agentId) ?? Promise.resolve(NOTHING_KEPT);
    const now = before.then((kept) => this.#extended(agentId, kept));
    this.#wallets.delete(agentId);
    this.#wallets.set(agentId, now);
    for (const oldest of this.#wallets.keys()) {
      if (this.#wallets.size <= MAX_WALLETS) break;
      this.#wallets.delete(oldest);
    }
    try {
      return [...(await now).totals.values()];
    } catch (error) {
      if (this.#wallets.get(agentId) === now) this.#wallets.delete(agentId);
      throw error;
    }
  }

  async #extended(agentId: string, kept: Kept): Promise<Kept> {
    const nowMs = this.#clock.now();
    const sinceMs = nowMs - (nowMs % DAY_MS) - (MAX_DAYS - 1) * DAY_MS;
    const totals = new Map([...kept.totals].filter(([, { dayMs }]) => dayMs >= sinceMs));
    let { uptoSeq } = kept;
    for (let beforeSeq = Number.MAX_SAFE_INTEGER, read = 0; read < MAX_READ; read += PAGE) {
      const moved = await readMoved(this.#store, agentId, { afterSeq: kept.uptoSeq, beforeSeq, limit: PAGE });
      for (const line of moved) if (line.atMs >= sinceMs) add(totals, line);
      const last = moved.at(-1);
      uptoSeq = Math.max(uptoSeq, moved[0]?.seq ?? 0);
      if (last === undefined || moved.length < PAGE || last.atMs < sinceMs) break;
      beforeSeq = last.seq;
      // Others wait for the same thread.
      await setImmediate();
    }
    return { uptoSeq, totals };
  }
}

function add(
  totals: Map<string, DayTotal>,
  { atMs, kind, meta, amountMicro }: Awaited<ReturnType<typeof readMoved>>[number],
): void {
  const dayMs = atMs - (atMs % DAY_MS);
  const capability = capabilityOf(meta);
  const key = `${dayMs} ${kind} ${capability ?? ''}`;
  const before = totals.get(key);
  const isSpent = amountMicro < 0;
  totals.set(key, {
    dayMs,
    kind,
    capability,
    spentMicro: (before?.spentMicro ?? 0) + (isSpent ? -amountMicro : 0),
    spentTimes: (before?.spentTimes ?? 0) + (isSpent ? 1 : 0),
    gainedMicro: (before?.gainedMicro ?? 0) + amountMicro,
  });
}
