import type { Durability } from './durability.ts';

/** What a column may hold. Flags are 0 or 1, times are milliseconds, binary is text (one SQL text for two engines). */
export type Cell = string | number | null;
export type Row = Readonly<Record<string, Cell>>;

/** A text that reads, and what each of its rows is in the code. */
export interface Query<T> {
  readonly sql: string;
  readonly of: (row: Row) => T;
}

/** Reads by a query that says what its rows are, or by a text alone whose rows nothing in the code stands for. */
export interface Reading {
  read<T = Row>(asked: Query<T> | string, params?: readonly Cell[]): Promise<readonly T[]>;
}

/** Reading for whoever can only read rows. */
export function readingOf(rowsOf: (sql: string, params?: readonly Cell[]) => Promise<readonly Row[]>): Reading['read'] {
  return async <T>(asked: string | Query<T>, params?: readonly Cell[]) => {
    if (typeof asked === 'string') return (await rowsOf(asked, params)) as readonly T[];
    return (await rowsOf(asked.sql, params)).map(asked.of);
  };
}

/** A read of a batch. `params` bind `$1..$n`; `IN (...)` in the text is filled with `list`. */
export interface Read<T = unknown> extends Query<T> {
  readonly list?: readonly string[];
  readonly params?: readonly Cell[];
}

/** The reads of a batch by their names. */
export type Reads = Readonly<Record<string, Read>>;

/** What was found under each name. */
export type Found<R> = 0 extends 1 & R
  ? any
  : R extends (...args: never) => infer Q
    ? Found<Q>
    : { readonly [K in keyof R]: R[K] extends Read<infer T> ? readonly T[] : never };

/** A write of a batch: a one-row text with exactly one `VALUES ($1, ..)` group, and the rows to run it for. */
export interface Write {
  readonly sql: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** One change of state that takes a revision. The body is the JSON text that watchers may see. */
export interface StoreEvent {
  readonly key: string;
  readonly type: string;
  readonly body: string;
}

/** An entry for the public log. The store carries it to the log's own code and knows nothing of its form. */
export interface LogEntry {
  readonly type: string;
  readonly leaf: { readonly text: string; readonly hash: Uint8Array; readonly id: string };
  /** What is kept beside the leaf and can be erased. */
  readonly record: {
    readonly schemaId: string | null;
    readonly claim: string | null;
    readonly seed: string | null;
    readonly seedSha256: string | null;
    readonly observations: string | null;
    readonly disclosure: 'holder' | 'public';
  };
  /** Earlier entries that this one is about. */
  readonly links?: readonly EntryLink[];
}

export interface EntryLink {
  readonly kind: 'corrects' | 'follows_up';
  readonly toId: string;
}

/** Where an entry came to stand, and what proves it: hashes in base64, leaf's sibling first. */
export interface EntryProof {
  readonly seq: number;
  readonly treeSize: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

export interface LogExtension {
  readonly writes: readonly Write[];
  /** Told once the entries are durable. */
  committed(): void;
  /** The proof of the n-th of the new entries; asked for after the commit, outside the lock. */
  proof(index: number): EntryProof;
}

export interface OpenedLog {
  readonly size: number;
  extend(entries: readonly LogEntry[], nowMs: number): LogExtension;
}

/** What happens to the log inside a batch: declared here, implemented by the log, so that storage imports neither. */
export interface Sequencer<Q = any> {
  readonly reads: Q;
  open(found: Found<Q>): OpenedLog;
}

export interface Decision<S, R> {
  readonly state: S;
  readonly result: R;
  readonly events?: readonly StoreEvent[];
  readonly entries?: readonly LogEntry[];
}

/** A result and the proofs of the entries that its command made, in their order. */
export interface Proven<R> {
  readonly result: R;
  readonly proofs: readonly EntryProof[];
}

/** The numbers that the next event and the next log entry of the command will take. */
export interface NextNumbers {
  readonly rev: number;
  readonly seq: number;
}

/** A command that a unit judges, and what it gives; a unit with several has a union of them. */
export type Deed = readonly [command: unknown, result: unknown];
/** What a command gives. */
export type ResultOf<D extends Deed, C> = D extends readonly [infer K, infer R] ? (C extends K ? R : never) : never;

/**
 * How an area writes. `reads` names the rows that a batch of its commands needs, `load` makes its state from what was
 * found under these names (`Q` is the type of `reads`), `decide` judges one command, `writes` gives the rows that differ. All four are pure: no I/O,
 * no clock, no randomness; ids, tokens and salts are fields of the command.
 */
export interface Unit<D extends Deed, S, Q = object> {
  readonly name: string;
  reads(commands: readonly D[0][]): Q extends (...args: never) => infer R ? R : Q;
  load(found: Found<Q>, commands: readonly D[0][]): S;
  decide(state: S, nowMs: number, next: NextNumbers, command: D[0]): Decision<S, D[1]>;
  writes(before: S, after: S): readonly Write[];
}

type TypeOf<D extends Deed> = D[0] extends { readonly type: infer T extends string } ? T : never;

/** `decide` of a unit whose commands say their type: one function for each. */
export function decideByType<D extends Deed, S>(
  judges: {
    readonly [T in TypeOf<D>]: (
      state: S,
      nowMs: number,
      next: NextNumbers,
      command: D[0] & { readonly type: T },
    ) => Decision<S, ResultOf<D, D[0] & { readonly type: T }>>;
  },
): Unit<D, S, any>['decide'] {
  return (state, nowMs, next, command) => {
    const { type } = command as { readonly type: TypeOf<D> };
    return judges[type](state, nowMs, next, command as D[0] & { readonly type: typeof type });
  };
}

type AnyUnit = Unit<any, any, any>;

/** A command with the unit that judges it. */
export interface Step<R = unknown> {
  readonly unit: AnyUnit;
  readonly command: unknown;
  /** Only a type: what the command gives. */
  readonly gives?: R;
}

export function step<D extends Deed, S, const C extends D[0]>(unit: Unit<D, S, any>, command: C): Step<ResultOf<D, C>> {
  return { unit, command };
}

/** The results of steps in order. The first always runs; those behind the one that stopped are missing. */
export type ResultsOf<T extends readonly Step[]> = T extends readonly [Step<infer R>, ...infer Rest]
  ? [R, ...{ [K in keyof Rest]?: Rest[K] extends Step<infer Q> ? Q : never }]
  : (T[number] extends Step<infer R> ? R : never)[];

/** Says of a step's result that the steps behind it are left out. */
export type StopAt = (result: unknown) => boolean;

export interface StoreStatus {
  readonly engine: 'sqlite' | 'postgres';
  readonly durability: Durability;
  readonly state: 'up' | 'down';
  readonly sinceMs: number;
  readonly lastCommitMs: number | null;
  readonly queued: number;
  /** Calls of this process that another one wrote, since the start. */
  readonly forwarded: number;
  /** Why the store gives nothing any more; null while it does. */
  readonly halted: string | null;
}

/**
 * The one way to state. `run` resolves after the durable commit and rejects with a StorageError when nothing is known
 * to be written; commands take effect in the order of their calls. `read` sees every write whose `run` has resolved
 * in this process and takes no lock.
 */
export interface Store extends Reading {
  run<D extends Deed, S, const C extends D[0]>(unit: Unit<D, S, any>, command: C): Promise<ResultOf<D, C>>;
  /** As `run`, with the proofs of the log entries that the command made. */
  runProven<D extends Deed, S, const C extends D[0]>(
    unit: Unit<D, S, any>,
    command: C,
  ): Promise<Proven<ResultOf<D, C>>>;
  /** Several commands as one: all in one transaction or none. Results in order, up to the one that stopped it. */
  runAll<const T extends readonly Step[]>(steps: T, stopAt?: StopAt): Promise<ResultsOf<T>>;
  /**
   * As `read`, of what no failover takes back: a primary that is cut off can show a commit that no standby has, once
   * somebody has ended its wait.
   */
  readonly readConfirmed: Reading['read'];
  /** Clears what deleted rows left in files, so that a key that died cannot be found there. */
  scrub(): Promise<void>;
  status(): StoreStatus;
  close(): Promise<void>;
}

/**
 * Why the store could not do it: `conflict` another writer was in the way, nothing written, try again;
 * `unavailable` disk full, connection lost or refused, nothing written; `unknown` the connection or the disk broke while
 * committing and the outcome could not be learned; `busy` too many commands wait; `closed` the store was closed;
 * `set_back` the database is not the one that this process has seen before: less, or another branch.
 */
export type StorageErrorKind = 'conflict' | 'unavailable' | 'unknown' | 'busy' | 'closed' | 'set_back';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}
