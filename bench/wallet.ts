// Durable hold plus capture per second over the store, beside one bare durable insert, in one run; a JSON line:
//   node bench/wallet.ts [--rounds 5] [--window 400] [--callers 64]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger } from '#platform/ledger/steps.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { migrate } from '#platform/storage/migrate.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import type { Unit } from '#platform/storage/store.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { fund } from '../test/support/wallet.ts';
import { interleave, round } from './_rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    window: { type: 'string', default: '400' },
    callers: { type: 'string', default: '64' },
  },
});
const options = { rounds: Number(values.rounds), windowMs: Number(values.window), callers: Number(values.callers) };
const AGENTS = 16;
const PRICE = 10_000;

const directory = await mkdtemp(join(tmpdir(), 'avouch-bench-'));
const clock = systemClock();
const engine = new SqliteEngine(join(directory, 'bench.db'), clock);
const bare = { area: 'bench', number: 1, name: 'bare', sql: 'CREATE TABLE bare (id TEXT PRIMARY KEY)' };
await migrate(engine, [...(await allMigrations()), bare]);
const store = new GroupCommitter({ engine, clock, maxBatch: 256, maxQueue: 10_000 });
for (let agent = 0; agent < AGENTS; agent += 1) await fund(store, `agt_${agent}`, 10 ** 12);

const insert: Unit<[string, null], readonly string[]> = {
  name: 'bare',
  reads: () => ({}),
  load: () => [],
  decide: (state, _nowMs, _next, id) => ({ state: [...state, id], result: null }),
  writes: (_before, ids) => [{ sql: 'INSERT INTO bare (id) VALUES ($1)', rows: ids.map((id) => [id]) }],
};

async function spend(caller: number): Promise<void> {
  const holdId = newId('hold_');
  const agentId = `agt_${caller % AGENTS}`;
  const amountMicro = PRICE;
  await store.runAll(
    [ledger.hold({ holdId, agentId, amountMicro, idem: holdId, ref: null, lifeMs: 120_000 })],
    isRefused,
  );
  const legs = [{ account: 'revenue:capability', amountMicro: -amountMicro }];
  const txId = newId('tx_');
  const [taken] = await store.runAll(
    [ledger.capture({ holdId, amountMicro, kind: 'capability', txId, legs })],
    isRefused,
  );
  if (isRefused(taken)) throw new Error(JSON.stringify(taken));
}

const figures = await interleave(
  [
    { name: 'bare_insert', operate: () => store.run(insert, newId('tx_')) },
    { name: 'hold_and_capture', operate: spend },
  ],
  options,
);
const [inserted, spent] = [figures.get('bare_insert'), figures.get('hold_and_capture')];
const share = round((spent?.perSecond ?? 0) / (inserted?.perSecond ?? 1));
console.log(JSON.stringify({ callers: options.callers, bare_insert: inserted, hold_and_capture: spent, share }));
await store.close();
await rm(directory, { recursive: true });
