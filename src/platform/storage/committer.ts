import type { Clock } from '#kernel/clock.ts';
import { randomUnit } from '#kernel/ids.ts';
import type { Engine, Opened } from './engine.ts';
import { requireServable, SERVABLE_MARKS } from './recovery-mark.ts';
import {
  type Cell,
  type Deed,
  type EntryProof,
  type Found,
  type LogEntry,
  type LogExtension,
  type OpenedLog,
  type Proven,
  type Read,
  readingOf,
  type Reads,
  type ResultOf,
  type ResultsOf,
  type Row,
  type Sequencer,
  type Step,
  type StopAt,
  StorageError,
  type Store,
  type StoreStatus,
  type Unit,
  type Write,
} from './store.ts';

const MAX_CONFLICT_RETRIES = 5;
/** How long a command waits for the database, over all tries: its caller hears of an outage and does not hang in it. */
const PATIENCE_MS = 8_000;
/** So long a batch may decide, since nobody is heard meanwhile: the next batch is as large as that allows. */
const DECIDING_MS = 8;
const EVENT_INSERT = 'INSERT INTO event (rev, key, type, at, body) VALUES ($1, $2, $3, $4, $5)';
const HEAD_UPSERT =
  'INSERT INTO head (id, rev, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET rev = excluded.rev, at = excluded.at';

type AnyUnit = Step['unit'];

/** One caller's commands: they stand in one transaction, whatever becomes of the batch. */
interface Waiting {
  readonly steps: readonly Step[];
  readonly stopAt: StopAt;
  readonly sinceMs: number;
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** What a command gave, and the proofs of the log entries that it made; to be asked for after the commit. */
interface Outcome {
  readonly result: unknown;
  readonly proofs: () => readonly EntryProof[];
}

/** Commands that another process is to write, and what came of them; undefined where this one has to. */
export type Forward = (steps: readonly Step[], isProven: boolean) => Promise<Forwarded | undefined> | undefined;

export interface Forwarded {
  readonly outcomes: readonly { readonly result: unknown; readonly proofs: readonly EntryProof[] }[];
  /** The newest revision that the process had seen which wrote them. */
  readonly rev: number;
}

/** Where a unit's commands of one batch stand: its slice of the batch's reads and its state as it grows. */
interface Slice {
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
  /** How many times longer than usual a command may wait. */
  readonly patience?: number;
}

/**
 * The group committer: what queued while the last commit ran is the next transaction, and callers are answered after
 * their transaction is durable. No timer: a lone caller pays one commit, a crowd shares one.
 */
export class GroupCommitter implements Store {
  readonly #options: CommitterOptions;
  readonly #engine: Engine;
  #sequencer: Sequencer | undefined;
  readonly read = readingOf((sql, params = []) => this.#read(sql, params));
  readonly readConfirmed = readingOf((sql, params = []) => this.#read(sql, params, 'readConfirmed'));
  readonly #onRevision: (() => void)[] = [];
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;
  #state: 'up' | 'down' = 'up';
  #sinceMs: number;
  #lastCommitMs: number | null = null;
  /** The newest revision that a commit of this process has confirmed. */
  #newestRev = 0;
  #halted: StorageError | undefined;
  /** How many callers the next batch takes. */
  #batchSize: number;
  readonly #patienceMs: number;
  /** By name: how other processes speak of them. */
  readonly #units = new Map<string, AnyUnit>();
  #forward: Forward | undefined;
  #forwarded = 0;

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.#batchSize = options.maxBatch;
    this.#patienceMs = (options.patience ?? 1) * PATIENCE_MS;
    this.#engine = options.engine;
    this.#sinceMs = options.clock.now();
  }

  /** Tells of every commit of this process that took revisions, after it is durable; the listener must be quick. */
  onRevision(listener: () => void): void {
    this.#onRevision.push(listener);
  }

  /** From now on batches may add log entries. Called once, when the log's key and origin are known. */
  attachLog(sequencer: Sequencer): void {
    this.#sequencer = sequencer;
  }

  /** From now on other processes may write the commands of this one. */
  forwardBy(forward: Forward): void {
    this.#forward = forward;
  }

  /** The units of these names; undefined where one of them has not been used here yet. */
  unitsOf(names: readonly string[]): readonly AnyUnit[] | undefined {
    const units = names.flatMap((name) => this.#units.get(name) ?? []);
    return units.length === names.length ? units : undefined;
  }

  /** Writes what another process hands on: never handed on further. */
  async runForwarded(steps: readonly Step[], isProven: boolean): Promise<Forwarded> {
    const outcomes = await this.#enqueueAll(steps, NEVER);
    const shown = outcomes.map(({ result, proofs }) => ({ result, proofs: isProven ? proofs() : NONE }));
    return { outcomes: shown, rev: this.#newestRev };
  }

  /**
   * Nothing is written or read any more: numbers that were given would be given again, and what was taken back would
   * be told as true. Who waits is refused. Only a start, which compares with what is remembered elsewhere, ends it.
   */
  halt(why: string, options?: ErrorOptions): void {
    this.#become('down');
    this.#halted ??= new StorageError('set_back', why, options);
    for (const waiting of this.#queue.splice(0)) waiting.reject(this.#halted);
  }

  /** The newest revision that this process has seen, to be remembered beside the database. */
  newestRevision(): number {
    return this.#newestRev;
  }

  async run<D extends Deed, S, const C extends D[0]>(unit: Unit<D, S, any>, command: C): Promise<ResultOf<D, C>> {
    return (await this.#submitOne(unit, command)).result as ResultOf<D, C>;
  }

  async runAll<const T extends readonly Step[]>(steps: T, stopAt: StopAt = NEVER): Promise<ResultsOf<T>> {
    return (await this.#submit(steps, stopAt)).map(({ result }) => result) as ResultsOf<T>;
  }

  async runProven<D extends Deed, S, const C extends D[0]>(
    unit: Unit<D, S, any>,
    command: C,
  ): Promise<Proven<ResultOf<D, C>>> {
    const { result, proofs } = await this.#submitOne(unit, command, true);
    return { result: result as ResultOf<D, C>, proofs: proofs() };
  }

  async #submitOne(unit: AnyUnit, command: unknown, isProven = false): Promise<Outcome> {
    return (await this.#submit([{ unit, command }], NEVER, isProven))[0] as Outcome;
  }

  /** A rule where to stop is code, which is not handed on. */
  async #submit(steps: readonly Step[], stopAt: StopAt, isProven = false): Promise<readonly Outcome[]> {
    const underWay = stopAt === NEVER && this.#mayForward() ? this.#forward?.(steps, isProven) : undefined;
    const forwarded = underWay === undefined ? undefined : await underWay;
    if (forwarded === undefined) return this.#enqueueAll(steps, stopAt);
    this.#forwarded += 1;
    this.#seen(forwarded.rev);
    return forwarded.outcomes.map(({ result, proofs }) => ({ result, proofs: () => proofs }));
  }

  #mayForward(): boolean {
    return !this.#closed && this.#halted === undefined;
  }

  async #read(sql: string, params: readonly Cell[], way: 'read' | 'readConfirmed' = 'read'): Promise<readonly Row[]> {
    if (this.#halted !== undefined) throw this.#halted;
    return this.#engine[way](sql, params);
  }

  #enqueueAll(steps: readonly Step[], stopAt: StopAt): Promise<readonly Outcome[]> {
    if (this.#closed) return Promise.reject(new StorageError('closed', 'the service is stopping'));
    if (this.#halted !== undefined) return Promise.reject(this.#halted);
    if (this.#queue.length >= this.#options.maxQueue) {
      return Promise.reject(new StorageError('busy', 'too many writes are waiting'));
    }
    for (const { unit } of steps) this.#units.set(unit.name, unit);
    return new Promise((resolve, reject) => {
      this.#queue.push({ steps, stopAt, sinceMs: this.#options.clock.monotonicMs(), resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  scrub(): Promise<void> {
    return this.#engine.scrub();
  }

  status(): StoreStatus {
    return {
      engine: this.#engine.name,
      durability: this.#engine.durability(),
      state: this.#state,
      sinceMs: this.#sinceMs,
      lastCommitMs: this.#lastCommitMs,
      queued: this.#queue.length,
      forwarded: this.#forwarded,
      halted: this.#halted?.message ?? null,
    };
  }

  checkDurability(): Promise<void> {
    return this.#engine.checkDurability();
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
      const batch = this.#queue.splice(0, this.#batchSize);
      if (batch.length > 0) await this.#commitOrSplit(batch);
    }
    this.#running = undefined;
  }

  /** Runs the batch; when one caller poisons it, runs its callers one by one so that only that one fails. */
  async #commitOrSplit(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#commitWithRetries(batch);
    } catch (error) {
      if (error instanceof StorageError) this.#refuse(batch, error);
      else if (batch.length === 1) batch[0]?.reject(error);
      if (error instanceof StorageError || batch.length === 1) return;
      for (const waiting of batch) await this.#commitOrSplit([waiting]);
    }
  }

  /** Refuses a batch, and whoever waited behind it for as long as anybody waits. */
  #refuse(batch: readonly Waiting[], fault: StorageError): void {
    if (fault.kind === 'set_back') this.halt(fault.message, { cause: fault });
    for (const waiting of batch) waiting.reject(fault);
    const latestMs = this.#options.clock.monotonicMs() - this.#patienceMs;
    const isLate = (waiting: Waiting) => waiting.sinceMs <= latestMs;
    const late = this.#queue.filter(isLate);
    this.#queue = this.#queue.filter((waiting) => !isLate(waiting));
    const reason = new StorageError('unavailable', 'others waited for too long', { cause: fault });
    for (const waiting of late) waiting.reject(reason);
  }

  async #commitWithRetries(batch: readonly Waiting[]): Promise<void> {
    const { clock } = this.#options;
    const untilMs = Math.min(...batch.map(({ sinceMs }) => sinceMs)) + this.#patienceMs;
    let isSecondLook = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const outcomes = await this.#commit(batch, untilMs);
        this.#become('up');
        this.#lastCommitMs = clock.now();
        batch.forEach((waiting, index) => waiting.resolve(outcomes[index] as Outcome[]));
        return;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        const isSetBack = error.kind === 'set_back' && this.#halted === undefined;
        // A process that stood still decides on what it saw before others went on: a second look counts.
        const again = isSetBack ? !isSecondLook : error.kind === 'conflict' && attempt < MAX_CONFLICT_RETRIES;
        isSecondLook = isSetBack;
        if (!again) {
          this.#become('down');
          throw error.kind === 'conflict' ? new StorageError('unavailable', error.message, { cause: error }) : error;
        }
        const delayMs = 2 ** attempt * (5 + 10 * randomUnit());
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  /** The outcomes of each caller. */
  async #commit(batch: readonly Waiting[], untilMs: number): Promise<readonly (readonly Outcome[])[]> {
    const steps = batch.flatMap((waiting) => waiting.steps);
    const commandsOf = Map.groupBy(steps, (step) => step.unit);
    requireOwnNames(commandsOf.keys());
    const reads = new NamedReads();
    const foundMarks = reads.add({ marks: SERVABLE_MARKS });
    const foundByLog = reads.add(this.#sequencer?.reads ?? {});
    const foundByUnit = new Map<AnyUnit, Finder>();
    for (const [unit, ofUnit] of commandsOf) {
      foundByUnit.set(unit, reads.add(unit.reads(ofUnit.map(({ command }) => command))));
    }
    const seen = this.#newestRev;
    const { clock } = this.#options;
    let decided: BatchDecision | undefined;
    const decide = (opened: Opened): readonly Write[] => {
      if (this.#halted !== undefined) throw this.#halted;
      const beganMs = clock.monotonicMs();
      requireServable(foundMarks(opened.rows).marks);
      requireGoneOn(opened, seen);
      const slices = new Map<AnyUnit, Slice>();
      for (const [unit, ofUnit] of commandsOf) {
        const commands = ofUnit.map((step) => step.command);
        const state = unit.load((foundByUnit.get(unit) as Finder)(opened.rows), commands);
        slices.set(unit, { before: state, state });
      }
      const log = this.#sequencer?.open(foundByLog(opened.rows));
      decided = decideAll({ batch, slices, opened, log, nowMs: this.#now(opened) });
      this.#resize(batch.length, clock.monotonicMs() - beganMs);
      return decided.writes;
    };
    await this.#engine.batch(reads.all, decide, untilMs);
    const { outcomes, rev, extension } = decided as unknown as BatchDecision;
    extension?.committed();
    this.#seen(rev);
    return outcomes;
  }

  #resize(callers: number, tookMs: number): void {
    this.#batchSize =
      tookMs > DECIDING_MS
        ? Math.max(1, Math.floor((callers * DECIDING_MS) / tookMs))
        : Math.min(this.#options.maxBatch, this.#batchSize * 2);
  }

  /** Also what another process wrote for this one: a start from an older copy would give its numbers again. */
  #seen(rev: number): void {
    if (rev <= this.#newestRev) return;
    this.#newestRev = rev;
    for (const listener of this.#onRevision) listener();
  }

  #now(opened: Opened): number {
    const clockMs = this.#options.injectedClock?.now() ?? opened.clockMs;
    return Math.max(clockMs, opened.atMs);
  }

  #become(state: 'up' | 'down'): void {
    if (this.#state === state || this.#halted !== undefined) return;
    this.#state = state;
    this.#sinceMs = this.#options.clock.now();
  }
}

/** A database that was put back, or a failover that lost commits, would give numbers a second time. */
function requireGoneOn({ rev }: Opened, seen: number): void {
  if (rev >= seen) return;
  const what = `the database is at revision ${rev}, and this process has seen ${seen}`;
  throw new StorageError(
    'set_back',
    `${what}: answered writes are lost; stop every process and restore the newest copy`,
  );
}

/** Two units over the same rows would not see each other's changes in one batch; their commands then go one by one. */
function requireOwnNames(units: Iterable<AnyUnit>): void {
  const names = new Set<string>();
  for (const { name } of units) {
    if (names.has(name)) throw new Error(`two units are called ${name}`);
    names.add(name);
  }
}

/** Takes what was found under the names of one who reads from the rows of the whole batch. */
type Finder = (rows: readonly (readonly Row[])[]) => Found<any>;

/** The reads of a batch in a row, and where each reader's own begin. */
class NamedReads {
  readonly all: Read[] = [];

  add(reads: Reads): Finder {
    const from = this.all.length;
    const names = Object.keys(reads);
    for (const name of names) this.all.push(reads[name] as Read);
    return (rows) => {
      const found: Record<string, readonly unknown[]> = {};
      for (const [place, name] of names.entries()) {
        const ofName = rows[from + place] as readonly Row[];
        // Most reads of a lone command find nothing.
        found[name] = ofName.length === 0 ? NONE : ofName.map((this.all[from + place] as Read).of);
      }
      return found;
    };
  }
}

interface Batch {
  readonly batch: readonly Waiting[];
  readonly slices: ReadonlyMap<AnyUnit, Slice>;
  readonly opened: Opened;
  readonly log: OpenedLog | undefined;
  readonly nowMs: number;
}

interface Decided {
  readonly result: unknown;
  readonly entries: readonly [from: number, to: number];
}

interface BatchDecision {
  readonly outcomes: Outcome[][];
  readonly writes: Write[];
  readonly extension: LogExtension | undefined;
  /** The revision that the batch leaves. */
  readonly rev: number;
}

/** The functional core of a batch: every command in arrival order, on the state that the ones before it left. */
function decideAll({ batch, slices, opened, log, nowMs }: Batch): BatchDecision {
  const eventRows: Cell[][] = [];
  const entries: LogEntry[] = [];
  let rev = opened.rev;
  const decideOne = ({ unit, command }: Step): Decided => {
    const slice = slices.get(unit) as Slice;
    const next = { rev: rev + 1, seq: (log?.size ?? 0) + entries.length };
    const decision = unit.decide(slice.state, nowMs, next, command);
    slice.state = decision.state;
    for (const event of decision.events ?? NONE) {
      rev += 1;
      eventRows.push([rev, event.key, event.type, nowMs, event.body]);
    }
    const from = entries.length;
    if (decision.entries !== undefined) entries.push(...decision.entries);
    return { result: decision.result, entries: [from, entries.length] };
  };
  const decided = batch.map(({ steps, stopAt }) => {
    const done: Decided[] = [];
    for (const step of steps) {
      const last = done.at(-1);
      if (last !== undefined && stopAt(last.result)) break;
      done.push(decideOne(step));
    }
    return done;
  });
  const writes: Write[] = [];
  for (const [unit, slice] of slices) writes.push(...unit.writes(slice.before, slice.state));
  if (eventRows.length > 0) writes.push({ sql: EVENT_INSERT, rows: eventRows });
  const extension = entries.length === 0 ? undefined : extended(log, entries, nowMs);
  if (extension !== undefined) writes.push(...extension.writes);
  if (eventRows.length + entries.length > 0) writes.push({ sql: HEAD_UPSERT, rows: [[1, rev, nowMs]] });
  const outcomes = decided.map((done) =>
    done.map(({ result, entries: [from, to] }) => ({
      result,
      proofs: () => Array.from({ length: to - from }, (_, index) => (extension as LogExtension).proof(from + index)),
    })),
  );
  return { outcomes, writes, extension, rev };
}

function extended(log: OpenedLog | undefined, entries: readonly LogEntry[], nowMs: number): LogExtension {
  if (log === undefined) throw new Error('a command made a log entry before the log was attached');
  return log.extend(entries, nowMs);
}

const NONE: readonly never[] = [];
const NEVER: StopAt = () => false;
