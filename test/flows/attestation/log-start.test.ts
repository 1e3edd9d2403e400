// A start on an existing log: from tiles as from entries, and refused where it would be another log than before.
import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { PublicLog } from '#platform/log/public-log.ts';
import { checkLoadedTiles, treeFromTiles } from '#platform/log/tree-loading.ts';
import { TileKeeper } from '#platform/log/tile-keeper.ts';
import { leafHash } from '#protocol/merkle.ts';
import { MerkleTree } from '#protocol/merkle-tree.ts';
import type { Store, Unit, Write } from '#platform/storage/store.ts';
import { openStore } from '../../support/engines.ts';
import { ENGINES, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { BEGUN, oneLogKey, sealMany, sealRecord, tamper } from '../../support/log.ts';
import { sha256Hex } from '#kernel/ids.ts';

const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

function openLog(store: Store & { attachLog: unknown }, tilesFrom: number, seedByte = 0): Promise<PublicLog> {
  return PublicLog.open({
    store,
    attach: () => {},
    keys: oneLogKey(seedByte),
    newOrigin: 'test.invalid/log',
    sandbox: true,
    tilesFrom,
  });
}

/** Writes rows behind the back of the log. */
async function write(store: Store, ...writes: readonly Write[]): Promise<void> {
  const unit: Unit<[null, null], null> = {
    name: 'write',
    reads: () => ({}),
    load: () => null,
    decide: (state) => ({ state, result: null }),
    writes: () => writes,
  };
  await store.run(unit, null);
}

const setTile = (tile: number, hashes: string): Write => ({
  sql: 'INSERT INTO tile_hashes (level, tile, hashes) VALUES ($1, $2, $3) ON CONFLICT (level, tile) DO UPDATE SET hashes = excluded.hashes',
  rows: [[0, tile, hashes]],
});
/** No log has tiles of this level here: a tile that was moved there is missing where it belongs. */
const moveTile = (tile: number): Write => ({
  sql: 'INSERT INTO tile_hashes (level, tile, hashes) VALUES ($1, $2, $3) ON CONFLICT (level, tile) DO UPDATE SET level = 9',
  rows: [[0, tile, '']],
});

async function tilesIn(store: Store): Promise<string[]> {
  const rows = await store.read('SELECT level, tile FROM tile_hashes ORDER BY level, tile');
  return rows.map(({ level, tile }) => `${level}/${tile}`);
}

for (const engine of ENGINES) {
  suite(`the tree of a start on ${engine}`, { skip: engine === 'postgres' && noPostgres }, () => {
    test('is the same from tiles as from entries, for sizes around full tiles', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      let { size } = (await openLog(store, Number.POSITIVE_INFINITY)).head();
      for (const wanted of engine === 'sqlite' ? [255, 256, 257, 511, 512, 513, 768] : [255, 256, 513]) {
        await sealMany(store, wanted - size);
        size = wanted;
        const fromEntries = await openLog(store, Number.POSITIVE_INFINITY);
        const fromTiles = await openLog(store, 0);
        assert.deepEqual(fromTiles.head(), fromEntries.head());
        assert.equal(fromTiles.head().size, wanted);
        for (const seq of [0, 1, 127, 254, wanted - 1]) {
          assert.deepEqual(fromTiles.inclusionPath(seq, wanted), fromEntries.inclusionPath(seq, wanted));
          assert.deepEqual(fromTiles.consistencyProof(seq, wanted), fromEntries.consistencyProof(seq, wanted));
        }
        await fromTiles.keepTiles(100);
        assert.equal((await tilesIn(store)).length, Math.floor(wanted / 256));
      }
      const last = await openLog(store, 0);
      await sealMany(store, 300);
      assert.equal((await last.follow()).size, size + 300, 'a tree from tiles goes on growing');
    });

    test('is refused when a stored tile was changed, and made from the entries where one is missing', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      const log = await openLog(store, Number.POSITIVE_INFINITY);
      await sealMany(store, 800);
      assert.equal(await log.keepTiles(2), 2, 'no more than it was told');
      assert.equal(await log.keepTiles(100), 1);
      assert.equal(await log.keepTiles(100), 0);
      assert.deepEqual(await tilesIn(store), ['0/0', '0/1', '0/2']);
      const hashes = Buffer.from(log.tile(0, 1, 256));
      const right = hashes.toString('base64');
      hashes[4_000] = (hashes[4_000] as number) ^ 1;
      await write(store, setTile(1, hashes.toString('base64')));
      await assert.rejects(
        openLog(store, 0),
        /^LogError: the stored tiles of the log do not hash to the root .*: delete the rows/,
      );
      assert.equal((await openLog(store, 900)).head().size, 801, 'a shorter log does not read them');
      await write(store, setTile(1, right.slice(0, 100)));
      await assert.rejects(openLog(store, 0), /^LogError: stored tile 1 of level 0 is damaged: /);
      await write(store, moveTile(1));
      const mended = await openLog(store, 0);
      assert.equal(mended.head().size, 801);
      await mended.keepTiles(100);
      assert.deepEqual(await tilesIn(store), ['0/0', '0/1', '0/2', '9/1'], 'and stored again');
    });

    test('is refused under another key than the one that signed the log', async () => {
      await using opened = await openStore(engine);
      await openLog(opened.store, 0);
      await assert.rejects(
        openLog(opened.store, 0, 1),
        /^LogError: the checkpoint of the log is not signed by its key/,
      );
    });
  });
}

suite('a tree with full tiles of the second level', () => {
  const size = 65_536 + 256 + 3;
  const tree = new MerkleTree();
  const head = () => ({ size, rootHex: Buffer.from(tree.root()).toString('hex') });
  let opened: Awaited<ReturnType<typeof openStore>>;
  const setTileOf = (level: number, tile: number, hashes: Uint8Array): Write => ({
    ...setTile(0, ''),
    rows: [[level, tile, Buffer.from(hashes).toString('base64')]],
  });
  /** The tile with one wrong bit. */
  const changed = (level: number, tile: number) => {
    const hashes = Buffer.from(tree.tile(level, tile, 256));
    hashes[5] = (hashes[5] as number) ^ 1;
    return hashes;
  };

  before(async () => {
    opened = await openStore('sqlite');
    const rows = Array.from({ length: size }, (_, seq) => {
      const hash = leafHash(Buffer.from(String(seq)));
      tree.append(hash);
      return [seq, 'seal', '', Buffer.from(hash).toString('hex'), String(seq), 0];
    });
    const sql = 'INSERT INTO entries (seq, type, leaf, leaf_hash, attestation_id, at) VALUES ($1, $2, $3, $4, $5, $6)';
    await write(opened.store, { sql, rows });
    const keeper = new TileKeeper(opened.store, (level, index, width) => tree.tile(level, index, width));
    assert.equal(await keeper.keep(size, 1_000), 257 + 1);
  });
  after(() => opened[Symbol.asyncDispose]());

  test('is loaded, and none of its tiles is found wrong', async () => {
    const loaded = await treeFromTiles(opened.store, head());
    assert.equal([...loaded.unchecked()].length, 256);
    await checkLoadedTiles(loaded, new AbortController().signal);
    for (const index of [0, 65_535, 65_536, size - 1]) {
      assert.deepEqual(loaded.inclusionPath(index), tree.inclusionPath(index));
    }
    assert.equal([...loaded.unchecked()].length, 254, 'what was answered from is not checked again');
  });

  test('answers nothing from a tile that was changed, and the check after a start finds it', async () => {
    const { store } = opened;
    await write(store, setTileOf(0, 3, changed(0, 3)));
    const loaded = await treeFromTiles(store, head());
    const fault = /^LogError: stored tile 3 of level 0 is not that of the log: delete the rows/;
    assert.throws(() => loaded.inclusionPath(3 * 256 + 9), fault);
    assert.throws(() => loaded.subtree(0, 3 * 256 + 9), fault, 'with which the bytes of an entry are compared');
    assert.throws(() => loaded.tile(0, 3, 256), fault);
    assert.throws(() => loaded.consistencyProof(3 * 256 + 9), fault);
    assert.deepEqual(loaded.inclusionPath(4 * 256), tree.inclusionPath(4 * 256), 'other tiles are good');
    const untouched = await treeFromTiles(store, head());
    await assert.rejects(checkLoadedTiles(untouched, new AbortController().signal), fault);
    await write(store, setTileOf(0, 3, tree.tile(0, 3, 256)));
  });

  test('is refused when the tile above was changed, and made from those below where it is missing', async () => {
    const { store } = opened;
    await write(store, setTileOf(1, 0, changed(1, 0)));
    await assert.rejects(
      treeFromTiles(store, head()),
      /^LogError: the stored tiles of the log do not hash to the root /,
    );
    await write(store, { sql: 'DELETE FROM tile_hashes WHERE level = $1', rows: [[1]] });
    const made = await treeFromTiles(store, head());
    assert.deepEqual(made.inclusionPath(700), tree.inclusionPath(700));
    assert.deepEqual(Buffer.from(made.tile(1, 0, 256)), Buffer.from(tree.tile(1, 0, 256)));
  });
});

/** Runs a service on the directory for a few seals and stops it. */
async function runOn(dataDir: string, statements: readonly string[], options: object = {}): Promise<void> {
  await using service = await TestService.start({ dataDir, ...options });
  for (const statement of statements) assert.equal((await sealRecord(service, statement)).status, 201);
}

async function withoutDatabase(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) if (name.startsWith('avouch.db')) await rm(join(dataDir, name));
}

async function takeDatabase(from: string, to: string): Promise<void> {
  await withoutDatabase(to);
  await cp(join(from, 'avouch.db'), join(to, 'avouch.db'));
}

async function directories(count: number): Promise<AsyncDisposable & { readonly paths: string[] }> {
  const root = await temporaryDirectory();
  return {
    paths: Array.from({ length: count }, (_, index) => join(root, String(index))),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

suite('a data directory that remembers its log', () => {
  let kept: Awaited<ReturnType<typeof directories>>;
  before(async () => {
    kept = await directories(1);
    await runOn(kept.paths[0] as string, ['one']);
  });
  after(() => kept[Symbol.asyncDispose]());
  /** A directory of a service that has stopped after one seal. */
  const copyTo = (dataDir: string) => cp(kept.paths[0] as string, dataDir, { recursive: true });

  test('holds the newest signed checkpoint after a stop', async () => {
    await using made = await directories(1);
    const [dataDir = ''] = made.paths;
    await copyTo(dataDir);
    const [origin, size] = (await readFile(join(dataDir, 'log-high-water'), 'utf8')).split('\n');
    assert.match(origin ?? '', /^sandbox\.invalid\/[0-9a-f]{16}\/astralock$/);
    assert.equal(size, String(BEGUN + 2), 'the declared keys, the seal, and the anchor of the audit trail');
    assert.deepEqual(
      (await readdir(dataDir)).filter((name) => name.endsWith('.draft')),
      [],
    );
    await runOn(dataDir, []);
  });

  test('is not started on an empty database', async () => {
    await using made = await directories(1);
    const [dataDir = ''] = made.paths;
    await copyTo(dataDir);
    await withoutDatabase(dataDir);
    const refusal = /the database has no log, but log-high-water in DATA_DIR knows log \S+ with 6 entries: restore /;
    await assert.rejects(runOn(dataDir, []), refusal);
    await assert.rejects(runOn(dataDir, []), refusal, 'nor at a second try');
  });

  test('is not started on an older copy of its database', async () => {
    await using made = await directories(2);
    const [dataDir = '', copy = ''] = made.paths;
    await copyTo(dataDir);
    await copyTo(copy);
    await runOn(dataDir, ['two']);
    await takeDatabase(copy, dataDir);
    await assert.rejects(
      runOn(dataDir, []),
      /the log in the database has 6 entries, but log-high-water .* with 8 entries: /,
    );
  });

  test('is not started on a log that went another way', async () => {
    await using made = await directories(2);
    const [dataDir = '', copy = ''] = made.paths;
    await copyTo(dataDir);
    await copyTo(copy);
    await runOn(dataDir, ['two']);
    await runOn(copy, ['other', 'and more']);
    await takeDatabase(copy, dataDir);
    await assert.rejects(
      runOn(dataDir, []),
      /the first 8 entries of the log are not those that this installation signed/,
    );
  });

  test('is not started on the database of another installation', async () => {
    await using made = await directories(2);
    const [dataDir = '', other = ''] = made.paths;
    await copyTo(dataDir);
    await runOn(other, []);
    await takeDatabase(other, dataDir);
    await cp(join(other, 'keys'), join(dataDir, 'keys'), { recursive: true });
    await cp(join(other, 'server-secret'), join(dataDir, 'server-secret'));
    await assert.rejects(
      runOn(dataDir, []),
      /the database has log sandbox\S+, but log-high-water in DATA_DIR knows log sandbox/,
    );
  });

  test('is not started when what it remembers is damaged', async () => {
    await using made = await directories(1);
    const [dataDir = ''] = made.paths;
    await copyTo(dataDir);
    await writeFile(join(dataDir, 'log-high-water'), 'no note');
    await assert.rejects(runOn(dataDir, []), /log-high-water in DATA_DIR is damaged: restore it/);
  });

  test('is not started on another PostgreSQL database', { skip: noPostgres }, async () => {
    await using made = await directories(1);
    const [dataDir = ''] = made.paths;
    await runOn(dataDir, [], { databaseUrl: await freshDatabase('postgres') });
    await assert.rejects(
      runOn(dataDir, [], { databaseUrl: await freshDatabase('postgres') }),
      /the database has no log, but/,
    );
  });
});

test('a log keeps its name: a start that means another one is refused', async () => {
  await using made = await directories(1);
  const [dataDir = ''] = made.paths;
  const [passphrase, secret] = [`${dataDir}.passphrase`, `${dataDir}.secret`];
  await writeFile(passphrase, 'a passphrase of a test');
  await writeFile(secret, sha256Hex('a secret'), { mode: 0o600 });
  const env = {
    AVOUCH_PROFILE: 'production',
    AVOUCH_REGISTERS: 'off',
    AVOUCH_WALLET_TOPUP: 'off',
    BASE_URL: 'https://avouch.example',
    AVOUCH_OPERATOR_NAME: 'Example BV',
    AVOUCH_OPERATOR_CONTACT: 'https://avouch.example/contact',
    AVOUCH_KEY_PASSPHRASE_FILE: passphrase,
    AVOUCH_SERVER_SECRET_FILE: secret,
    AVOUCH_RPC_URL: 'http://127.0.0.1:1',
    AVOUCH_FACILITATOR_URL: 'http://127.0.0.1:1',
    AVOUCH_PAY_TO: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
    AVOUCH_FX_USD_EUR: '0.92',
    AVOUCH_FX_AS_OF: '2026-11-01',
    AVOUCH_MAIL: 'off',
  };
  await runOn(dataDir, [], { env });
  const named =
    /the log in the database is named avouch\.example\/astralock, this configuration names it \S+: set AVOUCH_LOG_ORIGIN=avouch\.example\/astralock /;
  await assert.rejects(runOn(dataDir, [], { env: { ...env, AVOUCH_LOG_ORIGIN: 'other.example/log' } }), named);
  await assert.rejects(runOn(dataDir, [], { env: { ...env, BASE_URL: 'https://moved.example' } }), named);
  const moved = { ...env, BASE_URL: 'https://moved.example', AVOUCH_LOG_ORIGIN: 'avouch.example/astralock' };
  await runOn(dataDir, [], { env: moved });
  await assert.rejects(
    runOn(dataDir, [], { env: { AVOUCH_KEY_PASSPHRASE_FILE: passphrase, AVOUCH_SERVER_SECRET_FILE: secret } }),
    /the database holds the log avouch\.example\/astralock of production: set AVOUCH_PROFILE/,
  );
});

test('an entry that is gone is named by the start that misses it', async () => {
  await using made = await directories(1);
  const [dataDir = ''] = made.paths;
  await runOn(dataDir, ['one']);
  await tamper({ dataDir, databaseUrl: undefined }, 'DELETE FROM entries WHERE seq = 1');
  await assert.rejects(runOn(dataDir, []), /log entry 1 is missing: restore the database from a backup/);
});
