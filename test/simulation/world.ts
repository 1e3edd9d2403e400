// Processes that crash and come back on one database, clocks that are set wrong, and a net that delays and loses.
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, HOUR_MS, SlewedTime } from '#kernel/clock.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { migrate, type Migration } from '#platform/storage/migrate.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import { readingOf, type Row, StorageError, type Store } from '#platform/storage/store.ts';
import { testSequencer } from '../support/engines.ts';
import { SimEngine } from './engine.ts';
import { faulty } from './faults.ts';
import { Chance, VirtualTime } from './time.ts';

const START_MS = Date.UTC(2026, 0, 1);
/** How far a wall clock is set off, mostly and sometimes. */
const SMALL_STEP_MS = 2_000;
const LARGE_STEP_MS = HOUR_MS;
const MEETING_MS = 6 * HOUR_MS;

/** No answer came: what was asked may or may not have happened. */
export const LOST = Symbol('lost');
/** The store said that nothing was written. */
export const DENIED = Symbol('denied');

/** A fault outside of the product, which its callers see as no answer. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export interface Process {
  readonly name: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: SimEngine;
  isDead: boolean;
  readonly lose: Set<() => void>;
}

/** One area under load. */
export interface Part {
  /** Sentences about what does not hold of what is stored now and was told before. */
  readonly check: () => Promise<readonly string[]>;
  /** Lets callers end what they began and begin nothing more. */
  readonly stop: () => Promise<void>;
}

/** What a planted fault takes away. */
export const PLANTED_FAULTS = ['exclusivity', 'monotone_time', 'idempotency', 'double_capture'] as const;
export type PlantedFault = (typeof PLANTED_FAULTS)[number];

let worlds = 0;

export class World implements AsyncDisposable {
  readonly time = new VirtualTime(START_MS);
  readonly chance: Chance;
  readonly planted: PlantedFault | undefined;
  readonly violations: string[] = [];
  readonly counts = new Map<string, number>();
  /** What callers were told, by kind. */
  readonly answers = new Map<string, number>();
  readonly #digest = createHash('sha256');
  readonly #file = `file:sim${(worlds += 1)}?mode=memory&cache=shared`;
  readonly #keeper = new DatabaseSync(this.#file);
  readonly #births: ((process: Process) => void)[] = [];
  /** One that has its own clock, as on SQLite, or several that go by the clock of their database. */
  readonly #size: 1 | 2 | 3;
  #databaseClock: Clock | undefined;
  #processes: Process[] = [];
  #jumps: { readonly atMs: number; readonly byMs: number }[] = [];
  #wallErrorMs = 0;
  #newestMs = START_MS;
  #born = 0;
  /** Nothing fails any more, and callers begin nothing new. */
  isCalm = false;

  constructor(seed: number, planted?: PlantedFault) {
    this.chance = new Chance(seed);
    this.planted = planted;
    this.#size = this.chance.of('size').pick([1, 2, 3]);
  }

  async open(migrations: readonly Migration[]): Promise<void> {
    const engine = new SqliteEngine(this.#file, { now: () => START_MS, monotonicMs: () => 0 });
    await migrate(engine, migrations);
    await engine.close();
    for (let index = 0; index < this.#size; index += 1) this.#start();
    this.#forEver('clock', 10_000, 8 * HOUR_MS, (chance) => this.#setClock(chance));
    this.#forEver('kill', 60_000, 12 * HOUR_MS, (chance) => this.crash(chance.pick(this.#processes)));
  }

  /** Runs for every process, also those that start later. */
  onBirth(born: (process: Process) => void): void {
    this.#births.push(born);
    for (const process of this.#processes) born(process);
  }

  /** Callers act in bursts, and then all leave until they meet again. */
  think(chance: Chance): Promise<void> {
    if (chance.happens(0.85)) return this.time.sleep(chance.span(50, 60_000));
    return this.time.sleep(MEETING_MS - (this.time.now() % MEETING_MS) + chance.span(1, 30_000));
  }

  /** A background job of one process, as long as it lives. */
  every(process: Process, ms: number, job: () => Promise<unknown>): void {
    const again = () =>
      void this.time.after(ms, () => {
        if (!process.isDead)
          void job()
            .catch(() => {})
            .then(again);
      });
    again();
  }

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /** Part of the trace by which two runs are compared. */
  trace(...what: readonly unknown[]): void {
    this.#digest.update(JSON.stringify([this.time.now(), ...what]));
  }

  /** Notes what a caller was told; the kind is counted. */
  told(kind: string, ...what: readonly unknown[]): void {
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    this.trace(kind, ...what);
  }

  digest(): string {
    return this.#digest.copy().digest('hex');
  }

  violation(what: string): void {
    this.violations.push(`${((this.time.now() - START_MS) / HOUR_MS).toFixed(2)} h: ${what}`);
  }

  get hours(): number {
    return (this.time.now() - START_MS) / HOUR_MS;
  }

  /** The time of the store is never later than this. */
  readonly newestClock = (): number => {
    for (const process of this.#processes) this.#newestMs = Math.max(this.#newestMs, this.#storeClock(process).now());
    return this.#newestMs;
  };

  /** Waits until the time of the store has grown, which may stand still for long. */
  async storeTime(ms: number): Promise<void> {
    const untilMs = this.newestClock() + ms;
    while (this.newestClock() < untilMs) await this.time.sleep(ms);
  }

  /** By how much restarts found the time of the store set forward between two moments. */
  jumpedMs(fromMs: number, toMs: number): number {
    const between = this.#jumps.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    return between.reduce((sum, { byMs }) => sum + byMs, 0);
  }

  rows(sql: string, params: readonly (string | number)[] = []): Row[] {
    return this.#keeper.prepare(sql.replaceAll('$', '?')).all(...params) as Row[];
  }

  /** As checkers read: what is committed, without a process. */
  readonly reader = {
    read: readingOf(async (sql, params = []) => this.rows(sql, params as (string | number)[])),
  };

  /** One call to one of the processes. Sometimes it comes late, and sometimes its answer does not come at all. */
  async ask<T>(chance: Chance, work: (process: Process) => Promise<T>): Promise<T | typeof LOST | typeof DENIED> {
    this.count('commands');
    await this.time.sleep(this.#delayMs(chance));
    const process = chance.pick(this.#processes);
    let lose = () => {};
    const lost = new Promise<typeof LOST>((resolve) => {
      lose = () => resolve(LOST);
      process.lose.add(lose);
    });
    const isAnswerLost = !this.isCalm && chance.happens(0.03);
    const answerMs = this.#delayMs(chance);
    try {
      const answer = await Promise.race([work(process), lost]);
      await this.time.sleep(answerMs);
      if (answer !== LOST && !isAnswerLost) return answer;
    } catch (error) {
      if (!(error instanceof StorageError || error instanceof Broken)) {
        this.violation(`an exception: ${(error as Error).stack}`);
        return LOST;
      }
      await this.time.sleep(answerMs);
      if (error instanceof StorageError && error.kind !== 'unknown') return DENIED;
    } finally {
      process.lose.delete(lose);
    }
    this.count('lost_answers');
    return LOST;
  }

  /** Asks the same again until it is told, at once or much later; LOST where the caller leaves for good. */
  async insist<T>(chance: Chance, work: (process: Process) => Promise<T>): Promise<T | typeof LOST> {
    for (;;) {
      if (!this.isCalm && chance.happens(0.03)) {
        // Somebody on the way sends it twice.
        this.time.after(chance.span(1, 2_000), () => void this.ask(chance, work));
      }
      const told = await this.ask(chance, work);
      if (told !== LOST && told !== DENIED) return told;
      if (!this.isCalm && chance.happens(0.05)) return LOST;
      await this.time.sleep(chance.happens(0.9) ? chance.span(50, 30_000) : chance.span(60_000, 20 * HOUR_MS));
    }
  }

  crash(process: Process): void {
    if (process.isDead) return;
    process.isDead = true;
    this.count('crashes');
    this.trace('crash', process.name);
    const before = this.#storeClock(process).now();
    this.newestClock();
    void process.engine.die();
    for (const lose of process.lose) lose();
    this.#processes = this.#processes.filter((one) => one !== process);
    this.#jumps.push({ atMs: this.time.now(), byMs: Math.max(0, this.#storeClock(this.#start()).now() - before) });
  }

  #storeClock({ clock }: Process): Clock {
    return this.#databaseClock ?? clock;
  }

  /** From now on nothing fails: what is under way comes to its end. */
  calm(): void {
    this.isCalm = true;
    for (const { engine } of this.#processes) engine.isCalm = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { engine } of this.#processes) await engine.die();
    this.#keeper.close();
  }

  #start(): Process {
    const name = `p${(this.#born += 1)}`;
    const { time } = this;
    const chance = this.chance.of(name);
    this.#setClock(chance);
    const clock = this.#newClock();
    // The database starts again too, now and then.
    if (this.#size > 1 && (this.#databaseClock === undefined || chance.happens(0.3))) {
      this.#databaseClock = this.#newClock();
    }
    const engine: SimEngine = new SimEngine({
      inner: new SqliteEngine(this.#file, { ...clock, now: () => (this.#databaseClock ?? clock).now() }),
      time,
      chance,
      crash: () => this.crash(process),
      count: (what) => this.count(what),
      forgetsTime: this.planted === 'monotone_time',
    });
    engine.isCalm = this.isCalm;
    const committer = new GroupCommitter({ engine, clock, maxBatch: 256, maxQueue: 10_000 });
    committer.attachLog(testSequencer());
    const store = faulty(committer, this.planted);
    const process: Process = { name, store, clock, engine, isDead: false, lose: new Set() };
    this.#processes.push(process);
    for (const born of this.#births) born(process);
    return process;
  }

  #newClock(): Clock {
    const { time } = this;
    const slewed = new SlewedTime(this.#wallMs(), time.now());
    return { now: () => slewed.at(time.now(), () => this.#wallMs()), monotonicMs: time.now };
  }

  #wallMs(): number {
    return this.time.now() + this.#wallErrorMs;
  }

  #setClock(chance: Chance): void {
    const most = chance.happens(0.2) ? LARGE_STEP_MS : SMALL_STEP_MS;
    this.#wallErrorMs = Math.round((2 * chance.draw() - 1) * most);
  }

  #delayMs(chance: Chance): number {
    return chance.happens(0.97) ? chance.span(1, 100) : chance.span(100, 30_000);
  }

  #forEver(name: string, leastMs: number, mostMs: number, strike: (chance: Chance) => void): void {
    const chance = this.chance.of(name);
    const again = () =>
      void this.time.after(chance.span(leastMs, mostMs), () => {
        if (this.isCalm) return;
        strike(chance);
        again();
      });
    again();
  }
}
