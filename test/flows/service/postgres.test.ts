import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type PostgresCluster, sharedPostgres, startPostgres } from '../../support/postgres.ts';
import { isRefused } from '../../support/raw-http.ts';
import { until } from '../../support/until.ts';

const cluster = await startPostgres();
const options = { skip: cluster === undefined && 'no PostgreSQL server binaries here' };
const module = JSON.stringify(new URL('../../support/postgres.ts', import.meta.url).href);
let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'avouch-test-'));
  await chmod(directory, 0o755); // the server may run as another user
});

after(async () => {
  await rm(directory, { recursive: true });
  await cluster?.stop();
});

test('a fresh database is empty, in UTF-8 with the C locale, durable and apart from the others', options, async () => {
  const server = running();
  const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase()]);
  assert.notEqual(first, second);
  await query(first, 'CREATE TABLE mark (name text)');
  assert.deepEqual(await query(second, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"), []);
  const settings = await query(
    first,
    `SELECT current_setting('fsync') AS fsync, current_setting('max_connections') AS connections,
            pg_encoding_to_char(encoding) AS encoding, datcollate FROM pg_database WHERE datname = current_database()`,
  );
  assert.deepEqual(settings, [{ fsync: 'on', connections: '200', encoding: 'UTF8', datcollate: 'C' }]);
});

test('what was committed is still there after the server was killed and restarted', options, async () => {
  const server = running();
  const url = await server.createDatabase();
  await query(url, "CREATE TABLE mark (name text); INSERT INTO mark VALUES ('kept')");
  await server.kill();
  await assert.rejects(query(url, 'SELECT 1'), { code: 'ECONNREFUSED' });
  await server.restart();
  assert.deepEqual(await query(url, 'SELECT name FROM mark'), [{ name: 'kept' }]);
});

test('a test file can create a database on the shared server', options, async () => {
  const shared = await sharedPostgres();
  assert.ok(shared);
  assert.deepEqual(await query(await shared.createDatabase(), 'SELECT 1 AS one'), [{ one: 1 }]);
});

test('the server ends and its directory goes when the test process is killed', options, async () => {
  const source = `
    import { startPostgres } from ${module};
    const cluster = await startPostgres();
    console.log(cluster.url(''));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  assert.equal(await serverDirectories(), 1);
  child.kill('SIGKILL');
  await untilClosed(String(url));
  await until('the directory is gone', async () => (await serverDirectories()) === 0);
});

async function serverDirectories(): Promise<number> {
  return (await readdir(directory)).filter((name) => name.startsWith('avouch-postgres-')).length;
}

function running(): PostgresCluster {
  assert.ok(cluster);
  return cluster;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
}

/** Resolves when nothing listens at the url any more. */
function untilClosed(url: string): Promise<boolean> {
  return until('the server is gone', () => isRefused(url));
}
