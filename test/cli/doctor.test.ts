// The checklist before production: a sane installation has nothing to mend, and each thing that is wrong is found by its own check.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { PRODUCTION } from '#config/_settings.ts';
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import { markUnit } from '#storage/recovery-mark.ts';
import { CHECKS, doctor } from '../../src/cli/doctor.ts';
import { diagnose, type Result } from '../../src/doctor/check.ts';
import type { Facts, StoreFacts } from '../../src/doctor/facts.ts';
import { gatherFacts } from '../../src/doctor/gather.ts';
import { openFoundation } from '../../src/foundation.ts';
import { freshDatabase, hasPostgres, PATIENCE } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';
const root = await temporaryDirectory();
const dataDir = join(root, 'data');
const at = (name: string) => join(root, name);
after(() => rm(root, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const ENV: Record<string, string | undefined> = {
  ...PRODUCTION,
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  AVOUCH_KEY_PASSPHRASE_FILE: at('passphrase'),
  AVOUCH_SERVER_SECRET_FILE: at('secret'),
  AVOUCH_TRUSTED_PROXIES: '127.0.0.1',
  AVOUCH_MAX_CONNECTIONS: '500',
};

async function install(env: typeof ENV): Promise<void> {
  const config = readConfig(env);
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, true);
  await foundation.store.run(markUnit, { name: 'backup', detail: '/backup/last' });
}

/** What is not ok, as id and status. */
const notOk = (results: readonly Result[]) =>
  Object.fromEntries(results.filter(({ status }) => status !== 'ok').map(({ id, status }) => [id, status]));

/** A production without witnesses is told so, and may start. */
const SANE = { witness: 'warn' };

before(async () => {
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(at('passphrase'), 'correct horse battery', { mode: 0o600 });
  await writeFile(at('secret'), 'ab'.repeat(32), { mode: 0o600 });
  await install(ENV);
});

type Undo = () => unknown;

function query(statement: string, undo: string): () => Promise<Undo> {
  return async () => {
    const run = (sql: string) => {
      using database = new DatabaseSync(join(dataDir, 'avouch.db'));
      database.exec(sql);
    };
    run(statement);
    return () => run(undo);
  };
}

function mode(path: string, wrong: number, right = 0o600): () => Promise<Undo> {
  return async () => {
    await chmod(path, wrong);
    return () => chmod(path, right);
  };
}

function file(path: string, text: string): () => Promise<Undo> {
  return async () => {
    await writeFile(path, text, { mode: 0o600 });
    return () => rm(path);
  };
}

async function lostKey(): Promise<Undo> {
  const path = join(dataDir, 'keys', 'receipts-001.pem');
  await rename(path, at('kept.pem'));
  return () => rename(at('kept.pem'), path);
}

async function takenPort(): Promise<Undo> {
  const server = createServer().listen(Number(ENV['PORT']), '127.0.0.1');
  await once(server, 'listening');
  return () => server.close();
}

const other = await (async () => {
  const paths = { short: at('short'), secret: at('other-secret'), policy: at('policy') };
  await writeFile(paths.short, 'short', { mode: 0o600 });
  await writeFile(paths.secret, 'cd'.repeat(32), { mode: 0o600 });
  await writeFile(paths.policy, 'witness of nothing\n');
  return paths;
})();

const HIGH_WATER = `avouch.example/astralock\n7\n${'A'.repeat(43)}=\n\n\u2014 avouch.example/astralock ${'A'.repeat(92)}\n`;
const STRIPE = { AVOUCH_WALLET_TOPUP: 'stripe', AVOUCH_STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const LIVE = { ...STRIPE, AVOUCH_STRIPE_SECRET_KEY: 'sk_live_1' };

interface Plant {
  readonly env?: Record<string, string | undefined>;
  readonly plant?: () => Promise<Undo>;
  readonly also?: Record<string, string>;
}

const PLANTED: readonly (readonly [what: string, id: string, status: string, plant: Plant])[] = [
  ['an unknown setting', 'settings', 'fail', { env: { AVOUCH_TYPO: '1' } }],
  ['an address in clear', 'base-url', 'fail', { env: { BASE_URL: 'http://avouch.example' } }],
  ['an address that nobody reaches', 'base-url', 'warn', { env: { BASE_URL: 'https://10.0.0.7' } }],
  ['no contact', 'operator', 'fail', { env: { AVOUCH_OPERATOR_CONTACT: 'ask me' } }],
  ['a port that another program has', 'listen', 'fail', { plant: takenPort }],
  ['a port that changes', 'listen', 'fail', { env: { PORT: '0' } }],
  ['a proxy that is not trusted', 'proxies', 'fail', { env: { AVOUCH_TRUSTED_PROXIES: '' } }],
  ['a rate that is none', 'limits', 'fail', { env: { AVOUCH_RATE_PAID: 'fast' } }],
  ['a rate that limits nothing', 'limits', 'warn', { env: { AVOUCH_RATE_PAID: '5000/s,9' } }],
  ['more connections than files', 'open-files', 'warn', { env: { AVOUCH_MAX_CONNECTIONS: '1000000' } }],
  ['a register without its key', 'registers', 'fail', { env: { AVOUCH_REGISTERS: 'kvk' } }],
  ['a test facilitator', 'payments', 'fail', { env: { AVOUCH_FACILITATOR_URL: 'https://x402.org/facilitator' } }],
  ['a node in clear', 'payments', 'warn', { env: { AVOUCH_RPC_URL: 'http://node.example' } }],
  ['an engine that is none', 'signatures', 'fail', { env: { AVOUCH_SECP256K1: 'fast' } }],
  ['a development account', 'pay-to', 'fail', { env: { AVOUCH_PAY_TO: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } }],
  ['a test key of the card processor', 'cards', 'fail', { env: { ...STRIPE, AVOUCH_STRIPE_SECRET_KEY: 'sk_test_1' } }],
  ['another card processor', 'cards', 'fail', { env: { ...LIVE, AVOUCH_STRIPE_BASE_URL: 'https://cards.example' } }],
  ['an old rate of the dollar', 'exchange-rate', 'warn', { env: { AVOUCH_FX_AS_OF: '2024-01-01' } }],
  [
    'a file of providers that is not there',
    'capabilities',
    'fail',
    { env: { AVOUCH_CAPABILITY_PROVIDERS: at('none') } },
  ],
  ['mail to nobody', 'mail', 'fail', { env: { AVOUCH_ORDER_MAIL_TO: 'nobody' } }],
  ['a directory that others see', 'data-dir', 'fail', { plant: mode(dataDir, 0o755, 0o700) }],
  ['a file where the trail goes', 'audit-trail', 'fail', { plant: file(join(dataDir, 'trail'), '') }],
  ['a secret that others read', 'secret-files', 'fail', { plant: mode(at('passphrase'), 0o644) }],
  ['a short passphrase', 'key-passphrase', 'fail', { env: { AVOUCH_KEY_PASSPHRASE_FILE: other.short } }],
  ['a key that others read', 'keys', 'fail', { plant: mode(join(dataDir, 'keys', 'receipts-001.pem'), 0o640) }],
  ['a key that is gone', 'keys', 'fail', { plant: lostKey }],
  ['another server secret', 'server-secret', 'fail', { env: { AVOUCH_SERVER_SECRET_FILE: other.secret } }],
  [
    'a schema of a newer release',
    'schema',
    'fail',
    { plant: query("INSERT INTO migration VALUES ('log', 99, 'new', '')", 'DELETE FROM migration WHERE number = 99') },
  ],
  [
    'a schema of an older release',
    'schema',
    'warn',
    {
      plant: query(
        "UPDATE migration SET area = '' WHERE area = 'lessons'",
        "UPDATE migration SET area = 'lessons' WHERE area = '' AND number = 1",
      ),
    },
  ],
  [
    'a store that was moved',
    'store',
    'fail',
    {
      plant: query(
        "INSERT INTO recovery VALUES ('moved', 1, 'elsewhere')",
        "DELETE FROM recovery WHERE name = 'moved'",
      ),
    },
  ],
  ['a log that went back', 'log', 'fail', { plant: file(join(dataDir, 'log-high-water'), HIGH_WATER) }],
  [
    'a change of tomorrow',
    'clock',
    'fail',
    { plant: query('UPDATE head SET at = at + 99999999999999', 'UPDATE head SET at = 0') },
  ],
  ['a policy that is none', 'witness', 'fail', { env: { AVOUCH_WITNESS_POLICY_FILE: other.policy } }],
  [
    'a ledger that stands still',
    'ledger',
    'fail',
    { plant: query('UPDATE ledger_head SET halted = 1', 'UPDATE ledger_head SET halted = 0') },
  ],
  [
    'a backup of last month',
    'backup',
    'fail',
    {
      plant: query(
        "UPDATE recovery SET at = at - 2600000000 WHERE name = 'backup'",
        "UPDATE recovery SET at = at + 2600000000 WHERE name = 'backup'",
      ),
    },
  ],
  [
    'a database that does not answer',
    'database',
    'fail',
    {
      env: { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' },
      also: Object.fromEntries(
        ['server-secret', 'durability', 'replication', 'schema', 'store', 'log', 'clock', 'ledger', 'backup'].map(
          (id) => [id, 'warn'],
        ),
      ),
    },
  ],
];

suite('the doctor', () => {
  test('has nothing to mend in a sane installation, and says so with exit code 0', async () => {
    let said = '';
    const terminal = { env: ENV, out: (text: string) => void (said += text), err: () => {} };
    assert.equal(await doctor.run(['--json'], terminal), 0, said);
    const report = JSON.parse(said) as { fail: number; checks: Result[] };
    assert.deepEqual(notOk(report.checks), SANE);
    assert.deepEqual([report.fail, report.checks.length], [0, CHECKS.length]);
    said = '';
    assert.equal(await doctor.run([], { ...terminal, env: { ...ENV, AVOUCH_TYPO: '1' } }), 1);
    assert.match(said, /^fail settings +AVOUCH_TYPO is not a setting/m);
  });

  for (const [what, id, status, { env = {}, plant, also = {} }] of PLANTED) {
    test(`finds ${what} by the check ${id}`, async () => {
      const undo = await plant?.();
      try {
        const results = diagnose(CHECKS, await gatherFacts({ ...ENV, ...env }));
        assert.deepEqual(notOk(results), { ...SANE, ...also, [id]: status }, JSON.stringify(results));
        const found = results.find((result) => result.id === id);
        assert.ok(found !== undefined && found.detail !== '' && found.cure !== '');
      } finally {
        await undo?.();
      }
    });
  }

  const postgres = { engine: 'postgres', standbys: 0, synchronousStandbys: '', clockAheadMs: 3 } as const;
  const settings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
  const engine = (facts: Facts, change: Partial<StoreFacts['engine']>): Facts => ({
    ...facts,
    store: { ...(facts.store as StoreFacts), engine: { ...postgres, settings, ...change } },
  });
  for (const [what, id, status, change] of [
    ['a disk that is nearly full', 'disk-space', 'fail', (facts: Facts) => ({ ...facts, freeBytes: 5e8 })],
    [
      'a network file system',
      'durability',
      'fail',
      (facts: Facts) => ({ ...facts, dataDir: { ...facts.dataDir, isNetwork: true } }),
    ],
    [
      'nothing but the slow engine',
      'signatures',
      'warn',
      (facts: Facts) => ({ ...facts, recoverEngines: facts.recoverEngines.slice(-1) }),
    ],
    ['nothing that checks a signature', 'signatures', 'fail', (facts: Facts) => ({ ...facts, recoverEngines: [] })],
    ['fsync off', 'durability', 'fail', (facts: Facts) => engine(facts, { settings: { ...settings, fsync: 'off' } })],
    [
      'torn pages',
      'durability',
      'fail',
      (facts: Facts) => engine(facts, { settings: { ...settings, full_page_writes: 'off' } }),
    ],
    ['an asynchronous standby', 'replication', 'fail', (facts: Facts) => engine(facts, { standbys: 1 })],
    ['a clock that is wrong', 'clock', 'fail', (facts: Facts) => engine(facts, { clockAheadMs: -60_000 })],
    ['a clock that is a little off', 'clock', 'warn', (facts: Facts) => engine(facts, { clockAheadMs: 900 })],
    [
      'half of an extra',
      'extras',
      'warn',
      (facts: Facts) => ({
        ...facts,
        extras: facts.extras.map((extra) => ({ ...extra, state: 'incomplete' as const })),
      }),
    ],
  ] as const) {
    test(`finds ${what} by the check ${id}`, async () => {
      const facts = change(await gatherFacts(ENV));
      assert.deepEqual(notOk(diagnose(CHECKS, facts)), { ...SANE, [id]: status });
    });
  }

  test('takes a port that its own service holds for what it is', async () => {
    await using service = await TestService.start();
    const { port } = new URL(service.url);
    const facts = await gatherFacts({ DATA_DIR: service.dataDir, PORT: port });
    assert.deepEqual([facts.isServed, facts.listenFault], [true, 'EADDRINUSE']);
    const { listen, ...others } = notOk(diagnose(CHECKS, facts));
    assert.equal(listen, undefined);
    assert.ok(!Object.values(others).includes('fail'), JSON.stringify(others));
  });

  test('asks PostgreSQL the same', { skip: noPostgres }, async () => {
    const url = (await freshDatabase('postgres')) as string;
    const env = { ...ENV, DATABASE_URL: url, DATA_DIR: at('data-2') };
    await mkdir(at('data-2'), { mode: 0o700 });
    await install(env);
    const { durability, ...others } = notOk(diagnose(CHECKS, await gatherFacts(env, PATIENCE)));
    assert.deepEqual(others, SANE);
    const client = new pg.Client(url);
    await client.connect();
    await client.query(
      `ALTER DATABASE "${(await client.query('SELECT current_database() AS name')).rows[0].name}" SET synchronous_commit = off`,
    );
    await client.end();
    assert.equal(notOk(diagnose(CHECKS, await gatherFacts(env, PATIENCE)))['durability'], durability ?? 'warn');
  });
});
