// The checklist before production: a sane installation has no failure, each thing that is wrong is found by its own check, and
// what was not looked at is never called ok.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { Secret } from '#platform/config/secret.ts';
import { SMTPServer } from 'smtp-server';
import { PRODUCTION } from '#platform/config/_settings.ts';
import { readConfig } from '#platform/config/config.ts';
import { SETTINGS } from '#platform/config/env.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { FORMAT, MANIFEST_FILE } from '#platform/recovery/manifest.ts';
import { markUnit } from '#platform/storage/recovery-mark.ts';
import { CHECKS } from '../../src/cli/doctor.ts';
import { diagnose, type DoctorResult } from '../../src/cli/doctor/check.ts';
import type { Installation, StoreFacts, WitnessFact } from '../../src/cli/doctor/facts.ts';
import { gatherFacts } from '../../src/cli/doctor/gather.ts';
import { openFoundation } from '../../src/platform/foundation.ts';
import { runCommand } from '../support/command.ts';
import { freshDatabase, hasPostgres, PATIENCE } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { SettlementStub } from '../support/settlement-stub.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';
import { sha256Hex } from '#kernel/ids.ts';

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';
const root = await temporaryDirectory();
const dataDir = join(root, 'data');
const at = (name: string) => join(root, name);
const settlement = await SettlementStub.start();
after(() => settlement[Symbol.asyncDispose]());
after(() => rm(root, { recursive: true }));

const ENV: Record<string, string | undefined> = {
  ...PRODUCTION,
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  AVOUCH_RPC_URL: settlement.url,
  AVOUCH_FACILITATOR_URL: settlement.url,
  AVOUCH_KEY_PASSPHRASE_FILE: at('passphrase'),
  AVOUCH_SERVER_SECRET_FILE: at('secret'),
  AVOUCH_TRUSTED_PROXIES: '127.0.0.1',
  AVOUCH_MAX_CONNECTIONS: '500',
};

async function install(env: typeof ENV): Promise<void> {
  const config = readConfig(env);
  await using foundation = await openFoundation({ config, secrets: readSecrets(config) }, true);
  const detail = `${at('backup')} as of ${new Date().toISOString()}`;
  await foundation.store.run(markUnit, { name: 'backup', detail });
}

/** What is not ok, as id and status. */
const notOk = (results: readonly DoctorResult[]) =>
  Object.fromEntries(results.filter(({ status }) => status !== 'ok').map(({ id, status }) => [id, status]));

/** A production without witnesses is told so, and may start; what is switched off or does not run cannot be asked. */
const SANE = {
  witness: 'warn',
  ...Object.fromEntries(
    ['cards', 'mail', 'own-address', 'ops-port', 'log', 'rollback', 'bazaar'].map((id) => [id, 'not_checked']),
  ),
};

before(async () => {
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(at('passphrase'), 'correct horse battery', { mode: 0o600 });
  await writeFile(at('secret'), sha256Hex('a secret'), { mode: 0o600 });
  await writeFile(at('settler-key'), `0x${'1'.repeat(64)}`, { mode: 0o600 });
  await mkdir(at('backup'));
  await writeFile(join(at('backup'), 'head.ndjson'), '');
  const manifest = { format: FORMAT, tables: [{ table: 'head' }], schema: [] };
  await writeFile(join(at('backup'), MANIFEST_FILE), JSON.stringify(manifest));
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

function moved(path: string): () => Promise<Undo> {
  return async () => {
    await rename(path, at('kept'));
    return () => rename(at('kept'), path);
  };
}

async function takenPort(): Promise<Undo> {
  const server = createServer().listen(Number(ENV['PORT']), '127.0.0.1');
  await once(server, 'listening');
  return () => server.close();
}

const other = await (async () => {
  const paths = { short: at('short'), secret: at('other-secret'), policy: at('policy') };
  await writeFile(paths.short, 'short', { mode: 0o600 });
  await writeFile(paths.secret, sha256Hex('another secret'), { mode: 0o600 });
  await writeFile(paths.policy, 'witness of nothing\n');
  return paths;
})();

const HIGH_WATER = `avouch.example/astralock\n7\n${'A'.repeat(43)}=\n\n\u2014 avouch.example/astralock ${'A'.repeat(92)}\n`;
const STRIPE = { AVOUCH_WALLET_TOPUP: 'stripe', AVOUCH_STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const LIVE = { ...STRIPE, AVOUCH_STRIPE_SECRET_KEY: 'sk_live_1' };

const NOT_ASKED = { node: 'not_checked', facilitator: 'not_checked' };
const NOWHERE = 'http://127.0.0.1:1';
const SMTP = { AVOUCH_MAIL: 'smtp', AVOUCH_MAIL_FROM: 'no-reply@avouch.example' };
const CHAIN = {
  AVOUCH_SETTLEMENT: 'chain',
  AVOUCH_SETTLER_KEY_FILE: at('settler-key'),
  AVOUCH_BATCH_CONTRACT: `0x${'a'.repeat(40)}`,
};

function stubbed(
  change: Partial<Pick<SettlementStub, 'tokenName' | 'network' | 'balanceWei' | 'status' | 'aheadMs'>>,
): () => Promise<Undo> {
  return async () => {
    const { tokenName, network, balanceWei, status, aheadMs } = settlement;
    Object.assign(settlement, change);
    return () => Object.assign(settlement, { tokenName, network, balanceWei, status, aheadMs });
  };
}

interface Plant {
  readonly env?: Record<string, string | undefined>;
  readonly plant?: () => Promise<Undo>;
  readonly also?: Record<string, string>;
}

const PLANTED: readonly (readonly [what: string, id: string, status: string, plant: Plant])[] = [
  ['an unknown setting', 'settings', 'fail', { env: { AVOUCH_TYPO: '1' } }],
  ['an unknown setting of an area', 'settings', 'fail', { env: { AVOUCH_AREA_CROSSING_TYPO: '1' } }],
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
  [
    'a test facilitator',
    'payments',
    'fail',
    { env: { AVOUCH_FACILITATOR_URL: 'https://x402.org/facilitator' }, also: NOT_ASKED },
  ],
  ['a node in clear', 'payments', 'warn', { env: { AVOUCH_RPC_URL: settlement.url.replace('127.0.0.1', '0.0.0.0') } }],
  ['a node that does not answer', 'node', 'fail', { env: { AVOUCH_RPC_URL: NOWHERE } }],
  ['a node of another chain', 'node', 'fail', { plant: stubbed({ tokenName: 'Sandbox USDC' }) }],
  ['a facilitator that does not answer', 'facilitator', 'fail', { env: { AVOUCH_FACILITATOR_URL: NOWHERE } }],
  ['a facilitator of another network', 'facilitator', 'fail', { plant: stubbed({ network: 'eip155:84532' }) }],
  ['a facilitator that refuses the credential', 'facilitator', 'fail', { plant: stubbed({ status: 401 }) }],
  ['a clock that differs from that of the facilitator', 'facilitator', 'warn', { plant: stubbed({ aheadMs: 90_000 }) }],
  [
    'a call that the catalogue rejects',
    'bazaar',
    'warn',
    {
      plant: query(
        "INSERT INTO bazaar_listing VALUES ('eu_vat_check', 'rejected', 'schema', 1)",
        'DELETE FROM bazaar_listing',
      ),
    },
  ],
  ['a mail server that does not answer', 'mail', 'fail', { env: { ...SMTP, AVOUCH_SMTP_URL: 'smtp://127.0.0.1:1' } }],
  [
    'a settler without gas money',
    'node',
    'warn',
    { env: CHAIN, plant: stubbed({ balanceWei: 1n }), also: { facilitator: 'not_checked' } },
  ],
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
  [
    'a short passphrase',
    'key-passphrase',
    'fail',
    { env: { AVOUCH_KEY_PASSPHRASE_FILE: other.short }, also: { ...NOT_ASKED, keys: 'not_checked' } },
  ],
  ['a key that others read', 'keys', 'fail', { plant: mode(join(dataDir, 'keys', 'receipts-001.pem'), 0o640) }],
  ['a key that is gone', 'keys', 'fail', { plant: moved(join(dataDir, 'keys', 'receipts-001.pem')) }],
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
        "UPDATE migration SET area = '' WHERE area = 'lessons' AND number = 1",
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
    'no backup at all',
    'backup',
    'warn',
    {
      plant: query(
        "UPDATE recovery SET name = 'restored' WHERE name = 'backup'",
        "UPDATE recovery SET name = 'backup' WHERE name = 'restored'",
      ),
    },
  ],
  ['a backup that lacks a file', 'backup', 'fail', { plant: moved(join(at('backup'), 'head.ndjson')) }],
  ['a backup that is not on this machine', 'backup', 'not_checked', { plant: moved(at('backup')) }],
  [
    'a database that does not answer',
    'database',
    'fail',
    {
      env: { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' },
      also: Object.fromEntries(
        [
          ...['keys', 'server-secret', 'durability', 'replication', 'schema', 'store', 'log', 'clock', 'ledger'],
          'backup',
        ].map((id) => [id, 'not_checked']),
      ),
    },
  ],
];

suite('the doctor', () => {
  test('finds no failure in a sane installation, and says so with exit code 0', async () => {
    const sane = await runCommand(['doctor', '--json'], ENV);
    assert.deepEqual([sane.code, sane.stderr], [0, ''], sane.stdout);
    const report = JSON.parse(sane.stdout) as { fail: number; checks: DoctorResult[] };
    assert.deepEqual(notOk(report.checks), SANE);
    assert.deepEqual([report.fail, report.checks.length], [0, CHECKS.length]);
    const typo = await runCommand(['doctor'], { ...ENV, AVOUCH_TYPO: '1' });
    assert.equal(typo.code, 1);
    assert.match(typo.stdout, /^fail settings +AVOUCH_TYPO is not a setting/m);
  });

  test('finds no failure right after init, which names the proxies', async () => {
    const folder = at('init');
    await mkdir(join(folder, 'data'), { recursive: true, mode: 0o700 });
    const address = ['--base-url', 'https://avouch.example', '--contact', 'mailto:ops@avouch.example'];
    const places = ['--data-dir', join(folder, 'data'), '--trusted-proxies', '10.0.0.7,10.1.0.0/16'];
    await runCommand(['init', folder, ...address, ...places]);
    const env = parseEnv(readFileSync(join(folder, 'settings.env'), 'utf8'));
    const results = diagnose(CHECKS, await gatherFacts({ ...env, PORT: ENV['PORT'] }, PATIENCE));
    assert.deepEqual(
      results.filter(({ status }) => status === 'fail'),
      [],
    );
    const found = results.find(({ id }) => id === 'proxies')?.detail;
    assert.equal(found, 'X-Forwarded-For is accepted from 10.0.0.7, 10.1.0.0/16.');
  });

  for (const [what, id, status, { env = {}, plant, also = {} }] of PLANTED) {
    test(`finds ${what} by the check ${id}`, async () => {
      const undo = await plant?.();
      try {
        const results = diagnose(CHECKS, await gatherFacts({ ...ENV, ...env }, PATIENCE));
        assert.deepEqual(notOk(results), { ...SANE, ...also, [id]: status }, JSON.stringify(results));
        const found = results.find((result) => result.id === id);
        assert.match(found?.detail ?? '', /\S\.$/, id);
        assert.match(found?.cure ?? 'missing', status === 'not_checked' ? /^$/ : /^[A-Z].*\.$/, id);
      } finally {
        await undo?.();
      }
    });
  }

  test('prints findings and fixes in sentences, never the title of the check, and why it did not check', async () => {
    const { code, stdout: said, stderr } = await runCommand(['doctor'], ENV);
    assert.deepEqual([code, stderr], [0, '']);
    const results = diagnose(CHECKS, await gatherFacts(ENV, PATIENCE));
    for (const { id, what, detail } of results) {
      assert.notEqual(detail, what, id);
      assert.doesNotMatch(detail, /as it should be/, id);
      assert.ok(!said.includes(`${what}:`), `${id} is told by its title`);
      assert.match(what, /^[A-Z][^.]*$/, id);
    }
    assert.match(said, /^ok +node +The node answers and its token is USD Coin\.$/m);
    assert.match(said, /^ok +facilitator +The facilitator settles exact payments on eip155:8453\.$/m);
    assert.match(said, /^- +mail +Not checked: AVOUCH_MAIL is off, so nobody can sign in to the dashboard\.$/m);
    assert.match(said, /^- +rollback +Not checked: The log has no witnesses, so an older or second copy/m);
    assert.match(said, /^- +own-address +Not checked: The service is not running on this machine\.$/m);
    assert.match(said, /^ok +backup +\S+ as of \S+, 0 hours ago: 1 table, no file is missing\.$/m);
    const of = (status: DoctorResult['status']) => results.filter((result) => result.status === status).length;
    assert.ok(said.endsWith(`\n${of('ok')} passed, 1 warning, 0 failures, 7 not checked\n`), said);
  });

  test('calls nothing ok that needs a database while there is none', async () => {
    const env = { ...ENV, DATA_DIR: at('empty') };
    const results = diagnose(CHECKS, await gatherFacts(env, PATIENCE));
    const told = results.filter(({ detail }) => detail === 'There is no database yet.');
    const ids = ['keys', 'server-secret', 'durability', 'replication', 'schema', 'store', 'log', 'clock', 'ledger'];
    assert.deepEqual(told.map(({ id }) => id).toSorted(), [...ids, 'backup', 'bazaar'].toSorted());
    assert.ok(told.every(({ status }) => status === 'not_checked'));
    assert.equal(notOk(results)['database'], 'not_checked');
  });

  test('names the package that a setting lacks, and does not need it to look at the rest', async () => {
    const env = { ...ENV, ...SMTP, AVOUCH_SMTP_URL: 'smtp://127.0.0.1:1' };
    const results = diagnose(CHECKS, await gatherFacts(env, PATIENCE, (name) => (name === 'nodemailer' ? null : '1')));
    assert.deepEqual(notOk(results), { ...SANE, extras: 'fail' });
    const of = (wanted: string) => results.find(({ id }) => id === wanted)?.detail ?? '';
    assert.equal(of('mail'), 'The package that sends email is not installed.');
    assert.match(of('extras'), /^AVOUCH_MAIL=smtp needs the package nodemailer \S+: npm i nodemailer@\S+\.$/);
  });

  for (const profile of ['production', 'sandbox'] as const) {
    test(`of a ${profile} with free services says of what they do not use that it was not checked, and nothing else`, async () => {
      const five = SETTINGS.filter(({ production, services }) => production && services !== 'all').map(
        ({ name }) => name,
      );
      const given = profile === 'production' ? five : [];
      const env = {
        ...Object.fromEntries(given.map((name) => [name, ENV[name]])),
        AVOUCH_PROFILE: profile,
        AVOUCH_SERVICES: 'free',
        AVOUCH_TRUSTED_PROXIES: '127.0.0.1',
        DATA_DIR: at(`free-${profile}`),
        PORT: ENV['PORT'],
      };
      const results = diagnose(CHECKS, await gatherFacts(env, PATIENCE));
      const unused = results.filter(({ detail }) => detail.includes('AVOUCH_SERVICES=free'));
      assert.deepEqual(
        unused.map(({ id }) => id),
        [
          ...['registers', 'payments', 'node', 'facilitator', 'bazaar', 'signatures', 'pay-to', 'cards'],
          ...['exchange-rate', 'capabilities', 'mail'],
        ],
      );
      assert.ok(unused.every(({ status }) => status === 'not_checked'));
      const isAboutUnset = (text: string) => /is off|own chain|own account|dashboard|exchange rate/.test(text);
      assert.deepEqual(
        results.filter(({ detail }) => isAboutUnset(detail)),
        [],
      );
    });
  }

  test('logs in to the mail server and sends nothing', async () => {
    const taken: string[] = [];
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      logger: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'u' }) : done(new Error('no')),
      onMailFrom: ({ address }, _session, done) => (taken.push(address), done()),
    });
    server.on('error', () => {});
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    const mail = async (password: string) => {
      const env = { ...ENV, ...SMTP, AVOUCH_SMTP_URL: `smtp://u:${password}@127.0.0.1:${port}` };
      return diagnose(CHECKS, await gatherFacts(env, PATIENCE)).find(({ id }) => id === 'mail');
    };
    try {
      assert.partialDeepStrictEqual(await mail('right'), {
        status: 'ok',
        detail: 'The email server accepts our credentials.',
      });
      const wrong = await mail('wrong');
      assert.partialDeepStrictEqual(wrong, {
        status: 'fail',
        detail: 'The email server refused the connection: EAUTH 535.',
      });
      assert.deepEqual(taken, []);
    } finally {
      await new Promise<void>((end) => server.close(() => end()));
    }
  });

  test('asks its own address, and knows another installation by its keys', async () => {
    await using own = await TestService.start();
    await using another = await TestService.start();
    const { port } = new URL(own.url);
    const address = async (env: Record<string, string>) => {
      const facts = await gatherFacts({ DATA_DIR: own.dataDir, PORT: port, ...env }, PATIENCE);
      return diagnose(CHECKS, facts).find(({ id }) => id === 'own-address');
    };
    const detail = `${own.url} serves the keys of this database.`;
    assert.partialDeepStrictEqual(await address({}), { status: 'ok', detail });
    const wrong = await address({ BASE_URL: another.url });
    assert.partialDeepStrictEqual(wrong, {
      status: 'fail',
      detail: `Another installation answers at ${another.url}. None of its keys is in this database.`,
    });
    const nowhere = await address({ BASE_URL: NOWHERE });
    assert.partialDeepStrictEqual(nowhere, {
      status: 'fail',
      detail: `${NOWHERE} does not answer: network (ECONNREFUSED).`,
    });
  });

  test('asks the port for monitoring, where one is set and the service runs', async () => {
    const opsPort = String(await freePort());
    await using own = await TestService.start({ env: { AVOUCH_OPS_PORT: opsPort } });
    const { port } = new URL(own.url);
    const monitoring = async (env: Record<string, string>) => {
      const facts = await gatherFacts({ DATA_DIR: own.dataDir, PORT: port, ...env }, PATIENCE);
      const found = diagnose(CHECKS, facts).find(({ id }) => id === 'ops-port');
      return [found?.status, found?.detail];
    };
    const livez = (place: string) => `http://127.0.0.1:${place}/livez`;
    assert.deepEqual(await monitoring({ AVOUCH_OPS_PORT: opsPort }), ['ok', `${livez(opsPort)} answers.`]);
    const free = String(await freePort());
    const silent = ['fail', `${livez(free)} does not answer: network (ECONNREFUSED).`];
    assert.deepEqual(await monitoring({ AVOUCH_OPS_PORT: free }), silent);
    await using plain = await TestService.start({ env: { AVOUCH_OPS_PORT: '0' } });
    const { port: taken } = new URL(plain.url);
    assert.deepEqual(await monitoring({ AVOUCH_OPS_PORT: taken }), ['fail', `${livez(taken)} returned 404.`]);
    const unset = ['not_checked', 'AVOUCH_OPS_PORT is not set, so /metrics, /livez and /readyz are on PORT.'];
    assert.deepEqual(await monitoring({}), unset);
  });

  const postgres = { engine: 'postgres', standbys: 0, keepsOptions: true, clockAheadMs: 3 } as const;
  const settings = {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    synchronous_standby_names: '',
    wal_sender_timeout: '6000',
  };
  const replicated = { standbys: 1, settings: { ...settings, synchronous_standby_names: 'n2' } };
  const engine = (facts: Installation, change: Partial<StoreFacts['engine']>): Installation => ({
    ...facts,
    store: { ...(facts.store as StoreFacts), engine: { ...postgres, settings, ...change } },
  });
  for (const [what, id, status, change] of [
    ['a disk that is nearly full', 'disk-space', 'fail', (facts: Installation) => ({ ...facts, freeBytes: 5e8 })],
    [
      'a network file system',
      'durability',
      'fail',
      (facts: Installation) => ({ ...facts, dataDir: { ...facts.dataDir, isNetwork: true } }),
    ],
    [
      'nothing but the slow engine',
      'signatures',
      'warn',
      (facts: Installation) => ({ ...facts, recoverEngines: facts.recoverEngines.slice(-1) }),
    ],
    [
      'nothing that checks a signature',
      'signatures',
      'fail',
      (facts: Installation) => ({ ...facts, recoverEngines: [] }),
    ],
    [
      'fsync off',
      'durability',
      'fail',
      (facts: Installation) => engine(facts, { settings: { ...settings, fsync: 'off' } }),
    ],
    [
      'torn pages',
      'durability',
      'fail',
      (facts: Installation) => engine(facts, { settings: { ...settings, full_page_writes: 'off' } }),
    ],
    ['an asynchronous standby', 'replication', 'fail', (facts: Installation) => engine(facts, { standbys: 1 })],
    [
      'commits of other tools that do not wait for the standby',
      'durability',
      'warn',
      (facts: Installation) => engine(facts, { settings: { ...settings, synchronous_commit: 'local' } }),
    ],
    [
      'commits of the service that do not wait, because something between drops its settings',
      'durability',
      'fail',
      (facts: Installation) =>
        engine(facts, { keepsOptions: false, settings: { ...settings, synchronous_commit: 'remote_write' } }),
    ],
    [
      'a connection that drops the settings of the service',
      'durability',
      'warn',
      (facts: Installation) => engine(facts, { keepsOptions: false }),
    ],
    [
      'a standby that is not named',
      'replication',
      'warn',
      (facts: Installation) => ({
        ...engine(facts, replicated),
        config: { ...facts.config, databaseUrl: new Secret('postgres://avouch@one/avouch') },
      }),
    ],
    [
      'a primary that would be slow to stop',
      'replication',
      'warn',
      (facts: Installation) =>
        engine(facts, { ...replicated, settings: { ...replicated.settings, wal_sender_timeout: '60000' } }),
    ],
    ['a clock that is wrong', 'clock', 'fail', (facts: Installation) => engine(facts, { clockAheadMs: -60_000 })],
    ['a clock that is a little off', 'clock', 'warn', (facts: Installation) => engine(facts, { clockAheadMs: 900 })],
    [
      'half of an extra',
      'extras',
      'warn',
      (facts: Installation) => ({
        ...facts,
        extras: facts.extras.map((extra) => ({ ...extra, state: 'incomplete' as const })),
      }),
    ],
  ] as const) {
    test(`finds ${what} by the check ${id}`, async () => {
      const facts = change(await gatherFacts(ENV, PATIENCE));
      assert.deepEqual(notOk(diagnose(CHECKS, facts)), { ...SANE, [id]: status });
    });
  }

  test('shows what the facilitator said of each call, as the docs print it', async () => {
    const facts = await gatherFacts(ENV, PATIENCE);
    const listed = {
      operationId: 'eu_vat_check',
      status: 'success',
      reason: '',
      atMs: Date.UTC(2026, 10, 18, 12),
    } as const;
    const store = { ...(facts.store as StoreFacts), listings: [listed] };
    const found = diagnose(CHECKS, { ...facts, store }).find(({ id }) => id === 'bazaar');
    assert.equal(found?.status, 'ok');
    assert.ok(readFileSync('docs/standards.md', 'utf8').includes(`\n${found?.detail}\n`), found?.detail);
  });

  test('warns of a rate above the one applied for, and of fewer than two independent operators', async () => {
    const facts = await gatherFacts(ENV, PATIENCE);
    const store = facts.store as StoreFacts;
    const seen = (operator: string, hoursAgo = 0): WitnessFact => ({
      name: operator,
      operator,
      size: 5,
      outcome: 'cosigned',
      detail: '',
      atMs: facts.nowMs - hoursAgo * 3_600 * 1_000,
    });
    const told = (witnesses: readonly WitnessFact[], change: Partial<Installation['config']> = {}) => {
      const config = { ...facts.config, witnessPolicyFile: '/policy', witnessEverySeconds: 30, ...change };
      const logHead = { origin: 'avouch.example/astralock', size: 5, rootHex: '' };
      const checks = diagnose(CHECKS, { ...facts, config, store: { ...store, witnesses, logHead } });
      return checks.find(({ id }) => id === 'witness');
    };
    const two = [seen('one.example'), seen('two.example')];
    assert.equal(told(two, { witnessQpd: 2_880 })?.status, 'ok');
    assert.match(told(two, { witnessQpd: 2_879 })?.detail ?? '', /2880 times a day, and AVOUCH_WITNESS_QPD is 2879/);
    for (const witnesses of [
      [seen('one.example'), seen('one.example')],
      [seen('one.example'), seen('avouch.example')],
      [seen('one.example'), seen('two.example', 25)],
    ]) {
      assert.partialDeepStrictEqual(told(witnesses), {
        status: 'warn',
        detail: 'Independent operators that cosigned in the last day: 1.',
      });
    }
  });

  test('takes a port that its own service holds for what it is', async () => {
    await using service = await TestService.start();
    const { port } = new URL(service.url);
    const facts = await gatherFacts({ DATA_DIR: service.dataDir, PORT: port }, PATIENCE);
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
