import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { GroupCommitter } from '#storage/committer.ts';
import type { Store } from '#storage/store.ts';
import { type OpenedStore, openStore } from '../../test/_engines.ts';
import { ENGINES, hasPostgres } from '../../test/_harness.ts';
import { KeyRing } from './key-ring.ts';
import { KEY_SCOPES } from './key-unit.ts';

const root = mkdtempSync(join(tmpdir(), 'avouch-test-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;

const PASSPHRASE = 'a passphrase for the ring';
const START_MS = Date.UTC(2026, 5, 1);

function newDirectory(): string {
  directories += 1;
  return join(root, String(directories));
}

function open(store: Store, directory: string, passphrase: string | undefined = PASSPHRASE): Promise<KeyRing> {
  return KeyRing.open({ store, directory, passphrase });
}

for (const engine of ENGINES) {
  const options = { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' };
  suite(`the key ring on ${engine}`, options, () => {
    test('makes one key for each scope and finds the same ones at every later start', async () => {
      await using opened = await openStore(engine);
      const directory = newDirectory();
      const first = (await open(opened.store, directory)).records();
      assert.deepEqual(first.map(({ scope }) => scope).toSorted(), [...KEY_SCOPES].toSorted());
      for (const record of first) assert.deepEqual([record.retiredAtMs, record.supersededBy], [null, null]);
      assert.deepEqual((await open(opened.store, directory)).records(), first);
      assert.equal(readdirSync(directory).length, KEY_SCOPES.length);
    });

    test('agrees with rings that open at the same moment on the same empty data', async () => {
      await using opened = await openStore(engine);
      const directory = newDirectory();
      const stores = [opened.store, await secondStore(opened)];
      const rings = await Promise.all([...stores, ...stores].map((store) => open(store, directory)));
      const [first, ...others] = rings.map((ring) => ring.records());
      for (const records of others) assert.deepEqual(records, first);
    });

    test('keeps the public record of a rotated key, with when and by what it was replaced', async () => {
      const clock = new ManualClock(START_MS);
      await using opened = await openStore(engine, { injectedClock: clock });
      const directory = newDirectory();
      const ring = await open(opened.store, directory);
      const [before] = ring.records().filter(({ scope }) => scope === 'receipts');
      clock.advance(1_000);
      const made = await ring.rotate('receipts');
      assert.deepEqual([made.validFromMs, made.retiredAtMs, made.supersededBy], [START_MS + 1_000, null, null]);
      const retired = { ...before, retiredAtMs: START_MS + 1_000, supersededBy: made.keyId };
      assert.deepEqual(
        ring.records().find(({ keyId }) => keyId === before?.keyId),
        retired,
      );
      assert.deepEqual(
        ring
          .records()
          .filter(({ scope }) => scope === 'log-checkpoint')
          .map((key) => key.retiredAtMs),
        [null],
      );
      assert.deepEqual((await open(opened.store, directory)).records(), ring.records());
    });

    test('makes one new key when two processes rotate at the same moment', async () => {
      await using opened = await openStore(engine);
      const directory = newDirectory();
      const first = await open(opened.store, directory);
      const second = await open(await secondStore(opened), directory);
      const made = await Promise.all([first.rotate('receipts'), second.rotate('receipts')]);
      assert.equal(made[0].keyId, made[1].keyId);
      const receipts = (await open(opened.store, directory)).records().filter(({ scope }) => scope === 'receipts');
      assert.equal(receipts.length, 2);
      assert.deepEqual(
        receipts.filter((key) => key.retiredAtMs === null).map((key) => key.keyId),
        [made[0].keyId],
      );
    });
  });
}

test('a ring without the file of a key in force is refused, and the message says which key and where', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  const ring = await open(opened.store, directory);
  const inForce = await ring.rotate('receipts');
  rmSync(join(directory, 'receipts-001.pem'));
  await open(opened.store, directory); // a retired key is needed by nobody
  rmSync(join(directory, 'receipts-002.pem'));
  await assert.rejects(open(opened.store, directory), {
    name: 'KeyFileError',
    message: `the database belongs to receipts key ${inForce.keyId}, whose file is not in ${directory}: copy it there`,
  });
  await assert.rejects(open(opened.store, newDirectory()), { name: 'KeyFileError' });
});

test('a ring with another passphrase is refused and makes no keys', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  const before = (await open(opened.store, directory)).records();
  await assert.rejects(open(opened.store, directory, 'not the passphrase of it'), { name: 'KeyFileError' });
  assert.deepEqual((await open(opened.store, directory)).records(), before);
});

test('a start that was interrupted after the files were made goes on with those files', async () => {
  const directory = newDirectory();
  await using lost = await openStore('sqlite');
  const made = (await open(lost.store, directory)).records().map(({ keyId }) => keyId);
  await using empty = await openStore('sqlite');
  assert.deepEqual(
    (await open(empty.store, directory)).records().map(({ keyId }) => keyId),
    made,
  );
});

async function secondStore(opened: OpenedStore): Promise<Store> {
  const clock = new ManualClock(START_MS);
  return new GroupCommitter({ engine: await opened.again(), clock, maxBatch: 256, maxQueue: 1_000 });
}
