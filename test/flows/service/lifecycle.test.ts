// Starting, stopping, stopping under load and starting again, as an operator and a supervisor see it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import pg from 'pg';
import { ROOT } from '../../support/child-service.ts';
import { type Answer, Client } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { stageOf, stopUnderLoad } from './stop-under-load.ts';

const KEYS = '/.well-known/avouch-keys.json';
const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

stopUnderLoad('SIGTERM');

test('the first line on standard output holds the address that answers, and SIGINT ends it with 0', async (t) => {
  const env = { ...serviceEnv(await stageOf(t).directory(), undefined), PATH: process.env['PATH'] };
  const child = spawn(process.execPath, [join(ROOT, 'bin/avouch.mjs'), 'serve'], { env });
  t.after(() => child.kill('SIGKILL'));
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const ready = JSON.parse(first.toString()) as { msg: string; address: string; listening: string; pid: number };
  assert.deepEqual([ready.msg, ready.pid], ['service ready', child.pid]);
  assert.match(ready.listening, /^http:\/\/127\.0\.0\.1:\d+$/);
  const client = new Client();
  t.after(() => client.close());
  const answer = await client.call(ready.address, '/api/v1/health');
  assert.equal(answer.status, 200, answer.text);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a second process is refused while the first serves and may start once that was killed', async (t) => {
  const stage = stageOf(t);
  const dataDir = await stage.directory();
  const env = serviceEnv(dataDir, undefined);
  const client = new Client();
  t.after(() => client.close());
  const first = await stage.start(env);
  const claim = '/v1/claim?key=work&agent=ab&mode=exclusive&token=token-of-the-first-caller';
  const before = await client.call(first.url, claim);

  const refusal = new RegExp(
    `exit 1 before .*"start failed","cause":"another process \\(pid ${first.process.pid}\\) uses `,
  );
  await assert.rejects(stage.start(env), refusal);

  await first.end('SIGKILL');
  const second = await stage.start(env);
  const after = await client.call(second.url, claim);
  assert.deepEqual([after.json['lease'], after.json['repeated']], [before.json['lease'], true]);
  assert.equal(await second.end('SIGTERM'), 0);
});

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && noPostgres;
  test(`a restart on ${engine} keeps leases, revision and keys`, { skip }, async (t) => {
    const stage = stageOf(t);
    const dataDir = await stage.directory();
    const databaseUrl = await freshDatabase(engine);
    const claim = '/v1/claim?key=work&agent=ab&mode=exclusive&token=token-of-the-first-caller';
    const runs: { lease: unknown; rev: unknown; repeated: unknown; keys: unknown }[] = [];
    for (let run = 0; run < 3; run += 1) {
      await using service = await TestService.start({ dataDir, databaseUrl });
      const { json } = await service.call(claim);
      const keys = keysIn(await service.call(KEYS));
      runs.push({ lease: json['lease'], rev: json['rev'], repeated: json['repeated'], keys });
    }
    const [first, ...later] = runs;
    assert.equal(first?.repeated, false);
    for (const run of later) assert.deepEqual(run, { ...first, repeated: true });
  });
}

test('a start that fails leaves the data directory free for the next one', async (t) => {
  const stage = stageOf(t);
  const dataDir = await stage.directory();
  await using other = await TestService.start();
  const taken = { PORT: new URL(other.url).port };
  await assert.rejects(TestService.start({ dataDir, env: taken }), { code: 'EADDRINUSE' });
  await using service = await TestService.start({ dataDir });
  assert.equal((await service.call('/api/v1/health')).status, 200);
});

/** The public keys as the service tells them, in its order; `kid` names the port of a test. */
function keysIn({ json }: Answer): unknown[] {
  return (json['keys'] as Record<string, unknown>[]).map((key) => ({ ...key, kid: null }));
}

interface Leader {
  readonly job: string;
  readonly process: string;
  readonly until: number;
}

suite('several processes on one PostgreSQL database and one data directory', { skip: noPostgres }, () => {
  test('agree on keys from a common start, share leases, have one leader, and outlive its kill', async (t) => {
    const databaseUrl = (await freshDatabase('postgres')) as string;
    const stage = stageOf(t);
    const dataDir = await stage.directory();
    const env = serviceEnv(dataDir, databaseUrl);
    const client = new Client();
    t.after(() => client.close());
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    t.after(() => database.end());
    const leaders = async () =>
      (await database.query<Leader>('SELECT job, process, until FROM leader ORDER BY job')).rows;

    // Two at once on the empty database: one of them becomes the leader. The third comes later and cannot be.
    const racing = await Promise.all([stage.start(env), stage.start(env)]);
    const third = await TestService.start({ dataDir, databaseUrl });
    t.after(() => third[Symbol.asyncDispose]());
    const all = [...racing, third];
    const [keys, ...others] = await Promise.all(all.map(async ({ url }) => keysIn(await client.call(url, KEYS))));
    assert.equal(keys?.length, 4);
    for (const seen of others) assert.deepEqual(seen, keys);
    const health = await Promise.all(all.map(({ url }) => client.call(url, '/api/v1/health')));
    assert.deepEqual(
      health.map(({ status }) => status),
      [200, 200, 200],
    );
    const claims = await Promise.all(
      all.map(({ url }, i) => client.call(url, `/v1/claim?key=one&agent=agent-${i}&mode=exclusive`)),
    );
    assert.deepEqual(
      claims.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409],
    );
    const processes = await database.query<{ id: string }>('SELECT id FROM process');
    assert.equal(processes.rowCount, 3);
    const led = await leaders();
    assert.ok(led.length >= 1);
    assert.equal(new Set(led.map(({ process }) => process)).size, 1, 'one process leads every job');

    await Promise.all(racing.map((child) => child.end('SIGKILL')));
    // Time is what the rows say, however long this takes.
    await database.query('UPDATE leader SET until = until + 3600000');
    await third.heartbeat();
    assert.equal((await client.call(third.url, '/v1/claim?key=two&agent=ab')).status, 200);
    assert.deepEqual(
      (await leaders()).map(({ process }) => process),
      led.map(({ process }) => process),
    );
    // The dead leader's time is over: the rows say so now instead of after 15 s.
    await database.query('UPDATE leader SET until = 0');
    await third.heartbeat();
    // The others are work that only the command to serve takes on.
    const next = (await leaders()).filter(({ until }) => until > 0);
    assert.ok(next.length > led.length / 2);
    assert.equal(new Set(next.map(({ process }) => process)).size, 1);
    assert.notEqual(next[0]?.process, led[0]?.process);

    const fourth = await TestService.start({ dataDir, databaseUrl });
    assert.deepEqual(keysIn(await client.call(fourth.url, KEYS)), keys);
    for (const service of [third, fourth]) await service[Symbol.asyncDispose]();
    const left = await database.query<{ id: string }>('SELECT id FROM process');
    assert.equal(left.rowCount, 2, 'who stopped in order is gone at once, who was killed is not');
    const known = new Set(processes.rows.map(({ id }) => id));
    assert.ok(left.rows.every(({ id }) => known.has(id)));
    const verified = await runCommand(['audit-trail', 'verify'], env);
    assert.equal(verified.code, 0);
    assert.deepEqual(verified.stdout.match(/^p\d(?=:)/gm), ['p1', 'p2', 'p3']);
  });
});
