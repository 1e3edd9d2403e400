// Broken things that take a process of their own: fewer rights, other file systems, waits for a lock.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import {
  administrate,
  assertOneLine,
  copyOfSound,
  isRoot,
  keyFile,
  MARKER,
  mounted,
  newDirectory,
  noMounts,
  noRights,
  obeyingRights,
  run,
  table,
  WITHOUT_LOW_PORTS,
} from './broken-start.ts';
import { hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

test('an unknown name in the sandbox is a warning, and the service starts', async () => {
  const { code, stdout, stderr } = await run(['serve'], {
    DATA_DIR: newDirectory(),
    PORT: '0',
    AVOUCH_PASSPHRASE: MARKER,
    AVOUCH_AREA_NOBODY_COLOUR: MARKER,
  });
  assert.equal(code, 0);
  assert.match(stdout, /"msg":"service ready","address":"http/);
  for (const name of ['AVOUCH_PASSPHRASE', 'AVOUCH_AREA_NOBODY_COLOUR']) {
    assert.ok(
      stderr.includes(`"level":"warn","msg":"unknown setting","cause":"${name} is not a setting of this release: `),
    );
  }
  assert.doesNotMatch(stdout + stderr, new RegExp(MARKER));
});

function readFileIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

table('the address', [
  {
    what: 'a port that needs rights',
    env: { PORT: '80' },
    under: () => (isRoot ? WITHOUT_LOW_PORTS : []),
    says: /^Port 80 needs more privileges\. Set PORT to 1024 or above\.$/,
    skip:
      noRights ||
      (readFileIfAny('/proc/sys/net/ipv4/ip_unprivileged_port_start').trim() !== '1024' &&
        'port 80 is free for all here'),
  },
]);

table('the data directory', [
  {
    what: 'in a directory without the right to write',
    env: (dataDir) => {
      mkdirSync(dataDir, { mode: 0o500 });
      return { DATA_DIR: join(dataDir, 'data') };
    },
    under: () => obeyingRights,
    says: /^This user may not write \S+\. Give it write permission or set DATA_DIR\.$/,
    skip: noRights,
  },
  {
    what: 'without the right to write',
    env: (dataDir) => {
      mkdirSync(dataDir, { mode: 0o500 });
      return {};
    },
    under: () => obeyingRights,
    says: /^the lock file \S+lock\.db cannot be used: check rights and space of its directory or set DATA_DIR$/,
    skip: noRights,
  },
  {
    what: 'on a read-only file system',
    under: mounted('ro'),
    says: /^the lock file \S+lock\.db cannot be used: check rights and space of its directory or set DATA_DIR$/,
    skip: noMounts,
  },
  {
    what: 'on a read-only file system, to be made',
    env: (dataDir) => ({ DATA_DIR: join(dataDir, 'data') }),
    under: mounted('ro'),
    says: /^\S+ does not exist and cannot be created\. Check the path and that its disk is writable\.$/,
    skip: noMounts,
  },
  {
    what: 'on a file system that is too small',
    under: mounted('size=64k'),
    says: /^There is no space left for avouch\.db in DATA_DIR\. Free some space\.$/,
    skip: noMounts,
  },
]);

table('the SQLite database', [
  {
    what: 'that may not be written',
    spoil: (dataDir) => chmodSync(join(dataDir, 'avouch.db'), 0o400),
    under: () => obeyingRights,
    says: /^avouch\.db in DATA_DIR is not writable\. Give this user write permission for the file and its directory\.$/,
    skip: noRights,
  },
]);

table('the keys', [
  {
    what: 'a key file that this user cannot read',
    spoil: (dataDir) => chmodSync(keyFile(dataDir), 0o000),
    under: () => obeyingRights,
    says: /^key file receipts-001\.pem cannot be read \(EACCES\): give this user the right to read it$/,
    skip: noRights,
  },
  {
    what: 'a key directory that this user cannot list',
    spoil: (dataDir) => chmodSync(join(dataDir, 'keys'), 0o000),
    under: () => obeyingRights,
    says: /^the key directory \S+keys cannot be read \(EACCES\): make it a readable directory$/,
    skip: noRights,
  },
]);

table('the PostgreSQL server', [
  {
    what: 'whose host has no address',
    env: { DATABASE_URL: `postgres://u:${MARKER}@database.invalid/x` },
    says: /^The host in DATABASE_URL (does not exist\. Correct its name\.|cannot be resolved now\. .*)$/,
  },
]);

test('a second service on the same SQLite directory is refused, and the line names the process that has it', async () => {
  await using first = await TestService.start();
  const second = await run(['serve'], { DATA_DIR: first.dataDir, PORT: '0' });
  const says = new RegExp(
    `^another process \\(pid ${process.pid}\\) uses ${first.dataDir}: stop it or set DATA_DIR to another`,
  );
  assertOneLine(second, 'serve', says);
  assert.equal(second.code, 1);
  assert.equal((await first.call('/v1/claim?key=a&agent=ab')).status, 200, 'the first one goes on');
});

test('a database that another program holds is refused at the start', async () => {
  const dataDir = await copyOfSound();
  const holder = new DatabaseSync(join(dataDir, 'avouch.db'));
  holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  const outcome = await run(['serve'], { DATA_DIR: dataDir, PORT: '0' });
  holder.close();
  assertOneLine(outcome, 'serve', /^Another program has locked avouch\.db in DATA_DIR\. Close that program\.$/);
  assert.equal(outcome.code, 1);
});

suite('a running service', () => {
  test('whose SQLite file another program holds answers 503 with when to come back, and recovers', async () => {
    await using service = await TestService.start();
    const holder = new DatabaseSync(join(service.dataDir, 'avouch.db'));
    holder.exec('BEGIN IMMEDIATE');
    const refused = await service.call('/v1/claim?key=a&agent=ab');
    assert.deepEqual([refused.status, refused.json['code']], [503, 'storage_unavailable']);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await service.call('/api/v1/health')).status, 503);
    holder.exec('ROLLBACK');
    holder.close();
    assert.equal((await service.call('/v1/claim?key=a&agent=ab')).status, 200);
    assert.equal((await service.call('/api/v1/health')).status, 200);
  });

  test('whose PostgreSQL refuses connections answers 503 with when to come back, and recovers', {
    skip: noPostgres,
  }, async () => {
    await using service = await TestService.start({ engine: 'postgres' });
    const url = new URL(service.databaseUrl ?? '');
    const name = url.pathname.slice(1);
    const admin = new URL('/postgres', url);
    const disconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    await administrate(admin, [`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`, disconnect]);
    const refused = await service.call('/v1/claim?key=a&agent=ab');
    const health = await service.call('/api/v1/health');
    await administrate(admin, [`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`]);
    assert.equal((await service.call('/v1/claim?key=a&agent=ab')).status, 200);
    assert.deepEqual([refused.status, refused.json['code'], health.status], [503, 'storage_unavailable', 503]);
  });
});
