import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter, runs } from '#properties';
import { RATE_CLASSES } from '#kernel/operation.ts';
import { faultsOf, namedIn, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';
import { rateSetting, SETTINGS } from './env.ts';

/** A number that is out of bounds, not whole, signed, padded, too long or no number. */
function notInteger(min: number, max: number): fc.Arbitrary<string> {
  const outside = fc.oneof(fc.integer({ min: max + 1 }), fc.integer({ max: min - 1 })).map(String);
  const odd = fc.constantFrom('-1', '+1', '1.5', '1e3', '0x10', ' 1', '1 ', '1_000', '٣', 'ten', '99999999999', '-0');
  return fc.oneof(outside, odd, notOf(/^\d+$/));
}

function notOf(form: RegExp): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => !form.test(text));
}

const badRate = fc.oneof(
  fc.constantFrom('5', '5/s', '5/h,5', '0/s,5', '5/s,0', '5/s,5,5', '5 /s,5', '5/s, 5', '-5/s,5', '5.5/s,5', '5/S,5'),
  notOf(/^[1-9]\d*\/(s|min),[1-9]\d*$/),
);

const badAddress = fc.oneof(
  fc.constantFrom(
    'api.example',
    'ftp://a.example',
    'https://u:p@a.example/x',
    'https://:p@a.example/x',
    'https://a.example/#x',
    'https://a b',
    'file:///x',
  ),
  notOf(/^https?:/i),
);

const BAD: Readonly<Record<string, fc.Arbitrary<string>>> = {
  AVOUCH_PROFILE: notOf(/^(sandbox|production)$/),
  AVOUCH_SERVICES: notOf(/^(all|free)$/),
  HOST: fc.oneof(
    fc.constantFrom('example.org', '256.0.0.1', '127.0.0.1:80', '[::1]', '*', ':::'),
    notOf(/[.:]|localhost/),
  ),
  PORT: notInteger(0, 65_535),
  BASE_URL: fc.oneof(
    fc.constantFrom('https://a.example/path', 'https://a.example?q', 'https://a.example#f', 'https://u:p@a.example'),
    fc.constantFrom('a.example', '//a.example', 'ftp://a.example', 'javascript:alert(1)', 'https://', 'https://a b'),
    notOf(/^https?:/i),
  ),
  DATABASE_URL: fc.oneof(
    fc.constantFrom(
      'mysql://db/x',
      'http://db/x',
      'db',
      'postgres',
      'postgres:/',
      'postgres://u:p@[bad/x',
      'file:x.db',
    ),
    notOf(/postgres/i),
  ),
  AVOUCH_SERVICE_NAME: fc.constantFrom(' ', '\t', 'two\nlines', 'x'.repeat(201), 'nul\0', 'line\u2028separator'),
  AVOUCH_OPERATOR_NAME: fc.constantFrom('  ', 'two\r\nlines', 'x'.repeat(1_000)),
  AVOUCH_OPERATOR_CONTACT: fc.oneof(
    fc.constantFrom('ops', 'http://a.example', 'ops@a.example', 'https://'),
    notOf(/:/),
  ),
  AVOUCH_SIGN_OUTBOUND: fc.constantFrom('on', 'YES', ' '),
  AVOUCH_SUSPENSION: fc.constantFrom('yes', 'ON', ' '),
  AVOUCH_SANDBOX_PUBLIC: fc.constantFrom('on', 'YES', ' '),
  AVOUCH_CONTENT_SIGNAL: fc.constantFrom(' search=yes', 'two\nlines', 'na\u00efve', 'x'.repeat(201)),
  AVOUCH_LOG_ORIGIN: fc.constantFrom('log.example.org/astralock', 'https://log.example.org/x', 'a b/c'),
  AVOUCH_COMMIT_BATCH: notInteger(1, 1_024),
  AVOUCH_COMMIT_QUEUE: notInteger(1, 1_000_000),
  AVOUCH_WRITER: fc.constantFrom('on', 'Forward', ' '),
  AVOUCH_WRITER_HOST: fc.constantFrom('writer', '10.0.0.0/8', '10.0.0.1,10.0.0.2', '10.0.0.1:80', ' '),
  AVOUCH_EVENT_DAYS: notInteger(0, 36_500),
  AVOUCH_TRUSTED_PROXIES: fc.constantFrom(
    'proxy',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '10.0.0.0/',
    '::/129',
    '/8',
    '10.0.0.1;10.0.0.2',
    '10.0.0.1,x',
    '10.0.0.1 10.0.0.2',
  ),
  AVOUCH_OPS_ALLOW: fc.constantFrom('ops', '10.0.0.0/x', '::/0', '10.0.0.1;10.0.0.2'),
  AVOUCH_OPS_PORT: notInteger(0, 65_535),
  AVOUCH_NOT_READY_SECONDS: notInteger(5, 600),
  AVOUCH_DRAIN_SECONDS: notInteger(0, 60),
  AVOUCH_OTLP_URL: fc.constantFrom('collector:4318', 'ftp://a.example', 'http://a.example/v1/traces'),
  AVOUCH_IPV6_PREFIX: fc.oneof(fc.constantFrom('48', '128', '/64', '064'), notOf(/^(64|56)$/)),
  AVOUCH_VENUE_HOSTS: fc.constantFrom('https://a.example', 'a.example/x', 'a.example b.example', 'local', 'a..b'),
  AVOUCH_MAX_CONNECTIONS: notInteger(1, 1_000_000),
  AVOUCH_WITNESS_EVERY_S: notInteger(1, 3_600),
  AVOUCH_REGISTERS: fc.oneof(fc.constantFrom('none', 'vies;kvk', 'VIES', 'vies,,kvk', 'off,vies'), notOf(/[a-z]/)),
  AVOUCH_VIES_REQUESTER: fc.constantFrom(
    ...['DE', '123456789', 'DE 136695976', 'de136695976', 'DE1366959761234567'],
    ...['GB123456789', 'ZZ99', 'DE12', 'EU123456789'],
  ),
  AVOUCH_OPIRE: notOf(/^(yes|no)$/),
  AVOUCH_MCP_HOSTS: fc.constantFrom('a.example:443', 'https://a.example', 'a b', '-a', '*'),
  AVOUCH_MCP_REGISTRY_KEY: fc.constantFrom(
    'x',
    'A'.repeat(43),
    `${'A'.repeat(42)}B=`,
    `${'_'.repeat(42)}8=`,
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    Buffer.alloc(32).toString('hex'),
  ),
  AVOUCH_MCP_ORIGINS: fc.constantFrom('https://*', 'http://*', 'https://a.example', 'a.example:1', '*'),
  AVOUCH_REPOSITORY: fc.constantFrom('name', 'a/b/c', 'https://a.example/b', '/b', 'a/'),
  AVOUCH_WALLET_TOPUP: notOf(/^(standin|off)$/),
  AVOUCH_MAIL: notOf(/^(outbox|off)$/),
  AVOUCH_SMTP_URL: fc.constantFrom('mail.example', 'https://mail.example', 'smtp://', 'smtp://mail.example/path'),
  AVOUCH_MAIL_FROM: fc.constantFrom('me', 'a@b', 'a@b.example, c@d.example', 'a b@c.example'),
  AVOUCH_LOG_LOGIN_LINKS: notOf(/^(yes|no)$/),
  AVOUCH_DATA_INGEST: fc.constantFrom('yes', 'permits;laws', 'permits,,laws', 'on,laws', 'permits,permits', 'roads'),
  AVOUCH_CIR_SOAP: fc.oneof(fc.constantFrom('1', '1.3', '2'), notOf(/^1\.[12]$/)),
  AVOUCH_FSF_REFRESH_S: notInteger(60, 999_999),
  ...Object.fromEntries(
    [
      'VIES_BASE_URL',
      'KVK_BASE_URL',
      'CIR_URL',
      'RDW_BASE_URL',
      'CH_BASE_URL',
      'MOT_BASE_URL',
      'MOT_TOKEN_URL',
      'FSF_URL',
      'GITHUB_BASE_URL',
      'GITLAB_BASE_URL',
      'OPIRE_BASE_URL',
      'STRIPE_BASE_URL',
      'NEXAR_BASE_URL',
      'NEXAR_IDENTITY_BASE_URL',
      'MOUSER_BASE_URL',
      'DIGIKEY_BASE_URL',
      ...['KOOP', 'TENDERNED', 'TED', 'BWB', 'CBS', 'PDOK', 'NDW'].map((host) => `DATA_${host}_BASE_URL`),
    ].map((name) => [`AVOUCH_${name}`, badAddress]),
  ),
  ...Object.fromEntries(
    [
      'KVK_API_KEY',
      'RDW_APP_TOKEN',
      'CH_API_KEY',
      'MOT_API_KEY',
      'CIR_PASSWORD',
      'MOT_CLIENT_SECRET',
      'GITHUB_TOKEN',
      'GITLAB_TOKEN',
      'REPOSITORY_TOKEN',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'NEXAR_CLIENT_SECRET',
      'MOUSER_API_KEY',
      'DIGIKEY_CLIENT_SECRET',
    ].map((name) => [`AVOUCH_${name}`, fc.constantFrom('two\nlines', 'x'.repeat(1_001), 'nul\0')]),
  ),
  ...Object.fromEntries(
    ['CIR_USERNAME', 'MOT_CLIENT_ID', 'MOT_SCOPE', 'NEXAR_CLIENT_ID', 'DIGIKEY_CLIENT_ID'].map((name) => [
      `AVOUCH_${name}`,
      fc.constantFrom('a\tb', '\u2028'),
    ]),
  ),
  AVOUCH_KVK_CA_FILE: fc.constantFrom('/nowhere/ca.pem', '/', import.meta.filename),
  AVOUCH_CATALOGUE_FILE: fc.constantFrom('/nowhere/parts.csv', '/'),
  AVOUCH_ORDER_MAIL_TO: fc.constantFrom('rfq@supplier.example', 'A=', 'A=b', 'A=b@c,B', '=b@c', 'A=b@c=d'),
  AVOUCH_WITNESS_QPD: fc.constantFrom('0', '-1', '86401', '1.5', 'many'),
  AVOUCH_SETTLEMENT: notOf(/^(facilitator|chain)$/),
  AVOUCH_RPC_URL: fc.webUrl(),
  AVOUCH_FACILITATOR_URL: fc.webUrl(),
  AVOUCH_FACILITATOR_KEY_ID: fc.constantFrom('two words', 'a\tb', 'x'.repeat(201)),
  AVOUCH_SETTLER_KEY_FILE: fc.constant('/run/secrets/settler'),
  AVOUCH_BATCH_CONTRACT: fc.oneof(fc.constantFrom('0x', `0x${'0'.repeat(39)}`), notOf(/^0x/)),
  AVOUCH_SETTLER_MIN_ETH: fc.constantFrom('-1', '1,5', '1e-3', '.5', '5.', `0.${'0'.repeat(19)}`, 'ten', '0x1'),
  AVOUCH_SECP256K1: notOf(/^(auto|wasm)$/),
  // The sandbox has an account of its own, so it refuses any.
  AVOUCH_PAY_TO: fc.oneof(fc.constantFrom('0x2b5ad5c4795c026514f8317c7a215e218dccd6cf', '0x1'), notOf(/^0x/)),
  AVOUCH_CAPABILITY_PROVIDERS: fc.constantFrom('/nowhere/providers.json', '/', import.meta.filename),
  AVOUCH_PRICES_FILE: fc.constantFrom('/nowhere/prices.json', '/'),
  AVOUCH_FX_USD_EUR: fc.constantFrom('0', '-1', '0,92', '1e0', '0.1234567', 'one'),
  AVOUCH_FX_AS_OF: fc.constantFrom('today', '15-11-2026', '2026-13-01'),
  AVOUCH_LOG_LEVEL: fc.oneof(
    fc.constantFrom('INFO', 'trace', 'verbose', 'warning'),
    notOf(/^(debug|info|warn|error|silent)$/),
  ),
  ...Object.fromEntries(RATE_CLASSES.map((name) => [rateSetting(name), badRate])),
};
/** Names of files and directories have no form; that they cannot be used shows when they are. */
const FORMLESS = [
  'DATA_DIR',
  'AVOUCH_AP2_ROOTS_FILE',
  'AVOUCH_FACILITATOR_AUTH_FILE',
  'AVOUCH_FACILITATOR_KEY_FILE',
  'AVOUCH_KEY_PASSPHRASE_FILE',
  'AVOUCH_SERVER_SECRET_FILE',
  'AVOUCH_WITNESS_POLICY_FILE',
];

suite('a wrong value', () => {
  test('is known for every setting', () => {
    assert.deepEqual(
      SETTINGS.map(({ name }) => name)
        .filter((name) => !(name in BAD))
        .toSorted(),
      FORMLESS.toSorted(),
    );
  });

  for (const [name, values] of Object.entries(BAD)) {
    test(`of ${name} gives one fault that names this setting and no other`, () => {
      fc.assert(
        fc.property(values, (value) => {
          const faults = faultsOf({ [name]: value });
          assert.equal(faults.length, 1);
          assert.deepEqual(namedIn(faults[0] ?? ''), [name]);
        }),
        { numRuns: runs(50) },
      );
    });
  }

  test('that is empty is a fault too, because a variable that nobody filled must not turn a default on', () => {
    for (const { name, fallback } of SETTINGS) {
      const expected = fallback === '' ? [] : [`${name} is empty: give it a value or unset it`];
      assert.deepEqual(faultsOf({ [name]: '' }), expected);
    }
  });

  test('of every setting at once gives a fault for each, none hiding another', () => {
    const env = Object.fromEntries(
      Object.entries(BAD).map(([name, values]) => [name, fc.sample(values, 1)[0] as string]),
    );
    assert.deepEqual(faultsOf(env).flatMap(namedIn).toSorted(), Object.keys(BAD).toSorted());
  });

  test('a pay-to that is no account, nobody’s or everybody’s is refused in production', () => {
    const faultOf = (value: string) => faultsOf({ ...PRODUCTION, AVOUCH_PAY_TO: value }).join();
    for (const value of ['me', '0x12', `0x${'0'.repeat(40)}`, `0x${'g'.repeat(40)}`]) {
      assert.equal(faultOf(value), 'AVOUCH_PAY_TO must be an account as 0x and 40 hex digits');
    }
    assert.match(faultOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'), /^AVOUCH_PAY_TO is a development account/);
    assert.equal(readConfig(PRODUCTION).payTo, PRODUCTION.AVOUCH_PAY_TO);
  });

  test('http is refused as BASE_URL of production and taken by the sandbox', () => {
    assert.match(faultsOf({ ...PRODUCTION, BASE_URL: 'http://a.example' }).join(), /^BASE_URL must be https:\/\/host,/);
    assert.equal(readConfig({ BASE_URL: 'http://a.example' }).baseUrl, 'http://a.example');
  });
});
