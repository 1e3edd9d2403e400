import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { TestService } from '../../../test/support/service.ts';
import { isPrivate, keepPrivate } from './private-file.ts';

const FILES = ['avouch.db', 'avouch.db-wal', 'avouch.db-shm'];

test('the database of a service is private in a directory that others may read', async () => {
  const dataDir = await temporaryDirectory();
  chmodSync(dataDir, 0o755);
  await using _service = await TestService.start({ dataDir });
  for (const name of FILES) assert.equal(statSync(join(dataDir, name)).mode & 0o077, 0, name);
});

test('a database that others may read is made private in the sandbox and refused in production', async () => {
  const database = join(await temporaryDirectory(), 'avouch.db');
  keepPrivate(database, false);
  assert.equal(statSync(database).mode & 0o777, 0o600);
  chmodSync(database, 0o644);
  assert.throws(() => keepPrivate(database, false), /others may read .*avouch\.db: chmod 600 it/);
  assert.equal(statSync(database).mode & 0o777, 0o644, 'nothing was changed');
  keepPrivate(database, true);
  assert.equal(statSync(database).mode & 0o777, 0o600);
});

const OWN_GROUP = 10_001;
const OTHER_GROUP = 10_002;

test('a secret is private without rights for others, or if root shares it with a group of the process', () => {
  const cases = [
    [0o600, 1_000, OTHER_GROUP, true],
    [0o400, 0, OWN_GROUP, true],
    [0o440, 0, OWN_GROUP, true],
    [0o640, 0, OWN_GROUP, true],
    [0o440, 0, OTHER_GROUP, false],
    [0o440, 1_000, OWN_GROUP, false],
    [0o460, 0, OWN_GROUP, false],
    [0o444, 0, OWN_GROUP, false],
  ] as const;
  for (const [mode, uid, gid, expected] of cases)
    assert.equal(isPrivate({ mode, uid, gid }, [OWN_GROUP]), expected, `${mode.toString(8)} ${uid} ${gid}`);
});
