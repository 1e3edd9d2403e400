// Processes that spend from one wallet and are killed meanwhile, and what the books say afterwards.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { openFoundation } from '../../src/platform/foundation.ts';
import type { EngineName } from '../support/databases.ts';
import { serviceEnv } from '../support/service.ts';
import { checkBooks } from '../models/ledger-model.ts';
import { newSeed, seededRandom } from '../support/random.ts';
import { placeFor } from './kills.ts';
import type { RaceTask } from './wallet-child.ts';
import { fund } from '../support/wallet.ts';

export interface WalletRaceOptions {
  readonly engine: EngineName;
  readonly processes: number;
  /** Of each process. */
  readonly spends: number;
  readonly kills: number;
  readonly seed: number;
}

export interface WalletRaceReport {
  readonly paid: number;
  readonly refused: number;
  /** What the wallet had money for. */
  readonly affordable: number;
  readonly kills: number;
  readonly left_micro: number;
  /** Payments that were answered and are not in the ledger. */
  readonly forgotten: number;
  readonly seconds: number;
}

const CHILD = fileURLToPath(new URL('./wallet-child.ts', import.meta.url));
const AGENT = 'agt_race';
const PRICE = 10_000;
const MAX_UNDER_WAY = 64;

export async function walletRace(options: WalletRaceOptions): Promise<WalletRaceReport> {
  const { engine, processes, spends } = options;
  const { dataDir, databaseUrl } = await placeFor(engine);
  const env = serviceEnv(dataDir, databaseUrl);
  const config = readConfig(env);
  const affordable = Math.floor((processes * spends) / 3);
  {
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, true);
    await fund(foundation.store, AGENT, affordable * PRICE);
  }
  const race = new Race(env, options);
  try {
    const startedMs = performance.now();
    await race.run();
    const seconds = (performance.now() - startedMs) / 1_000;
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    const { store } = foundation;
    await checkBooks(store);
    const rows = await store.read("SELECT id FROM ledger_tx WHERE kind = 'capability'");
    const kept = new Set(rows.map((row) => row['id'] as string));
    const outcomes = [...race.answered.values()];
    const paid = outcomes.filter((outcome) => outcome.startsWith('tx_'));
    const refused = outcomes.filter((outcome) => outcome === 'insufficient_funds').length;
    assert.equal(paid.length + refused, processes * spends, 'a spend is paid or refused for want of money');
    const forgotten = paid.filter((id) => !kept.has(id)).length + Math.abs(kept.size - paid.length);
    const [wallet] = await store.read("SELECT posted, held FROM ledger_account WHERE id = 'wallet:agt_race'");
    assert.equal(wallet?.['held'], 0);
    const figures = { paid: paid.length, refused, affordable, kills: race.killed, forgotten };
    return { ...figures, left_micro: wallet?.['posted'] as number, seconds: Math.round(seconds * 10) / 10 };
  } finally {
    race.end();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The race as a test. */
export async function testWalletRace(t: TestContext, options: Omit<WalletRaceOptions, 'seed'>): Promise<void> {
  const seed = newSeed();
  const report = await walletRace({ ...options, seed });
  t.diagnostic(JSON.stringify({ seed, ...report }));
  assert.deepEqual([report.forgotten, report.left_micro, report.paid], [0, 0, report.affordable], `seed ${seed}`);
  assert.equal(report.kills, options.kills, `seed ${seed}`);
}

/** Hands numbers to the processes, as many at a time as may be under way, and kills processes that have some. */
class Race {
  readonly answered = new Map<number, string>();
  killed = 0;
  readonly #options: WalletRaceOptions;
  readonly #task: string;
  readonly #random: () => number;
  readonly #children = new Set<ChildProcess>();
  /** Few enough that some are not given out yet when the last kill is due. */
  readonly #underWay: number;
  #nextKillAt = 0;

  constructor(env: Record<string, string>, options: WalletRaceOptions) {
    this.#options = options;
    this.#underWay = Math.min(MAX_UNDER_WAY, Math.ceil(options.spends / (options.kills + 1) / 2));
    this.#task = JSON.stringify({ env, agentId: AGENT, priceMicro: PRICE } satisfies RaceTask);
    this.#random = seededRandom(options.seed);
    this.#planKill();
  }

  async run(): Promise<void> {
    const { processes, spends } = this.#options;
    const numbersOf = (process: number) => Array.from({ length: spends }, (_, n) => process * spends + n);
    await Promise.all(Array.from({ length: processes }, (_, process) => this.#spendAll(numbersOf(process))));
  }

  end(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  /** Until each of its numbers is answered, whatever becomes of the process. */
  async #spendAll(numbers: readonly number[]): Promise<void> {
    for (let left = [...numbers]; left.length > 0; left = numbers.filter((number) => !this.answered.has(number))) {
      await this.#spendSome(left);
    }
  }

  async #spendSome(left: number[]): Promise<void> {
    const child = spawn(process.execPath, [CHILD, this.#task], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#children.add(child);
    let faults = '';
    child.stderr.on('data', (chunk) => (faults += String(chunk)));
    // A killed process takes no more.
    child.stdin.on('error', () => {});
    const give = () => {
      const number = left.shift();
      if (number === undefined) child.stdin.end();
      else child.stdin.write(`${number}\n`);
    };
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [number = '', outcome = ''] = line.split(' ');
      this.answered.set(Number(number), outcome);
      // What is left has not been given to it: it cannot be through.
      if (left.length > 0 && !child.killed) this.#killWhenDue(child);
      give();
    });
    for (let count = 0; count < this.#underWay; count += 1) give();
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    this.#children.delete(child);
    assert.ok(code === 0 || signal === 'SIGKILL', faults);
  }

  #killWhenDue(child: ChildProcess): void {
    if (this.killed === this.#options.kills || this.answered.size < this.#nextKillAt) return;
    child.kill('SIGKILL');
    this.killed += 1;
    this.#planKill();
  }

  /** Somewhere in the next of equal parts, of which the last has no kill. */
  #planKill(): void {
    const { processes, spends, kills } = this.#options;
    const part = (processes * spends) / (kills + 1);
    this.#nextKillAt = Math.ceil((this.killed + this.#random()) * part);
  }
}
