// Processes that spend from one wallet and are killed meanwhile, and what the books say afterwards.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { openFoundation } from '../../src/foundation.ts';
import { type EngineName, freshDatabase } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { serviceEnv } from '../support/service.ts';
import { checkBooks } from '../models/ledger-model.ts';
import { seededRandom } from '../support/load.ts';
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

export async function walletRace({
  engine,
  processes,
  spends,
  kills,
  seed,
}: WalletRaceOptions): Promise<WalletRaceReport> {
  const random = seededRandom(seed);
  const dataDir = await temporaryDirectory();
  const env = serviceEnv(dataDir, await freshDatabase(engine));
  const config = readConfig(env);
  const answered = new Map<number, string>();
  const affordable = Math.floor((processes * spends) / 3);
  const children = new Set<ChildProcess>();
  try {
    {
      await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, true);
      await fund(foundation.store, AGENT, affordable * PRICE);
    }
    let killed = 0;
    /** Until each of its numbers is answered, whatever becomes of the process. */
    const runAll = async (numbers: readonly number[]): Promise<void> => {
      for (;;) {
        const left = numbers.filter((number) => !answered.has(number));
        if (left.length === 0) return;
        const task: RaceTask = { env, agentId: AGENT, priceMicro: PRICE, numbers: left };
        const child = spawn(process.execPath, [CHILD, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
        children.add(child);
        let [text, faults] = ['', ''];
        child.stdout.on('data', (chunk) => {
          const lines = (text + String(chunk)).split('\n');
          text = lines.pop() ?? '';
          for (const [number = '', outcome = ''] of lines.map((line) => line.split(' ')))
            answered.set(Number(number), outcome);
        });
        child.stderr.on('data', (chunk) => (faults += String(chunk)));
        const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
        children.delete(child);
        assert.ok(code === 0 || signal === 'SIGKILL', faults);
      }
    };
    const startedMs = performance.now();
    const all = Promise.all(
      Array.from({ length: processes }, (_, process) =>
        runAll(Array.from({ length: spends }, (_number, n) => process * spends + n)),
      ),
    );
    const isOver = () => answered.size === processes * spends;
    const killSome = async () => {
      for (let seen = 0; killed < kills && !isOver(); ) {
        await sleep(5 + 20 * random());
        const running = [...children];
        const victim = running[Math.floor(random() * running.length)];
        // Only amid work: a process that starts has nothing to lose.
        if (victim === undefined || answered.size === seen) continue;
        seen = answered.size;
        victim.kill('SIGKILL');
        killed += 1;
      }
    };
    await Promise.all([all, killSome()]);
    const seconds = (performance.now() - startedMs) / 1_000;
    await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, false);
    const { store } = foundation;
    await checkBooks(store);
    const rows = await store.read("SELECT id FROM ledger_tx WHERE kind = 'capability'");
    const kept = new Set(rows.map((row) => row['id'] as string));
    const paid = [...answered.values()].filter((outcome) => outcome.startsWith('tx_'));
    const refused = [...answered.values()].filter((outcome) => outcome === 'insufficient_funds').length;
    assert.equal(paid.length + refused, answered.size, 'a spend is paid or refused for want of money');
    const forgotten = paid.filter((id) => !kept.has(id)).length + Math.abs(kept.size - paid.length);
    const [wallet] = await store.read("SELECT posted, held FROM ledger_account WHERE id = 'wallet:agt_race'");
    assert.equal(wallet?.['held'], 0);
    const figures = { paid: paid.length, refused, affordable, kills: killed, forgotten };
    return { ...figures, left_micro: wallet?.['posted'] as number, seconds: Math.round(seconds * 10) / 10 };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
}
