import type { Clock } from '#kernel/clock.ts';
import { randomUnit } from '#kernel/ids.ts';
import type { Engine, Opened } from './engine.ts';
import type { Cell, Read, Row, Store, StoreEvent, StoreStatus, Unit, Write } from './store.ts';
import { StorageFault } from './store.ts';

const MAX_CONFLICT_RETRIES = 5;
const EVENT_INSERT = 'INSERT INTO event (rev, key, type, at, body) VALUES ($1, $2, $3, $4, $5)';
const HEAD_UPSERT =
  'INSERT INTO head (id, rev, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET rev = excluded.rev, at = excluded.at';

type AnyUnit = Unit<unknown, unknown, unknown>;

interface Waiting {
  readonly unit: AnyUnit;
  readonly command: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Where a unit's commands of one batch stand: its slice of the batch's reads and its state as it grows. */
interface Slice {
  readonly commands: unknown[];
  readonly before: unknown;
  state: unknown;
}

export interface CommitterOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Replaces the engine's clock, for tests that move time by hand. */
  readonly injectedClock?: Pick<Clock, 'now'>;
  readonly maxBatch: number;
  readonly maxQueue: number;
}

/**
 * The group committer: what queued while the last commit ran is the next transaction, and callers are answered after
 * their transaction is durable. No timer: a lone caller pays one commit, a crowd shares one.
 */
export class GroupCommitter implements Store {
  readonly #options: CommitterOptions;
  readonly #engine: Engine;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;
  #state: 'up' | 'down' = 'up';
  #sinceMs: number;
  #lastCommitMs: number | null = null;

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#sinceMs = options.clock.now();
  }

  run<C, S, R>(unit: Unit<C, S, R>, command: C): Promise<R> {
    if (this.#closed) return Promise.reject(new StorageFault('closed', 'the service is stopping'));
    if (this.#queue.length >= this.#options.maxQueue) {
      return Promise.reject(new StorageFault('busy', 'too many writes are waiting'));
    }
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ unit: unit as AnyUnit, command, resolve, reject } as Waiting);
      this.#running ??= this.#drain();
    });
  }

  read(sql: string, params: readonly Cell[] = []): Promise<readonly Row[]> {
    return this.#engine.read(sql, params);
  }

  scrub(): Promise<void> {
    return this.#engine.scrub();
  }

  status(): StoreStatus {
    return {
      engine: this.#engine.name,
      synchronous: this.#engine.synchronous,
      state: this.#state,
      sinceMs: this.#sinceMs,
      lastCommitMs: this.#lastCommitMs,
      queued: this.#queue.length,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#engine.close();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Lets sockets be read before each batch, so that it collects who came meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commitOrSplit(this.#queue.splice(0, this.#options.maxBatch));
    }
    this.#running = undefined;
  }

  /** Runs the batch; when one command poisons it, runs its commands one by one so that only that one fails. */
  async #commitOrSplit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#commitWithRetries(batch);
    } catch (error) {
      if (batch.length === 1 || error instanceof StorageFault) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      for (const waiting of batch) await this.#commitOrSplit([waiting]);
    }
  }

  async #commitWithRetries(batch: readonly Waiting[]): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const results = await this.#commit(batch);
        this.#become('up');
        this.#lastCommitMs = this.#options.clock.now();
        batch.forEach((waiting, index) => waiting.resolve(results[index]));
        return;
      } catch (error) {
        if (!(error instanceof StorageFault)) throw error;
        const again = error.kind === 'conflict' && attempt < MAX_CONFLICT_RETRIES;
        if (!again) {
          this.#become('down');
          throw error.kind === 'conflict' ? new StorageFault('unavailable', error.message, { cause: error }) : error;
        }
        const delayMs = 2 ** attempt * (5 + 10 * randomUnit());
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  async #commit(batch: readonly Waiting[]): Promise<readonly unknown[]> {
    const commandsOf = Map.groupBy(batch, (waiting) => waiting.unit);
    const reads: Read[] = [];
    const offsets = new Map<AnyUnit, readonly [from: number, to: number]>();
    for (const [unit, waitings] of commandsOf) {
      const from = reads.length;
      reads.push(...unit.reads(waitings.map((waiting) => waiting.command)));
      offsets.set(unit, [from, reads.length]);
    }
    let results: readonly unknown[] = [];
    await this.#engine.batch(reads, (opened) => {
      const slices = new Map<AnyUnit, Slice>();
      for (const [unit, waitings] of commandsOf) {
        const commands = waitings.map((waiting) => waiting.command);
        const state = unit.load(opened.rows.slice(...(offsets.get(unit) as [number, number])), commands);
        slices.set(unit, { commands, before: state, state });
      }
      const decided = decideAll(batch, slices, opened, this.#now(opened));
      results = decided.results;
      return decided.writes;
    });
    return results;
  }

  #now(opened: Opened): number {
    const clockMs = this.#options.injectedClock?.now() ?? opened.clockMs;
    return Math.max(clockMs, opened.atMs);
  }

  #become(state: 'up' | 'down'): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#sinceMs = this.#options.clock.now();
  }
}

/** The functional core of a batch: every command in arrival order, on the state that the ones before it left. */
function decideAll(
  batch: readonly Waiting[],
  slices: ReadonlyMap<AnyUnit, Slice>,
  opened: Opened,
  nowMs: number,
): { results: unknown[]; writes: Write[] } {
  const results: unknown[] = [];
  const eventRows: Cell[][] = [];
  let rev = opened.rev;
  for (const { unit, command } of batch) {
    const slice = slices.get(unit) as Slice;
    const decision = unit.decide(slice.state, nowMs, { rev: rev + 1 }, command);
    slice.state = decision.state;
    results.push(decision.result);
    for (const event of decision.events ?? NO_EVENTS) {
      rev += 1;
      eventRows.push([rev, event.key, event.type, nowMs, event.body]);
    }
  }
  const writes: Write[] = [];
  for (const [unit, slice] of slices) writes.push(...unit.writes(slice.before, slice.state));
  if (eventRows.length > 0) {
    writes.push({ sql: EVENT_INSERT, rows: eventRows }, { sql: HEAD_UPSERT, rows: [[1, rev, nowMs]] });
  }
  return { results, writes };
}

const NO_EVENTS: readonly StoreEvent[] = [];
