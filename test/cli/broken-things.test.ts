// Every broken thing that an operator may meet: one line on standard error that says what to do, no stack, no secret.
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { readConfig } from '#platform/config/config.ts';
import { SETTINGS } from '#platform/config/env.ts';
import { startFaultLines } from '../../src/cli/start-error.ts';
import {
  administrate,
  assertOneLine,
  AT_ONCE,
  copyOfSound,
  DOOR,
  type Env,
  keyFile,
  listening,
  MARKER,
  newDirectory,
  root,
  startCauses,
  table,
  unsafeServer,
} from './broken-start.ts';
import { runCommand } from '../support/command.ts';
import { emptyDatabase, freshDatabase, hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';
import { sha256Hex } from '#kernel/ids.ts';

const BAD_VALUES: Env = {
  AVOUCH_PROFILE: 'prod',
  HOST: 'example.org',
  PORT: '80a',
  BASE_URL: 'https://a.example/path',
  DATABASE_URL: `mysql://u:${MARKER}@db/x`,
  AVOUCH_SERVICE_NAME: 'two\nlines',
  AVOUCH_OPERATOR_NAME: ' ',
  AVOUCH_OPERATOR_CONTACT: 'ops',
  AVOUCH_LOG_ORIGIN: 'https://log.example.org/x',
  AVOUCH_COMMIT_BATCH: '0',
  AVOUCH_COMMIT_QUEUE: '-1',
  AVOUCH_EVENT_DAYS: '1.5',
  AVOUCH_TRUSTED_PROXIES: '10.0.0.0/33',
  AVOUCH_IPV6_PREFIX: '48',
  AVOUCH_MAX_CONNECTIONS: 'many',
  AVOUCH_LOG_LEVEL: 'loud',
  AVOUCH_REGISTERS: 'vies;kvk',
  ...Object.fromEntries(SETTINGS.filter(({ name }) => name.startsWith('AVOUCH_RATE_')).map(({ name }) => [name, '5'])),
};

suite('the value of a setting', () => {
  for (const [name, value] of Object.entries(BAD_VALUES)) {
    test(`${name}=${JSON.stringify(value.replace(MARKER, '...'))} is refused in one line that names it and its form`, () => {
      const lines = faultLines(() => readConfig({ [name]: value }));
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', new RegExp(`^${name} must (be|look like) \\S`));
      assert.doesNotMatch(lines[0] ?? '', new RegExp(MARKER));
    });
  }
});

function faultLines(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return startFaultLines(error);
  }
}

test('a fault while cleaning up does not hide why the start failed', () => {
  const inUse = Object.assign(new Error('listen'), { code: 'EADDRINUSE', address: '127.0.0.1', port: 80 });
  const hidden = new SuppressedError(new Error('disposal'), inUse, 'suppressed');
  assert.deepEqual(startFaultLines(hidden), ['Port 80 on 127.0.0.1 is in use. Stop the other program or set PORT.']);
});

test('a fault that nobody foresaw is still one line', () => {
  const unforeseen = new Error('', { cause: new Error('first line\n  second line') });
  assert.deepEqual(startFaultLines(unforeseen), ['first line second line']);
  assert.deepEqual(startFaultLines('thrown text\nof two lines'), ['thrown text of two lines']);
});

const PRODUCTION: Env = {
  AVOUCH_PROFILE: 'production',
  BASE_URL: 'https://avouch.example',
  AVOUCH_OPERATOR_NAME: 'Example BV',
  AVOUCH_OPERATOR_CONTACT: 'https://avouch.example/contact',
  AVOUCH_KEY_PASSPHRASE_FILE: passphraseFile('a passphrase of production'),
  AVOUCH_SERVER_SECRET_FILE: passphraseFile(sha256Hex('a secret')),
  AVOUCH_REGISTERS: 'vies,rdw',
  AVOUCH_WALLET_TOPUP: 'off',
  AVOUCH_RPC_URL: 'http://127.0.0.1:1',
  AVOUCH_FACILITATOR_URL: 'http://127.0.0.1:1',
  AVOUCH_PAY_TO: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
  AVOUCH_FX_USD_EUR: '0.92',
  AVOUCH_FX_AS_OF: '2026-11-01',
  AVOUCH_MAIL: 'off',
};

function passphraseFile(text: string): string {
  const file = newDirectory();
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

table('the settings of a start', [
  { what: 'a PORT that is no number', env: { PORT: 'http' }, says: /^PORT must be a whole number from 0 to 65535$/ },
  { what: 'a PORT out of range', env: { PORT: '65536' }, says: /^PORT must be a whole number from 0 to 65535$/ },
  {
    what: 'a HOST that is no address',
    env: { HOST: 'example.org' },
    says: /^HOST must be an IP address or localhost$/,
  },
  { what: 'an empty DATA_DIR', env: { DATA_DIR: '' }, says: /^DATA_DIR is empty: give it a value or unset it$/ },
  {
    what: 'a rate in a wrong form',
    env: { AVOUCH_RATE_CROSSING_WRITE: '5 per second' },
    says: /^AVOUCH_RATE_CROSSING_WRITE must look like 5\/s,20 or 5\/min,5$/,
  },
  {
    what: 'a BASE_URL with a path',
    env: { BASE_URL: 'http://a.example/v1' },
    says: /^BASE_URL must be http:\/\/host or https:\/\/host, .* without path/,
  },
  {
    what: 'a BASE_URL with http in production',
    env: { ...PRODUCTION, BASE_URL: 'http://avouch.example' },
    says: /^BASE_URL must be https:\/\/host,/,
  },
  {
    what: 'an unknown name in production',
    env: { ...PRODUCTION, AVOUCH_PASSPHRASE: MARKER },
    says: /^AVOUCH_PASSPHRASE is not a setting of this release: correct its name or unset it; /,
  },
  {
    what: 'production with nothing set',
    env: { AVOUCH_PROFILE: 'production' },
    says: /^BASE_URL, AVOUCH_OPERATOR_NAME, AVOUCH_OPERATOR_CONTACT, AVOUCH_KEY_PASSPHRASE_FILE, AVOUCH_SERVER_SECRET_FILE, AVOUCH_REGISTERS, AVOUCH_PAY_TO, AVOUCH_RPC_URL, AVOUCH_FACILITATOR_URL, AVOUCH_WALLET_TOPUP, AVOUCH_FX_USD_EUR, AVOUCH_FX_AS_OF, AVOUCH_MAIL are required in production: set them$/,
  },
  ...Object.keys(PRODUCTION)
    .filter((name) => name !== 'AVOUCH_PROFILE')
    .map((name) => ({
      what: `production without ${name}`,
      env: { ...PRODUCTION, [name]: '' },
      says: new RegExp(`^${name} is required in production: set it$`),
    })),
  {
    what: 'a file of the passphrase that is missing',
    env: { AVOUCH_KEY_PASSPHRASE_FILE: join(root, 'none') },
    says: /^the file that AVOUCH_KEY_PASSPHRASE_FILE names cannot be read \(ENOENT\): check its path and rights$/,
  },
  {
    what: 'a passphrase that is too short',
    env: { AVOUCH_KEY_PASSPHRASE_FILE: passphraseFile('short') },
    says: /^the file that AVOUCH_KEY_PASSPHRASE_FILE names must hold a passphrase of at least 12 characters$/,
  },
  {
    what: 'DATABASE_URL and DATABASE_URL_FILE both set',
    env: {
      DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1/x`,
      DATABASE_URL_FILE: passphraseFile('postgres://127.0.0.1/x'),
    },
    says: /^DATABASE_URL and DATABASE_URL_FILE are both set: unset one of them$/,
  },
  {
    what: 'a DATABASE_URL_FILE that is a directory',
    env: { DATABASE_URL_FILE: root },
    says: /^the file that DATABASE_URL_FILE names cannot be read \(EISDIR\): check its path and rights$/,
  },
]);

test('several wrong settings are said at once, one line each', async () => {
  const { code, stderr } = await runCommand(['serve'], { PORT: 'x', HOST: 'y', AVOUCH_LOG_LEVEL: 'z' });
  assert.equal(code, 1);
  assert.deepEqual(
    startCauses(stderr).map((cause) => cause.split(' ')[0]),
    ['HOST', 'PORT', 'AVOUCH_LOG_LEVEL'],
  );
});

async function portInUse(): Promise<Env> {
  const { port } = (await listening(() => {})).address() as AddressInfo;
  return { PORT: String(port) };
}

table('the address', [
  {
    what: 'a port in use',
    env: portInUse,
    says: /^Port \d+ on 127\.0\.0\.1 is in use\. Stop the other program or set PORT\.$/,
  },
  {
    what: 'a sandbox that others would reach',
    env: { HOST: '0.0.0.0' },
    says: /^HOST opens the sandbox to others, .*: listen on 127\.0\.0\.1, or set AVOUCH_SANDBOX_PUBLIC=yes$/,
  },
  {
    what: 'an address of another machine',
    env: { HOST: '198.51.100.77', AVOUCH_SANDBOX_PUBLIC: 'yes' },
    says: /^This machine does not have the address 198\.51\.100\.77\. Set HOST\.$/,
  },
]);

table('the data directory', [
  {
    what: 'that is a file',
    env: (dataDir) => {
      writeFileSync(dataDir, '');
      return {};
    },
    says: /^\S+ exists and is not a directory\. Move it away or set DATA_DIR\.$/,
  },
  {
    what: 'below a file',
    env: (dataDir) => {
      writeFileSync(dataDir, '');
      return { DATA_DIR: join(dataDir, 'deep/er') };
    },
    says: /^\S+ is not a directory, or is below a file\. Set DATA_DIR to a directory\.$/,
  },
  {
    what: 'with a lock file that is none',
    spoil: (dataDir) => writeFileSync(join(dataDir, 'lock.db'), 'not a lock at all, only a text of some length'),
    says: /^the lock file \S+lock\.db cannot be used: remove it while no process runs$/,
  },
  {
    what: 'whose audit trail is a file',
    spoil: (dataDir) => {
      rmSync(join(dataDir, 'trail'), { recursive: true });
      writeFileSync(join(dataDir, 'trail'), '');
    },
    says: /^\S+trail exists and is not a directory\. Move it away or set DATA_DIR\.$/,
  },
]);

function change(dataDir: string, sql: string): void {
  const database = new DatabaseSync(join(dataDir, 'avouch.db'));
  database.exec(sql);
  database.close();
}

const FUTURE_STEP = "INSERT INTO migration (area, number, name, sha256) VALUES ('crossing', 999, 'later', 'x')";

table('the SQLite database', [
  {
    what: 'that is not a database',
    spoil: (dataDir) => writeFileSync(join(dataDir, 'avouch.db'), 'a text that somebody saved under this name'),
    says: /^avouch\.db in DATA_DIR is not an Avouch database\. Restore it from a backup or move it away\.$/,
  },
  {
    what: 'that was cut short',
    spoil: (dataDir) => truncateSync(join(dataDir, 'avouch.db'), statSync(join(dataDir, 'avouch.db')).size / 2),
    says: /^avouch\.db in DATA_DIR is damaged\. Restore it from a backup\.$/,
  },
  {
    what: 'that was overwritten in the middle',
    spoil: (dataDir) => {
      const file = join(dataDir, 'avouch.db');
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0xa5, 4_096));
    },
    says: /^avouch\.db in DATA_DIR is damaged\. Restore it from a backup\.$/,
  },
  {
    what: 'that is a directory',
    env: (dataDir) => {
      mkdirSync(join(dataDir, 'avouch.db'), { recursive: true });
      return {};
    },
    says: /^avouch\.db in DATA_DIR cannot be opened\. Check DATA_DIR and its permissions/,
  },
  {
    what: 'with a schema step from the future',
    spoil: (dataDir) => change(dataDir, FUTURE_STEP),
    says: /^the database has schema step crossing\/999 \(later\), which this release does not know: run the release that made it or a newer one$/,
  },
  {
    what: 'with a schema step of another text',
    spoil: (dataDir) => change(dataDir, "UPDATE migration SET sha256 = 'x' WHERE area = 'keys' AND number = 1"),
    says: /^schema step keys\/1 \(keys\) was applied with another text than this release has: run the release that made the database$/,
  },
  {
    what: 'that is not there when keys are listed',
    args: ['keys', 'list'],
    env: (dataDir) => ({ DATA_DIR: join(dataDir, 'none') }),
    says: /^there is no database in .*: start the service first, or set DATA_DIR\.?$/i,
  },
]);

function encryptKeys(dataDir: string): void {
  for (const name of readdirSync(join(dataDir, 'keys'))) {
    const opened = createPrivateKey(readFileSync(keyFile(dataDir, name)));
    const sealed = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: `${MARKER} one` } as const;
    writeFileSync(keyFile(dataDir, name), opened.export(sealed));
  }
}

table('the keys', [
  {
    what: 'a key file that is missing',
    spoil: (dataDir) => rmSync(keyFile(dataDir)),
    says: /^the database belongs to receipts key [0-9a-f]{16}, whose file is not in \S+keys: copy it there$/,
  },
  {
    what: 'a key directory that is missing',
    spoil: (dataDir) => rmSync(join(dataDir, 'keys'), { recursive: true }),
    says: /^the database belongs to \S+ key [0-9a-f]{16}, whose file is not in \S+keys: copy it there$/,
  },
  {
    what: 'a key file that is damaged',
    spoil: (dataDir) => truncateSync(keyFile(dataDir), 70),
    says: /^key file receipts-001\.pem is damaged or encrypted: restore it from a backup or set AVOUCH_KEY_PASSPHRASE_FILE$/,
  },
  {
    what: 'a key file that others can read',
    spoil: (dataDir) => chmodSync(keyFile(dataDir), 0o644),
    says: /^key file receipts-001\.pem can be read by others \(mode 644\): run chmod 600 on it$/,
  },
  {
    what: 'a key of another type',
    spoil: (dataDir) => {
      const { privateKey } = generateKeyPairSync('x25519');
      writeFileSync(keyFile(dataDir), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    },
    says: /^key file receipts-001\.pem is neither an ed25519 nor an ml-dsa-44 key: restore the right one or move this one away$/,
  },
  {
    what: 'a key of another installation',
    spoil: (dataDir) => {
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(keyFile(dataDir), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    },
    says: /^the database belongs to receipts key [0-9a-f]{16}, whose file is not in \S+keys: copy it there$/,
  },
  {
    what: 'keys that are encrypted, without a passphrase',
    spoil: encryptKeys,
    says: /^key file \S+\.pem is damaged or encrypted: restore it from a backup or set AVOUCH_KEY_PASSPHRASE_FILE$/,
  },
  {
    what: 'a wrong passphrase',
    spoil: encryptKeys,
    env: { AVOUCH_KEY_PASSPHRASE_FILE: passphraseFile(`${MARKER} two`) },
    says: /^key file \S+\.pem is damaged or has another passphrase: restore it from a backup or correct AVOUCH_KEY_PASSPHRASE_FILE$/,
  },
  {
    what: 'keys that lie open although there is a passphrase',
    spoil: () => {},
    env: { AVOUCH_KEY_PASSPHRASE_FILE: passphraseFile(`${MARKER} three`) },
    says: /^key file \S+\.pem is not encrypted although AVOUCH_KEY_PASSPHRASE_FILE is set: encrypt it with that passphrase/,
  },
  {
    what: 'a key directory that is a file',
    spoil: (dataDir) => {
      rmSync(join(dataDir, 'keys'), { recursive: true });
      writeFileSync(join(dataDir, 'keys'), '');
    },
    says: /^the key directory \S+keys cannot be read \(ENOTDIR\): make it a readable directory$/,
  },
]);

const nowhere = async () => {
  const server = await listening(() => {});
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1:${port}/x` };
};

const simulator = (answer: (socket: Socket) => void) => async () => {
  const { port } = (await listening(answer)).address() as AddressInfo;
  return { DATABASE_URL: `postgres://u:${MARKER}@127.0.0.1:${port}/x` };
};

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

/** An empty database in which the administrator did something; the url may then name another user or database. */
function preparedDatabase(sql: (name: string) => readonly string[], other: (url: URL) => void = () => {}) {
  return async () => {
    const url = new URL((await emptyDatabase('postgres')) ?? '');
    const name = url.pathname.slice(1);
    await administrate(new URL('/postgres', url), sql(name));
    other(url);
    return { DATABASE_URL: url.href };
  };
}

table('the PostgreSQL server', [
  {
    what: 'that is not there',
    env: nowhere,
    says: /^Nothing listens at the address in DATABASE_URL\. Start the database or correct the host and port\.$/,
  },
  {
    what: 'that does not answer',
    env: simulator(() => {}),
    isSilent: true,
    says: /^The database cannot be reached \(.*\)\. Check DATABASE_URL and the database's log\.$/,
  },
  {
    what: 'that hangs up',
    env: simulator((socket) => socket.once('data', () => socket.end())),
    says: /^The database (cannot be reached \(.*\)\. Check DATABASE_URL|closed the connection\. Check the host and port)/,
  },
  {
    what: 'that runs with fsync=off',
    env: simulator(unsafeServer),
    says: /^fsync = off: a crash of the database server would lose acknowledged writes\. Set fsync = on in /,
  },
  {
    what: 'without the database',
    env: preparedDatabase(
      () => [],
      (url) => (url.pathname = '/no_such_database'),
    ),
    says: /^The database in DATABASE_URL does not exist\. Create it or correct the name\.$/,
    skip: noPostgres,
  },
  {
    what: 'without the user',
    env: preparedDatabase(
      () => [],
      (url) => {
        url.username = 'nobody_of_this_name';
        url.password = MARKER;
      },
    ),
    says: /^The database rejected the user in DATABASE_URL\. Create the user or correct the name\.$/,
    skip: noPostgres,
  },
  {
    what: 'with a user that may not make tables',
    env: preparedDatabase(
      (name) => [`CREATE ROLE limited_${name} LOGIN`],
      (url) => (url.username = `limited_${url.pathname.slice(1)}`),
    ),
    says: /^The user in DATABASE_URL lacks privileges\. Grant it CREATE on the schema or make it the owner of the database\.$/,
    skip: noPostgres,
  },
  {
    what: 'that takes no writes',
    env: preparedDatabase((name) => [`ALTER DATABASE ${name} SET default_transaction_read_only = on`]),
    says: /^The database is read-only\. DATABASE_URL must name the primary server\.$/,
    skip: noPostgres,
  },
  {
    what: 'that allows no connections to the database',
    env: preparedDatabase((name) => [`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`]),
    says: /^The database does not accept connections\. Allow them or correct the name in DATABASE_URL\.$/,
    skip: noPostgres,
  },
  {
    what: 'with a schema step from the future',
    env: async () => {
      const url = (await freshDatabase('postgres')) ?? '';
      await administrate(new URL(url), [FUTURE_STEP]);
      return { DATABASE_URL: url };
    },
    says: /^the database has schema step crossing\/999 \(later\), which this release does not know: run the release/,
    skip: noPostgres,
  },
]);

/** Changes the lines of the first segment, each with its newline; gives the number of the first changed one. */
function spoilTrail(dataDir: string, edit: TrailEdit): number {
  const file = join(dataDir, 'trail/p1-000001.ndjson');
  const lines = readFileSync(file, 'latin1').split(/(?<=\n)/);
  const isCall = (line = '') => line.startsWith('{"n":') && line.includes('"status":200');
  const at = lines.findIndex((line, index) => isCall(line) && isCall(lines[index + 1]));
  assert.ok(at > 0, 'two calls stand side by side in one block');
  writeFileSync(file, edit(lines, at).join(''), 'latin1');
  return at + 1;
}

/** Of the lines, `at` is a call that another call of the same block follows. */
type TrailEdit = (lines: string[], at: number) => string[];

const TAMPERED: Readonly<Record<string, readonly [TrailEdit, (line: number) => string]>> = {
  'a changed line': [
    (lines, at) => lines.with(at, (lines[at] ?? '').replace('"status":200', '"status":201')),
    () => '\\d+: line_changed: Lines \\d+ to \\d+ do not match their seal',
  ],
  'a line that is no JSON': [(lines, at) => lines.with(at, '{"n":3,"at":"\n'), (line) => `${line}: malformed_line: `],
  'a removed line': [(lines, at) => lines.toSpliced(at, 1), (line) => `${line}: line_number: `],
  'reordered lines': [
    (lines, at) => lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? ''),
    (line) => `${line}: line_number: `,
  ],
};

suite('the audit trail', AT_ONCE, () => {
  for (const [what, [edit, says]] of Object.entries(TAMPERED)) {
    test(`${what} is found by audit-trail verify, which names file and line`, async () => {
      const dataDir = await copyOfSound();
      const line = spoilTrail(dataDir, edit);
      const outcome = await runCommand(['audit-trail', 'verify'], { DATA_DIR: dataDir });
      assert.match(outcome.stderr, new RegExp(`^Error: p1-000001\\.ndjson:${says(line)}`, 'm'));
      assert.match(outcome.stdout, /^Audit trail broken: \d+ errors?\./m);
      assert.equal(outcome.code, 1);
    });
  }

  test('a removed segment is found', async () => {
    const dataDir = await copyOfSound();
    rmSync(join(dataDir, 'trail/p1-000001.ndjson'));
    const outcome = await runCommand(['audit-trail', 'verify'], { DATA_DIR: dataDir });
    assert.match(outcome.stderr, /^Error: p1-000002.ndjson: segment_missing: Segment 1 is missing before this one.$/m);
    assert.match(outcome.stderr, /anchor_missing/, 'the public log remembers what is gone');
    assert.equal(outcome.code, 1);
  });

  test('a missing directory is a fault that names it', async () => {
    const directory = join(root, 'no-trail');
    const outcome = await runCommand(['audit-trail', 'verify', directory], {});
    assert.equal(
      outcome.stderr,
      `Error: ${directory}: directory_missing: The directory of the trail does not exist.\n`,
    );
    assert.equal(outcome.code, 1);
  });

  test('a file in its place is a fault that names it', async () => {
    const outcome = await runCommand(['audit-trail', 'verify', DOOR], {});
    assertOneLine(outcome, 'audit-trail verify', /^\S+avouch\.mjs is not a directory, or is below a file/);
    assert.equal(outcome.code, 1);
  });

  test('a torn last line does not hinder the start; verify warns of it and the chain holds', async () => {
    const dataDir = await copyOfSound();
    const segment = join(dataDir, 'trail/p1-000002.ndjson');
    writeFileSync(segment, `${readFileSync(segment, 'latin1')}{"n":99,"at":"2026-`, 'latin1');
    await (await TestService.start({ dataDir }))[Symbol.asyncDispose]();
    const outcome = await runCommand(['audit-trail', 'verify'], { DATA_DIR: dataDir });
    assert.match(
      outcome.stderr,
      /^Warning: p1-000003\.ndjson:1: 19 bytes from segment 2 on were never sealed \(interrupted run\)\.\n$/,
    );
    assert.match(outcome.stdout, /^Audit trail intact\./m);
    assert.equal(outcome.code, 0);
  });
});

const MISUSED: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['srve'], /^avouch: Unknown command "srve"\. Did you mean serve\?\n/],
  [['serve', '9000'], /^avouch serve: Unexpected argument "9000"\.\n/],
  [['config', 'PORT'], /^avouch config: Unexpected argument "PORT"\.\n/],
  [['audit-trail', 'check'], /^avouch audit-trail: Unknown subcommand "check"\. Use verify\.\n/],
  [['audit-trail', 'verify', 'a', 'b'], /^avouch audit-trail verify: Unexpected argument "b"\.\n/],
];

suite('the command line', AT_ONCE, () => {
  for (const [args, says] of MISUSED) {
    test(`avouch ${args.join(' ')} ends with 2 and says where the right usage is`, async () => {
      const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: join(root, 'untouched') });
      assert.match(stderr, says);
      assert.match(stderr, /\nRun `avouch[a-z -]* --help`\.\n$/);
      assert.equal(stdout, '');
      assert.equal(code, 2);
    });
  }
});
