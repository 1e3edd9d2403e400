import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chainForTest, payee, payer } from '#sandbox/chain/_chain.ts';
import { SandboxMoney } from '#sandbox/chain/sandbox-money.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { migrate } from '#platform/storage/migrate.ts';
import { PostgresEngine } from '#platform/storage/postgres.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { freshDatabase, hasPostgres } from '../../../test/support/databases.ts';
import { clock, payment, settlerOn } from './_settlement.ts';
import type { Settleable } from './settlement.ts';

const CHILD = fileURLToPath(new URL('_child-settler.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(directory, { recursive: true }));
let files = 0;

function runChild(database: string, rpcUrl: string, list: readonly Settleable[], dies = false) {
  const file = join(directory, `payments-${(files += 1)}.json`);
  const given = list.map(({ payload }) => payload.payload);
  writeFileSync(file, JSON.stringify(given));
  const { promise, resolve } = Promise.withResolvers<{ signal: unknown; out: string; err: string }>();
  const args = [CHILD, database, rpcUrl, file, ...(dies ? ['dies'] : [])];
  execFile(process.execPath, args, (error, out, err) => resolve({ signal: error?.signal, out, err }));
  return promise;
}

async function fundedChain() {
  const chain = await chainForTest();
  const money = new SandboxMoney(chain.rpcUrl);
  await money.mint(payer.address, 1_000_000n);
  return { chain, money };
}

function payments(count: number): Promise<Settleable[]> {
  return Promise.all(Array.from({ length: count }, () => payment({ value: 10n })));
}

test('processes on one PostgreSQL settle with one key and never share a nonce', async (context) => {
  if (!(await hasPostgres())) return context.skip('no PostgreSQL here');
  const { chain, money } = await fundedChain();
  await using _chain = chain;
  const url = (await freshDatabase('postgres')) as string;
  const engine = await PostgresEngine.open({ url, process: 'test', clock });
  await migrate(engine, await allMigrations());
  const mine = await Promise.all([payments(8), payments(8)]);
  const ended = await Promise.all(mine.map((list) => runChild(url, chain.rpcUrl, list)));
  for (const { out, err } of ended) {
    assert.deepEqual(
      JSON.parse(out || '[]'),
      Array.from({ length: 8 }, () => 'confirmed'),
      err,
    );
  }
  assert.equal(await money.balance(payee), 160n);
  assert.deepEqual(await engine.read('SELECT nonce FROM settle_batch', []), []);
  await engine.close();
});

test('a process that is killed between store and broadcast leaves a transaction that the next one sends', async () => {
  const { chain, money } = await fundedChain();
  await using _chain = chain;
  const path = join(directory, 'killed.db');
  const engine = new SqliteEngine(path, clock);
  await migrate(engine, await allMigrations());
  const killed = await payments(3);
  assert.equal((await runChild(path, chain.rpcUrl, killed, true)).signal, 'SIGKILL');
  const [row] = await engine.read('SELECT nonce, members FROM settle_batch', []);
  assert.deepEqual(
    JSON.parse(row?.['members'] as string),
    killed.map(({ key }) => key),
  );
  assert.equal(await money.balance(payee), 0n, 'nothing was sent');

  const store = new GroupCommitter({ engine, clock, maxBatch: 256, maxQueue: 1000 });
  await using settler = settlerOn(chain.rpcUrl, store);
  const own = await payment({ value: 5n });
  assert.equal((await settler.settle(own)).outcome, 'confirmed', 'it waits for the nonce before it and gets it');
  for (const one of killed) assert.equal((await settler.reconcile(one)).outcome, 'confirmed');
  assert.equal(await money.balance(payee), 35n);
  await settler[Symbol.asyncDispose]();
  await store.close();
});
