// Starting, stopping, stopping under load and starting again, as an operator and a supervisor see it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ChildService, ROOT, runAvouch } from '../../support/child-service.ts';
import { type Answer, Client } from '../../support/client.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';

const CALLERS = 16;
/** Nothing of it takes that long: it makes a start that hangs fail. */
const READY_MS = 30_000;
/** The forced end would come after 30 s with exit code 2. */
const STOP_MS = 20_000;
/** Nothing here takes that long: it makes a hanging test fail. */
const WAIT_MS = 30_000;
const KEYS = '/.well-known/avouch-keys.json';
const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

interface Stage {
  directory(): Promise<string>;
  start(env: Record<string, string>): Promise<ChildService>;
}

/** Ends what a test started before it removes what that lies on, whether the test went well or not. */
function stageOf(t: TestContext): Stage {
  const directories: string[] = [];
  const children: ChildService[] = [];
  t.after(async () => {
    await Promise.all(children.map((child) => child.end('SIGKILL')));
    await Promise.all(directories.map((path) => rm(path, { recursive: true, force: true })));
  });
  return {
    async directory() {
      const path = await temporaryDirectory();
      directories.push(path);
      return path;
    },
    async start(env) {
      const child = await ChildService.start(env);
      children.push(child);
      return child;
    },
  };
}

interface Load {
  /** Leases whose grant a caller has seen. */
  readonly acknowledged: Set<string>;
  /** Answers other than 200. */
  readonly strange: string[];
  /** Calls whose connection was closed without an answer. */
  cut: number;
}

/** Callers that claim one new key after the other until nobody listens any more. */
function startLoad(url: string): { load: Load; ended: Promise<unknown> } {
  const load: Load = { acknowledged: new Set(), strange: [], cut: 0 };
  const client = new Client();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let number = 0; ; number += 1) {
      try {
        const answer = await client.call(url, '/v1/claim', {
          method: 'POST',
          body: { key: `key-${caller}-${number}`, agent: 'ab' },
        });
        if (answer.status === 200) load.acknowledged.add(answer.json['lease'] as string);
        else load.strange.push(answer.text);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ECONNREFUSED') return;
        load.cut += 1;
        assert.match(String(code), /^(ECONNRESET|EPIPE)$/);
      }
    }
  });
  return { load, ended: Promise.all(callers).finally(() => client.close()) };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, 'waited in vain');
    await sleep(10);
  }
}

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}

/** A call of which the server has read the head and half of the body. */
class HalfSentClaim {
  readonly #socket: Socket;
  readonly #rest: string;
  #received = '';

  private constructor(socket: Socket, rest: string) {
    this.#socket = socket;
    this.#rest = rest;
    socket.on('data', (chunk) => (this.#received += String(chunk))).on('error', () => {});
  }

  static async send(url: string, key: string): Promise<HalfSentClaim> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const body = JSON.stringify({ key, agent: 'ab' });
    const claim = new HalfSentClaim(socket, body.slice(10));
    const head = ['POST /v1/claim HTTP/1.1', 'Host: test', 'Content-Type: application/json', 'Expect: 100-continue'];
    socket.write(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`);
    await until(() => claim.#received === 'HTTP/1.1 100 Continue\r\n\r\n');
    claim.#received = '';
    socket.write(body.slice(0, 10));
    return claim;
  }

  /** Sends the rest and gives all that comes until the server closes the connection. */
  async finish(): Promise<{ head: string; json: Record<string, unknown> }> {
    if (this.#socket.writable) this.#socket.write(this.#rest);
    await until(() => this.#socket.closed);
    const [head = '', body = ''] = this.#received.split('\r\n\r\n');
    return { head, json: JSON.parse(body || 'null') as Record<string, unknown> };
  }
}

suite('a signal under load', { concurrency: 2 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} lets requests under way finish, loses no acknowledged claim and ends with 0`, async (t) => {
      const stage = stageOf(t);
      const dataDir = await stage.directory();
      const child = await stage.start(serviceEnv(dataDir, undefined));
      const { load, ended } = startLoad(child.url);
      await until(() => load.acknowledged.size > 200);
      const halves = await Promise.all(['a', 'b', 'c'].map((name) => HalfSentClaim.send(child.url, `half-${name}`)));

      const startedMs = performance.now();
      const exited = child.end(signal);
      await until(() => isRefused(child.url));
      assert.equal(child.process.exitCode, null, 'it waits for the requests under way');
      for (const { head, json } of await Promise.all(halves.map((half) => half.finish()))) {
        assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
        assert.match(head, /\r\nconnection: close\b/i);
        load.acknowledged.add(json['lease'] as string);
      }
      assert.equal(await exited, 0);
      const stopMs = performance.now() - startedMs;
      await ended;

      t.diagnostic(
        `stopped in ${stopMs.toFixed(0)} ms; ${load.cut} of ${CALLERS} connections cut while a call was on its way`,
      );
      assert.ok(stopMs < STOP_MS, `${stopMs} ms`);
      assert.ok(load.cut <= 2, 'busy callers are told to leave, not cut off');
      assert.deepEqual(load.strange, []);
      assert.equal(existsSync(join(dataDir, 'avouch.db-wal')), false, 'the database was closed in order');
      using database = new DatabaseSync(join(dataDir, 'avouch.db'), { readOnly: true });
      const rows = database.prepare('SELECT id FROM lease').all() as { id: string }[];
      assert.deepEqual([...load.acknowledged.difference(new Set(rows.map(({ id }) => id)))], []);
      const verified = await runAvouch(['audit-trail', 'verify'], serviceEnv(dataDir, undefined));
      assert.deepEqual([verified.code, verified.stderr], [0, '']);
    });
  }
});

test('the first line on standard output holds the address that answers', async (t) => {
  const env = { ...serviceEnv(await stageOf(t).directory(), undefined), PATH: process.env['PATH'] };
  const child = spawn(process.execPath, [join(ROOT, 'bin/avouch.mjs'), 'serve'], { env });
  t.after(() => child.kill('SIGKILL'));
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const line = first.toString().split('\n', 1)[0] ?? '';
  const url = /^Avouch \S+ listens on (http:\/\/127\.0\.0\.1:\d+) \(sandbox profile, pid (\d+)\)/.exec(line);
  assert.ok(line.endsWith(`). Try it: ./avouch tour --url ${url?.[1]}`), line);
  assert.equal(Number(url?.[2]), child.pid);
  const client = new Client();
  t.after(() => client.close());
  const answer = await client.call(url?.[1] ?? '', '/api/v1/health');
  assert.equal(answer.status, 200, answer.text);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a second process is refused while the first serves and may start once that was killed', async (t) => {
  const stage = stageOf(t);
  const dataDir = await stage.directory();
  const env = serviceEnv(dataDir, undefined);
  const client = new Client();
  t.after(() => client.close());
  const first = await stage.start(env);
  t.diagnostic(`ready in ${first.readyMs.toFixed(0)} ms on empty data`);
  assert.ok(first.readyMs < READY_MS, `${first.readyMs} ms`);
  const claim = '/v1/claim?key=work&agent=ab&mode=exclusive&token=token-of-the-first-caller';
  const before = await client.call(first.url, claim);

  const refusal = new RegExp(`exit 1 before .*: another process \\(pid ${first.process.pid}\\) uses `);
  await assert.rejects(stage.start(env), refusal);

  await first.end('SIGKILL');
  const second = await stage.start(env);
  t.diagnostic(`ready in ${second.readyMs.toFixed(0)} ms after a kill`);
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
    const third = await stage.start(env);
    const all = [...racing, third];
    t.diagnostic(`ready in ${all.map(({ readyMs }) => readyMs.toFixed(0)).join(', ')} ms`);
    const [keys, ...others] = await Promise.all(all.map(async ({ url }) => keysIn(await client.call(url, KEYS))));
    assert.equal(keys?.length, 3);
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
    assert.equal((await client.call(third.url, '/v1/claim?key=two&agent=ab')).status, 200);
    assert.deepEqual(
      (await leaders()).map(({ process }) => process),
      led.map(({ process }) => process),
    );
    // The dead leader's time is over: the rows say so now instead of after 15 s.
    await database.query('UPDATE leader SET until = 0');
    await until(async () => (await leaders()).every(({ until: end }) => end > 0));
    const next = await leaders();
    assert.equal(new Set(next.map(({ process }) => process)).size, 1);
    assert.notEqual(next[0]?.process, led[0]?.process);

    const fourth = await stage.start(env);
    assert.deepEqual(keysIn(await client.call(fourth.url, KEYS)), keys);
    assert.deepEqual(await Promise.all([third.end('SIGTERM'), fourth.end('SIGTERM')]), [0, 0]);
    const left = await database.query<{ id: string }>('SELECT id FROM process');
    assert.equal(left.rowCount, 2, 'who stopped in order is gone at once, who was killed is not');
    const known = new Set(processes.rows.map(({ id }) => id));
    assert.ok(left.rows.every(({ id }) => known.has(id)));
    const verified = await runAvouch(['audit-trail', 'verify'], env);
    assert.equal(verified.code, 0);
    assert.deepEqual(verified.stdout.match(/^p\d(?=:)/gm), ['p1', 'p2', 'p3']);
  });
});
