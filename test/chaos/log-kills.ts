// Kills the service with SIGKILL while clients seal, and holds every answer ever given against the log that is left.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { verifyConsistency, verifyLedgerPage } from '../../verify/avouch-verify.mjs';
import { serviceEnv } from '../support/service.ts';
import { anyBetween, Fleet, type KillTarget, placeFor, processesOf, settingsOf } from './kills.ts';
import { newSeed, seededRandom } from '../support/random.ts';
import { PROCESSES_HUNG_MS, until } from '../support/until.ts';
import { inParallel } from '../referees/log-export.ts';
import { LogJournal, SealingClient } from './log-journal.ts';

export interface LogKillLoopReport {
  readonly target: KillTarget;
  readonly seed: number;
  readonly rounds: number;
  readonly size: number;
  readonly seals: number;
  readonly releases: number;
  /** Writes of which nobody can say whether they happened. */
  readonly unanswered: number;
  /** Calls of any kind without an answer. */
  readonly cut: number;
  readonly checkpoints: number;
  /** Sentences; none when the log kept every promise. */
  readonly violations: readonly string[];
}

interface Page {
  readonly next_seq: number;
  readonly tree_size: number;
  readonly entries: readonly LedgerRow[];
}

export interface LedgerRow {
  readonly seq: number;
  readonly attestation_id: string;
  readonly type: string;
  readonly entry_b64: string;
  readonly entry: { readonly sealed_at: string; readonly fence?: number; readonly schema_id?: string };
}

type Reader = Pick<Fleet, 'call'>;

interface Head {
  readonly checkpoint: string;
  readonly tree_size: number;
  readonly vkeys: readonly string[];
  readonly consistency: { readonly hashes: readonly string[] };
}

const CLIENTS = 12;
const ENTRIES_BEFORE_A_KILL = [20, 60] as const;

export async function logKillLoop(options: {
  readonly target: KillTarget;
  readonly rounds: number;
  readonly seed: number;
  /** At the end also every checkpoint once more against the newest, not only by way of the heads in between. */
  readonly isThorough?: boolean;
}): Promise<LogKillLoopReport> {
  const { target, rounds, seed, isThorough = false } = options;
  const { dataDir, databaseUrl } = await placeFor(target);
  const fleet = new Fleet(serviceEnv(dataDir, databaseUrl, settingsOf(target)), seededRandom(seed));
  const journal = new LogJournal();
  const clients = Array.from({ length: CLIENTS }, (_, n) => new SealingClient(n, seededRandom(seed + n + 1), journal));
  try {
    for (let started = 0; started < processesOf(target); started += 1) await fleet.start();
    const inspector = await Inspector.start(fleet, journal);
    let round = 0;
    while (round < rounds && journal.violations.length === 0) {
      round += 1;
      await killOnce(fleet, clients, journal, round === rounds);
      await inspector.lookOn();
    }
    await inspector.lookAtAll(isThorough);
    await fleet.stop();
    return { target, seed, rounds: round, size: inspector.size, ...journal.figures(), violations: journal.violations };
  } finally {
    await fleet.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The loop as a test. */
export async function testLogKillLoop(t: TestContext, options: { target: KillTarget; rounds: number }): Promise<void> {
  const seed = newSeed();
  const { violations, ...report } = await logKillLoop({ ...options, seed });
  const { rounds, seals, releases, checkpoints, cut } = report;
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(violations, [], `seed ${seed}`);
  assert.equal(rounds, options.rounds);
  assert.ok(seals > rounds && releases > 0, `seed ${seed} made too little load`);
  assert.ok(checkpoints > rounds && cut >= rounds, `seed ${seed}: ${JSON.stringify(report)}`);
}

/** One round: load, a kill in the middle of it, and the restart. */
async function killOnce(
  fleet: Fleet,
  clients: readonly SealingClient[],
  journal: LogJournal,
  isLast: boolean,
): Promise<void> {
  let isOver = false;
  const isLive = () => !isOver && !fleet.isEmpty;
  const load = clients.map(async (client) => {
    while (isLive()) await client.step(fleet.call);
  });
  try {
    await journal.moreEntries(anyBetween(ENTRIES_BEFORE_A_KILL, fleet.random));
    await fleet.killOne();
    await (isLast ? fleet.startHere() : fleet.start());
  } finally {
    isOver = true;
  }
  await Promise.all(load);
}

/** Reads the log as an outsider would and compares it with what was answered. */
export class Inspector {
  readonly #fleet: Reader;
  readonly #journal: LogJournal;
  /** From the first answer of all: the log may not change its key either. */
  readonly #vkeys: readonly string[];
  #checkedSizes = new Set<number>();
  #next = 0;
  #lastSealedAt = '';

  private constructor(fleet: Reader, journal: LogJournal, vkeys: readonly string[]) {
    this.#fleet = fleet;
    this.#journal = journal;
    this.#vkeys = vkeys;
  }

  static async start(fleet: Reader, journal: LogJournal): Promise<Inspector> {
    const { vkeys, checkpoint } = await read<Head>(fleet, '/api/astralock/sth');
    journal.answered(checkpoint);
    return new Inspector(fleet, journal, vkeys);
  }

  get vkeys(): readonly string[] {
    return this.#vkeys;
  }

  get size(): number {
    return this.#next;
  }

  /** What is new since the last look, and that the newest head continues the one of then. */
  async lookOn(): Promise<void> {
    const fresh = [...this.#journal.checkpoints.keys()].filter((size) => !this.#checkedSizes.has(size));
    const last = Math.max(0, ...this.#checkedSizes);
    const sizes = [...(last > 0 ? [last] : []), ...fresh];
    await inParallel(sizes, (size) => this.#compareCheckpoint(size));
    await this.#readLedger();
    this.#journal.compareCounts();
  }

  /** Everything from the first entry on, and the audit of the service itself. */
  async lookAtAll(isThorough: boolean): Promise<void> {
    this.#next = 0;
    this.#lastSealedAt = '';
    this.#journal.beginAgain();
    if (isThorough) this.#checkedSizes = new Set();
    await this.lookOn();
    const audit = await read<{ ok: boolean; problems: string[] }>(this.#fleet, '/api/astralock/audit');
    if (!audit.ok) this.#journal.violations.push(`the audit says: ${audit.problems.join('; ')}`);
  }

  async #compareCheckpoint(size: number): Promise<void> {
    const older = this.#journal.checkpoints.get(size);
    const head = await read<Head>(this.#fleet, `/api/astralock/sth?first=${size}`).catch((error: Error) => error);
    if (head instanceof Error) {
      this.#journal.violations.push(`the log of ${size} that was answered is not there: ${head.message}`);
      return;
    }
    const question = { older, newer: head.checkpoint, hashes: head.consistency.hashes };
    const { valid, checks } = await verifyConsistency(question, this.#vkeys);
    if (!valid) this.#journal.violations.push(`${head.tree_size} does not continue ${size}: ${JSON.stringify(checks)}`);
    this.#journal.answered(head.checkpoint);
    this.#checkedSizes.add(size);
  }

  async #readLedger(): Promise<void> {
    for (let size = this.#next + 1; this.#next < size; ) {
      const page = await read<Page>(this.#fleet, `/api/attest/ledger?from_seq=${this.#next}&limit=1024`);
      const { valid, checks } = await verifyLedgerPage(page, this.#vkeys);
      if (!valid) this.#journal.violations.push(`the page from ${this.#next}: ${JSON.stringify(checks)}`);
      for (const row of page.entries) this.#take(row);
      [this.#next, size] = [page.next_seq, page.tree_size];
    }
    this.#journal.endsAt(this.#next);
  }

  #take(row: LedgerRow): void {
    const { sealed_at: at } = row.entry;
    if (at < this.#lastSealedAt) this.#journal.violations.push(`entry ${row.seq} is older than the one before`);
    this.#lastSealedAt = at;
    this.#journal.compareEntry(row);
  }
}

/** A busy service asks to come again. */
async function read<T>(fleet: Reader, path: string): Promise<T> {
  let answer = await fleet.call(path);
  const isAnswered = async () => {
    if (answer !== undefined && answer.status !== 503) return true;
    answer = await fleet.call(path);
    return false;
  };
  await until(`an answer of ${path}`, isAnswered, PROCESSES_HUNG_MS);
  if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
  return answer.json as T;
}
