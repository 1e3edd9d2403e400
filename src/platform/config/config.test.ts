import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, suite, test } from 'node:test';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { faultsOf, PRODUCTION } from './_settings.ts';
import { type Config, readConfig } from './config.ts';
import { SETTINGS } from './env.ts';
import { Secret } from './secret.ts';

const directory = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(directory, { recursive: true }));

suite('what holds when nothing is set', () => {
  const config = readConfig({});

  test('the sandbox starts with a value for everything', () => {
    const { rates, dataDir, registers, venues, suppliers, openData, ...rest } = config;
    assert.deepEqual(rest, {
      profile: 'sandbox',
      services: 'all',
      host: '127.0.0.1',
      port: 8402,
      baseUrl: null,
      databaseUrl: null,
      serviceName: 'Avouch',
      operator: { name: 'Sandbox operator', contact: 'https://sandbox.invalid/contact' },
      suspends: true,
      contentSignal: 'search=yes, ai-input=yes, ai-train=yes',
      signsOutbound: false,
      logOrigin: null,
      commit: { maxBatch: 256, maxQueue: 10_000 },
      writer: { mode: 'forward', host: '127.0.0.1' },
      eventDays: 7,
      trustedProxies: [],
      opsAllow: [],
      opsPort: null,
      notReadySeconds: 15,
      drainSeconds: 0,
      otlpUrl: null,
      ipv6Prefix: 64,
      venueHosts: [],
      maxConnections: 20_000,
      keyPassphraseFile: null,
      serverSecretFile: null,
      witnessPolicyFile: null,
      witnessQpd: null,
      ap2RootsFile: null,
      witnessEverySeconds: 30,
      capabilities: {
        providers: null,
        prices: null,
        fx: { rate: '0.925000', rateMicro: 925_000, asOf: '2026-11-15' },
      },
      mcp: { hosts: [], origins: [], repository: null, registryKey: null },
      settlement: null,
      topUp: { by: 'standin', webhookSecret: null },
      mail: { by: 'outbox', logsLoginLinks: false },
      secp256k1: 'auto',
      payTo: null,
      logLevel: 'info',
      ofAreas: {},
      warnings: [],
    });
    assert.ok(
      Object.values(registers).every((register) => register !== null),
      'all registers are on',
    );
    assert.equal(openData.ingest.length, 8, 'all data sets are read');
    assert.equal(openData.baseUrls.koop, 'https://repository.overheid.nl');
    assert.deepEqual(venues, {
      github: { baseUrl: 'https://api.github.com', token: null },
      gitlab: { baseUrl: 'https://gitlab.com/api/v4', token: null },
      opire: null,
    });
    assert.deepEqual(suppliers, { nexar: null, mouser: null, digikey: null, catalogue: null, orderMail: new Map() });
    assert.equal(dataDir, resolve('data'));
    assert.deepEqual(Object.keys(rates).toSorted(), [...RATE_CLASSES].toSorted());
    assert.deepEqual(rates['crossing-write'], { calls: 5, perSeconds: 1, burst: 20 });
    assert.deepEqual(rates.login, { calls: 5, perSeconds: 60, burst: 5 });
  });

  test('giving every default as a value changes nothing', () => {
    const words = new Set(['BASE_URL']); // its default is said in words
    const given = SETTINGS.filter(({ name, fallback }) => fallback !== null && !words.has(name));
    assert.deepEqual(
      readConfig(Object.fromEntries(given.map(({ name, fallback }) => [name, fallback as string]))),
      config,
    );
  });

  test('nothing of it can be changed afterwards', () => {
    const parts: unknown[] = [config];
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      assert.ok(Object.isFrozen(part), JSON.stringify(part));
      parts.push(...Object.values(part));
    }
    assert.ok(parts.length > 40, 'the parts were visited');
    assert.throws(() => Object.assign(config.operator, { name: 'other' }), TypeError);
  });
});

test('suppliers are asked with what is set for them, and half a login is refused', () => {
  const env = { AVOUCH_NEXAR_CLIENT_ID: 'n', AVOUCH_NEXAR_CLIENT_SECRET: 's', AVOUCH_MOUSER_API_KEY: 'k' };
  const { nexar, mouser, digikey, orderMail } = readConfig({
    ...env,
    AVOUCH_ORDER_MAIL_TO: 'A=a@x.example, B C=b@x.example',
  }).suppliers;
  assert.deepEqual(
    [nexar?.clientId, nexar?.identityBaseUrl, nexar?.clientSecret.reveal()],
    ['n', 'https://identity.nexar.com', 's'],
  );
  assert.deepEqual([mouser?.baseUrl, digikey], ['https://api.mouser.com', null]);
  assert.deepEqual(
    orderMail,
    new Map([
      ['A', 'a@x.example'],
      ['B C', 'b@x.example'],
    ]),
  );
  for (const half of ['AVOUCH_NEXAR_CLIENT_ID', 'AVOUCH_DIGIKEY_CLIENT_SECRET']) {
    assert.throws(
      () => readConfig({ [half]: 'x' }),
      (error: Error & { faults: string[] }) => /belong together/.test(error.faults.join()),
    );
  }
});

test('a sandbox listens where others reach it only when that is said', () => {
  for (const HOST of ['127.0.0.1', '127.8.0.2', '::1', 'localhost']) assert.equal(readConfig({ HOST }).host, HOST);
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', '::ffff:127.0.0.1']) {
    assert.match(faultsOf({ HOST }).join(), /^HOST opens the sandbox to others/);
    assert.equal(readConfig({ HOST, AVOUCH_SANDBOX_PUBLIC: 'yes' }).host, HOST);
  }
  assert.equal(readConfig({ ...PRODUCTION, HOST: '0.0.0.0' }).host, '0.0.0.0');
});

test('each setting reaches its place', () => {
  const config = readConfig({
    ...PRODUCTION,
    HOST: '::1',
    PORT: '0',
    BASE_URL: 'https://avouch.example:8443/',
    DATA_DIR: 'some/where',
    DATABASE_URL: 'postgres://u:p@db:5432/avouch',
    AVOUCH_TRUSTED_PROXIES: ' 192.0.2.1, 2001:db8::1 ,',
    AVOUCH_IPV6_PREFIX: '56',
    AVOUCH_VENUE_HOSTS: 'tasks.example, WWW.Jobs.example',
    AVOUCH_RATE_LOGIN: '7/min,9',
    AVOUCH_EVENT_DAYS: '0',
    AVOUCH_GITHUB_BASE_URL: 'off',
    AVOUCH_GITLAB_BASE_URL: 'https://gitlab.example/api/v4/',
    AVOUCH_OPIRE: 'yes',
    AVOUCH_DATA_INGEST: 'laws, permits',
    AVOUCH_MCP_HOSTS: 'mcp.example, [2001:DB8::1]',
    AVOUCH_MCP_ORIGINS: 'chat.example,moz-extension://*',
    AVOUCH_MCP_REGISTRY_KEY: 'GlzZBxQ8OExB6DDFvOEqqIF+xWSaqr8sMTiLNbLXRNY=',
    AVOUCH_REPOSITORY: 'example/notes',
    AVOUCH_REPOSITORY_TOKEN: 'a-token',
  });
  const expected: Partial<Config> = {
    profile: 'production',
    host: '::1',
    port: 0,
    baseUrl: 'https://avouch.example:8443',
    dataDir: resolve('some/where'),
    trustedProxies: ['192.0.2.1', '2001:db8::1'],
    ipv6Prefix: 56,
    venueHosts: ['tasks.example', 'jobs.example'],
    eventDays: 0,
    venues: {
      github: null,
      gitlab: { baseUrl: 'https://gitlab.example/api/v4', token: null },
      opire: { baseUrl: 'https://api.opire.dev' },
    },
    keyPassphraseFile: '/run/secrets/passphrase',
  };
  assert.deepEqual(config.openData.ingest, ['permits', 'laws']);
  assert.deepEqual(readConfig({ AVOUCH_DATA_INGEST: 'off' }).openData.ingest, []);
  assert.deepEqual({ ...config, ...expected }, config);
  assert.deepEqual(config.rates.login, { calls: 7, perSeconds: 60, burst: 9 });
  const { repository, ...mcp } = config.mcp;
  assert.deepEqual(mcp, {
    hosts: ['mcp.example', '[2001:db8::1]'],
    origins: ['chat.example', 'moz-extension://*'],
    registryKey: 'GlzZBxQ8OExB6DDFvOEqqIF+xWSaqr8sMTiLNbLXRNY=',
  });
  assert.deepEqual([repository?.name, repository?.token.reveal()], ['example/notes', 'a-token']);
  assert.match(faultsOf({ AVOUCH_REPOSITORY: 'example/notes' }).join(), /^AVOUCH_REPOSITORY_TOKEN is required with/);
  assert.equal(config.databaseUrl?.reveal(), 'postgres://u:p@db:5432/avouch');
});

for (const url of [
  'postgresql://db/avouch',
  'postgres://u:p@one:5432,two:5433/avouch',
  'postgres:///avouch?host=/var/run/postgresql',
  'postgres://user:pass@/avouch?host=/var/run/postgresql',
  'postgres://user:p%40ss@db:5432/avouch?sslmode=verify-full',
]) {
  test(`DATABASE_URL may be ${url}`, () => assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl?.reveal(), url));
}

suite('the name of the log', () => {
  for (const origin of ['log.example.org/astralock', 'log.example.org:8443/a/b', 'localhost/log']) {
    test(`may be ${origin} in production, and nothing in the sandbox`, () => {
      assert.equal(readConfig({ ...PRODUCTION, AVOUCH_LOG_ORIGIN: origin }).logOrigin, origin);
      assert.match(faultsOf({ AVOUCH_LOG_ORIGIN: origin }).join(), /^AVOUCH_LOG_ORIGIN must be unset in the sandbox/);
    });
  }

  for (const origin of [
    'https://log.example.org/x',
    '//log.example.org/x',
    'log.example.org',
    'log.example.org/',
    'log example.org/x',
    'log.example.org/a+b',
    'log.example.org/a b',
    'Log.example.org/x',
    'log.example.org/x?y',
    `log.example.org/${'x'.repeat(200)}`,
  ]) {
    test(`cannot be ${origin.slice(0, 40)}`, () => {
      const faults = faultsOf({ ...PRODUCTION, AVOUCH_LOG_ORIGIN: origin });
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', /^AVOUCH_LOG_ORIGIN must look like /);
    });
  }
});

suite('a secret', () => {
  const file = join(directory, 'url');
  writeFileSync(file, 'postgres://u:marker@db/x\n');

  test('may lie in a file, whose last newline does not count', () => {
    assert.equal(readConfig({ DATABASE_URL_FILE: file }).databaseUrl?.reveal(), 'postgres://u:marker@db/x');
  });

  test('is refused when it is given twice', () => {
    const faults = faultsOf({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://db/x' });
    assert.deepEqual(faults, ['DATABASE_URL and DATABASE_URL_FILE are both set: unset one of them']);
  });

  test('is refused when its file is missing, is a directory or is empty', () => {
    const empty = join(directory, 'empty');
    writeFileSync(empty, '\n');
    for (const [path, why] of [
      [join(directory, 'none'), /\(ENOENT\)/],
      [directory, /\(EISDIR\)/],
      [empty, /is empty/],
    ] as const) {
      const faults = faultsOf({ DATABASE_URL_FILE: path });
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', /^the file that DATABASE_URL_FILE names /);
      assert.match(faults[0] ?? '', why);
    }
  });

  test('is not in the text of its fault', () => {
    assert.doesNotMatch(faultsOf({ DATABASE_URL: 'mysql://u:marker@db/x' }).join(), /marker|mysql/);
  });

  test('is not shown by the configuration that holds it', () => {
    const config = readConfig({ DATABASE_URL_FILE: file });
    assert.ok(config.databaseUrl instanceof Secret);
    assert.doesNotMatch(JSON.stringify(config), /marker/);
  });
});
