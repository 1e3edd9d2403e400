import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { type OpenedStore, openStore, testSequencer } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { KeyRing } from './key-ring.ts';
import { KEY_SCOPES, type KeyScope, SCOPE_RULES, vkeyOf } from './key-scope.ts';
import type { KeyRecord } from './key-unit.ts';
import { declareKeys, retireDueKeys, rotateKey } from './rotation.ts';

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

const LOG = { origin: 'ring.invalid/log', sandbox: true };

function rotate(ring: KeyRing, store: Store, scope: KeyScope = 'receipts'): Promise<KeyRecord> {
  return rotateKey(ring, store, { scope, log: LOG });
}

interface Declared {
  readonly public_key: string;
  readonly role: string;
  readonly scope: string;
  readonly superseded_by?: string;
}

async function declarations(store: Store): Promise<Declared[]> {
  const rows = await store.read('SELECT leaf FROM entries ORDER BY seq');
  return rows.map((row) => (JSON.parse(row['leaf'] as string) as { claim: Declared }).claim);
}

for (const engine of ENGINES) {
  const options = { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' };
  suite(`the key ring on ${engine}`, options, () => {
    test('makes one key for each scope and finds the same ones at every later start', async () => {
      await using opened = await openStore(engine);
      const directory = newDirectory();
      const first = (await open(opened.store, directory)).records();
      assert.deepEqual(
        first.map(({ scope }) => scope),
        KEY_SCOPES,
      );
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
      const made = await rotate(ring, opened.store);
      assert.deepEqual([made.validFromMs, made.retiredAtMs, made.supersededBy], [START_MS + 1_000, null, null]);
      assert.match(made.declaredIn ?? '', /^ATT-/);
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
      const other = await secondStore(opened);
      const second = await open(other, directory);
      const made = await Promise.all([rotate(first, opened.store), rotate(second, other)]);
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

test('a ring whose database is older than a scope makes the key of that scope, and only that', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  const before = (await open(opened.store, directory)).records();
  await forget(opened.store, 'log-cosign');
  rmSync(join(directory, 'log-cosign-001.pem'));
  const later = (await open(opened.store, directory)).records();
  assert.deepEqual(
    later.filter(({ scope }) => scope !== 'log-cosign'),
    before.filter(({ scope }) => scope !== 'log-cosign'),
  );
  const [made] = later.filter(({ scope }) => scope === 'log-cosign');
  assert.equal(Buffer.from(made?.publicKey ?? '', 'base64').length, 1312);
  assert.ok(before.every(({ keyId }) => keyId !== made?.keyId));
  rmSync(join(directory, 'log-cosign-001.pem'));
  await assert.rejects(open(opened.store, directory), /belongs to log-cosign key/);
});

test('a database without a key of a scope that it must have is not given one', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  await open(opened.store, directory);
  await forget(opened.store, 'log-checkpoint');
  const ring = await open(opened.store, directory);
  assert.deepEqual(ring.inForce('log-checkpoint'), []);
  assert.throws(() => ring.signingKey('log-checkpoint'), { name: 'SignerError' });
});

test('every key is declared once, in the order of the scopes, and one that entry 0 declares is not declared again', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  const ring = await open(opened.store, directory);
  const inception = { publicKey: vkeyOf(ring.inForce('log-checkpoint')[0] as KeyRecord, LOG.origin), entry: 'ATT-0' };
  for (let start = 0; start < 2; start += 1) await declareKeys(ring, opened.store, { log: LOG, inception });
  const sealed = await declarations(opened.store);
  assert.deepEqual(
    sealed.map(({ role, scope }) => [role, scope]),
    [
      ['root', 'receipts'],
      ['root', 'log-checkpoint'],
      ['root', 'log-receipt'],
    ],
  );
  assert.equal(sealed[0]?.public_key, ring.inForce('receipts')[0]?.publicKey);
  assert.equal(sealed[1]?.public_key, vkeyOf(ring.inForce('log-cosign')[0] as KeyRecord, LOG.origin));
  assert.equal(ring.inForce('log-checkpoint')[0]?.declaredIn, 'ATT-0');
  const undeclared = (await open(opened.store, directory)).records().filter(({ declaredIn }) => declaredIn === null);
  assert.deepEqual(
    undeclared.map(({ scope }) => scope),
    ['http-signature'],
  );
});

test('a rotation of http-signature ends the old key and declares nothing in the log', async () => {
  await using opened = await openStore('sqlite');
  const ring = await open(opened.store, newDirectory());
  const old = ring.inForce('http-signature')[0] as KeyRecord;
  const made = await rotate(ring, opened.store, 'http-signature');
  assert.deepEqual(await declarations(opened.store), []);
  assert.deepEqual(
    ring.inForce('http-signature').map(({ keyId }) => keyId),
    [made.keyId],
  );
  assert.equal(ring.records().find(({ keyId }) => keyId === old.keyId)?.supersededBy, made.keyId);
});

for (const scope of ['receipts', 'log-cosign'] as const) {
  test(`a rotation of ${scope} declares the new key and that the old one is legacy, in one step`, async () => {
    await using opened = await openStore('sqlite');
    const ring = await open(opened.store, newDirectory());
    const old = ring.inForce(scope)[0] as KeyRecord;
    const made = await rotate(ring, opened.store, scope);
    const [newName, oldName] = [made, old].map((key) => vkeyOf(key, LOG.origin) ?? key.publicKey);
    const { publicScope } = SCOPE_RULES[scope];
    assert.deepEqual(await declarations(opened.store), [
      { public_key: newName, role: 'root', scope: publicScope },
      { public_key: oldName, role: 'legacy', scope: publicScope, superseded_by: newName },
    ]);
    assert.deepEqual(ring.inForce(scope), [made]);
  });
}

test('the old key of the log stays in force for thirty days beside its successor, then ends once', async () => {
  const clock = new ManualClock(START_MS);
  await using opened = await openStore('sqlite', { injectedClock: clock });
  const { store } = opened;
  const directory = newDirectory();
  const ring = await open(store, directory);
  const old = ring.inForce('log-checkpoint')[0] as KeyRecord;
  const made = await rotate(ring, store, 'log-checkpoint');
  const overlapMs = 30 * DAY_MS;
  assert.deepEqual(
    ring
      .inForce('log-checkpoint')
      .map(({ keyId }) => keyId)
      .toSorted(),
    [old.keyId, made.keyId].toSorted(),
  );
  await assert.rejects(rotate(ring, store, 'log-checkpoint'), /overlap ends 2026-07-01T00:00:00\.000Z$/);
  clock.advance(overlapMs - 1);
  assert.equal(await retireDueKeys(ring, store, LOG), 0);
  clock.advance(1);
  const other = await open(store, directory);
  assert.equal(await retireDueKeys(ring, store, LOG), 1);
  assert.equal(await retireDueKeys(other, store, LOG), 0, 'a second process finds nothing left to do');
  assert.deepEqual(other.inForce('log-checkpoint'), [made]);
  assert.deepEqual(
    (await declarations(store)).map(({ role, superseded_by: by }) => [role, by]),
    [
      ['root', undefined],
      ['legacy', vkeyOf(made, LOG.origin)],
    ],
  );
  assert.notEqual((await rotate(ring, store, 'log-checkpoint')).keyId, made.keyId, 'the next rotation may begin');
});

test('a rotation that was killed after its file was made goes on with that file', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  const left = (await open(opened.store, directory)).nextKey('log-checkpoint');
  const made = await rotate(await open(opened.store, directory), opened.store, 'log-checkpoint');
  assert.equal(made.keyId, left.keyId);
  assert.equal((await declarations(opened.store)).length, 1);
});

test('a file that comes to a machine later is found without a start, and a broken one is as good as none', async () => {
  await using opened = await openStore('sqlite');
  const [here, there] = [newDirectory(), newDirectory()];
  const ring = await open(opened.store, here);
  cpSync(here, there, { recursive: true });
  const lacking = await open(opened.store, there);
  const made = await rotate(ring, opened.store, 'log-checkpoint');
  assert.deepEqual(lacking.missing(), []);
  await lacking.refresh();
  assert.deepEqual(
    lacking.missing().map(({ keyId }) => keyId),
    [made.keyId],
  );
  assert.throws(() => lacking.privateKey(made.keyId), { name: 'SignerError' });
  writeFileSync(join(there, 'log-checkpoint-002.pem'), 'half a k', { mode: 0o600 });
  assert.throws(() => lacking.privateKey(made.keyId), { name: 'SignerError' });
  cpSync(join(here, 'log-checkpoint-002.pem'), join(there, 'log-checkpoint-002.pem'));
  assert.ok(lacking.privateKey(made.keyId).equals(ring.privateKey(made.keyId)));
  assert.deepEqual(lacking.missing(), []);
});

test('a ring without the file of a key in force is refused, and the message says which key and where', async () => {
  await using opened = await openStore('sqlite');
  const directory = newDirectory();
  const ring = await open(opened.store, directory);
  const inForce = await rotate(ring, opened.store);
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

/** Makes the database one of before the scope. */
async function forget(store: Store, scope: KeyScope): Promise<void> {
  const drop: Unit<[null, null], boolean> = {
    name: 'forget',
    reads: () => ({}),
    load: () => false,
    decide: () => ({ state: true, result: null }),
    writes: () => [{ sql: 'DELETE FROM service_key WHERE scope IN (VALUES ($1))', rows: [[scope]] }],
  };
  await store.run(drop, null);
}

async function secondStore(opened: OpenedStore): Promise<Store> {
  const clock = new ManualClock(START_MS);
  const store = new GroupCommitter({ engine: await opened.again(), clock, maxBatch: 256, maxQueue: 1_000 });
  store.attachLog(testSequencer());
  return store;
}
