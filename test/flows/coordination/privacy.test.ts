// What callers send is submitted as marked texts; afterwards every byte that the service keeps is searched for them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { tokenHash } from '#kernel/ids.ts';
import { type EngineName, ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';

const TOKENS = {
  query: 'Qm4rk3r-t0k3n-1n-th3-query-string',
  header: 'Hm4rk3r-t0k3n-1n-th3-header-field',
  body: 'Bm4rk3r-t0k3n-1n-th3-json-body-xx',
  wrong: 'Wm4rk3r-t0k3n-0f-s0m3b0dy-else-yy',
} as const;
/** Values that no rule allows to be kept: they are no part of a lease. */
const STRAY = {
  malformedToken: 'm4rk3r malformed token!',
  oddValue: 'm4rk3r-odd-value',
  longName: `m4rk3r-odd-name-${'x'.repeat(40)}`,
  strangeName: 'm4rk3r odd name',
  path: 'm4rk3r-in-the-path',
  authorization: 'm4rk3r-authorization',
  cookie: 'm4rk3r-cookie',
  userAgent: 'm4rk3r-user-agent',
  brokenJson: 'm4rk3r-broken-json',
  fragment: 'm4rk3r-parser-fault',
} as const;
/** Callers behind a proxy, whose addresses nothing else in the data could resemble. */
const FORWARDED = ['198.51.100.213', '2001:db8:5af3:11:22:33:44:55'] as const;
const KEPT = { agent: 'm4rk3r-agent', intent: 'm4rk3r intent of the lease', key: 'm4rk3r-key' } as const;

/** Every file below a directory, with its bytes. */
function filesIn(directory: string): Map<string, Buffer> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(directory, name))]));
}

/** A text in every form in which careless code would have kept it. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [
    text,
    base64,
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(text),
  ];
}

function addressForms(address: string): string[] {
  const packed = address.includes('.') ? Buffer.from(address.split('.').map(Number)) : undefined;
  const prefix = address.split(':').slice(0, 4).join(':');
  const hex = packed?.toString('hex');
  return [
    ...formsOf(address),
    ...(packed === undefined ? [prefix] : [`::ffff:${address}`]),
    ...(hex === undefined ? [] : [hex]),
  ];
}

function foundIn(files: ReadonlyMap<string, Buffer>, texts: readonly string[]): string[] {
  return [...files].flatMap(([name, bytes]) =>
    texts.filter((text) => bytes.includes(text)).map((text) => `${text} in ${name}`),
  );
}

async function everyRow(databaseUrl: string): Promise<Map<string, Buffer>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows = new Map<string, Buffer>();
  for (const { name } of tables.rows) {
    rows.set(`table ${name}`, Buffer.from(JSON.stringify((await client.query(`SELECT * FROM ${name}`)).rows)));
  }
  await client.end();
  return rows;
}

/** One call over a chosen address family; resolves with the status. */
function callOver(host: '127.0.0.1' | '::1', port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ host, port, path, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', reject).end();
  });
}

/** Bytes that the HTTP parser refuses. */
function sendBroken(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket
      .on('error', () => {})
      .resume()
      .on('close', () => resolve());
  });
}

async function submitEverything(service: TestService): Promise<number[]> {
  const port = Number(new URL(service.url).port);
  const { agent, intent, key } = KEPT;
  const query = (fields: Record<string, string>) => `/v1/claim?${new URLSearchParams(fields)}`;
  const statuses: number[] = [];
  const call = async (path: string, options?: Parameters<TestService['call']>[1]) => {
    const answer = await service.call(path, options);
    statuses.push(answer.status);
    return answer;
  };
  const claimed = await call(query({ key: `${key}-1`, agent, intent, token: TOKENS.query }));
  await call(query({ key: `${key}-2`, agent, intent }), { headers: { 'x-crossing-token': TOKENS.header } });
  await call('/v1/claim', { method: 'POST', body: { key: `${key}-3`, agent, intent, token: TOKENS.body } });
  await call(`/v1/release?lease=${String(claimed.json['lease'])}&token=${TOKENS.wrong}`);
  await call(query({ key, agent, token: STRAY.malformedToken }));
  await call(
    query({ key, agent, [STRAY.strangeName]: STRAY.oddValue, [STRAY.longName]: STRAY.oddValue, odd: STRAY.oddValue }),
  );
  await call(`/v1/claim/${STRAY.path}?token=${TOKENS.query}`);
  await call('/v1/claim', {
    method: 'POST',
    body: `{"token":"${TOKENS.body}","x":"${STRAY.brokenJson}`,
    headers: { 'content-type': 'application/json' },
  });
  const headers = {
    authorization: `Bearer ${STRAY.authorization}`,
    cookie: `s=${STRAY.cookie}`,
    'user-agent': STRAY.userAgent,
  };
  await call('/api/v1/health', { headers });
  for (const forwarded of FORWARDED)
    await call(query({ key: `${key}-4`, agent }), { headers: { 'x-forwarded-for': forwarded } });
  await sendBroken(port, `GET / HTTP/1.1\r\n${STRAY.fragment} ${TOKENS.query}\0\r\n\r\n`);
  statuses.push(await callOver('127.0.0.1', port, query({ key: `${key}-5`, agent })));
  return statuses;
}

for (const engine of ENGINES) {
  suite(`what is kept on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let kept: Map<string, Buffer>;

    before(async () => {
      kept = await keptAfterCalls(engine);
    });

    for (const [place, token] of Object.entries(TOKENS)) {
      test(`no file and no row holds the token of the ${place} in any form`, () => {
        assert.deepEqual(foundIn(kept, formsOf(token)), []);
      });
    }

    test('the hash of each token that a lease has is what is kept instead', () => {
      for (const token of [TOKENS.query, TOKENS.header, TOKENS.body]) {
        assert.notDeepEqual(foundIn(kept, [tokenHash(token)]), []);
      }
      assert.deepEqual(foundIn(kept, [tokenHash(TOKENS.wrong)]), []);
    });

    test('what a lease is made of is found: the search itself works', () => {
      for (const text of Object.values(KEPT)) assert.notDeepEqual(foundIn(kept, [text]), []);
    });

    for (const [what, text] of Object.entries(STRAY)) {
      test(`no file and no row holds the marked ${what}`, () => assert.deepEqual(foundIn(kept, formsOf(text)), []));
    }

    test('no file and no row holds the address of a caller', () => {
      for (const address of [...FORWARDED, '127.0.0.1']) assert.deepEqual(foundIn(kept, addressForms(address)), []);
      // Three bytes may stand by chance in a binary file; in the lines of the trail they may not.
      const lines = new Map([...kept].filter(([name]) => name.endsWith('.ndjson')));
      assert.equal(lines.size, 2, 'of the running and of the stopped service');
      assert.deepEqual(foundIn(lines, ['::1', '::ffff', '2001:db8']), []);
    });
  });
}

async function keptAfterCalls(engine: EngineName): Promise<Map<string, Buffer>> {
  const dataDir = await temporaryDirectory();
  const databaseUrl = await freshDatabase(engine);
  const service = await TestService.start({
    dataDir,
    databaseUrl,
    env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1', AVOUCH_LOG_LEVEL: 'silent' },
  });
  const statuses = await submitEverything(service);
  assert.deepEqual(statuses, [200, 200, 200, 403, 400, 400, 404, 400, 200, 200, 409, 200]);
  // As a crash would leave it, with the write-ahead log; then as an orderly stop leaves it.
  const running = filesIn(dataDir);
  await service[Symbol.asyncDispose]();
  const stopped = filesIn(dataDir);
  await rm(dataDir, { recursive: true });
  const rows = databaseUrl === undefined ? new Map<string, Buffer>() : await everyRow(databaseUrl);
  return new Map([...[...running].map(([name, bytes]) => [`running ${name}`, bytes] as const), ...stopped, ...rows]);
}

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

test('callers over IPv6 and over IPv4 as IPv6 shows it leave no address', {
  skip: !hasIpv6 && 'no IPv6 here',
}, async (t) => {
  const dataDir = await temporaryDirectory();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const service = await TestService.start({ dataDir, env: { HOST: '::', AVOUCH_SANDBOX_PUBLIC: 'yes' } });
  const port = Number(/\d+$/.exec(service.url)?.[0]);
  for (const host of ['127.0.0.1', '::1'] as const) {
    assert.equal(await callOver(host, port, `/v1/claim?key=k&agent=agent-${host.length}`), 200);
  }
  await service[Symbol.asyncDispose]();
  const files = filesIn(dataDir);
  assert.deepEqual(foundIn(files, ['127.0.0.1', '::ffff:', '7f000001', '0:0:0:0:0:0:0:1']), []);
  const lines = new Map([...files].filter(([name]) => name.endsWith('.ndjson')));
  assert.deepEqual(foundIn(lines, ['::1']), []);
  assert.equal(
    lines
      .get('trail/p1-000001.ndjson')
      ?.toString()
      .match(/"addr":"[0-9a-f]{16}"/g)?.length,
    2,
  );
});

test('the key of a day that is over is gone from the database', async (t) => {
  const dataDir = await temporaryDirectory();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const clock = new ManualClock(Date.UTC(2026, 2, 1, 12));
  const secrets: unknown[] = [];
  for (let day = 0; day < 2; day += 1) {
    await using service = await TestService.start({ dataDir, clock });
    const rows = await service.service.store.read('SELECT day, secret FROM day_key');
    assert.equal(rows.length, 1);
    secrets.push(rows[0]?.['secret']);
    clock.advance(DAY_MS);
  }
  assert.notEqual(secrets[0], secrets[1]);
  assert.notDeepEqual(foundIn(filesIn(dataDir), [String(secrets[1])]), [], 'the search itself works');
  assert.deepEqual(foundIn(filesIn(dataDir), [String(secrets[0])]), []);
});
