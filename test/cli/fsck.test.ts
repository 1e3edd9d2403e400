// The whole log derived again over HTTP, by the command that anybody may run.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { C2SP_TILE_WIDTH, decodeEntryBundle, encodeEntryBundle } from '#protocol/tile.ts';
import { runCommand } from '../support/command.ts';
import { TestService } from '../support/service.ts';
import { BEGUN, publishedCheckpoint, sealMany } from '../support/log.ts';

/** More than two full tiles, and a partial one on both levels. */
const ENTRIES = 600;
/** Of these, made one by one through the API; the others come in one commit. */
const CALLS = 40;
const KEYS = '/.well-known/avouch-keys.json';

async function vkeyOf(service: TestService): Promise<string> {
  const { json } = await service.call(KEYS);
  const keys = json['keys'] as { scope: string; alg: string; vkey: string }[];
  return keys.find(({ scope, alg }) => scope === 'log-checkpoint' && alg === 'ed25519')?.vkey as string;
}

async function fill(service: TestService, count: number): Promise<void> {
  const calls = Array.from({ length: count }, (_, i) =>
    service.call('/api/attest/seal', {
      method: 'POST',
      body: { schema_id: 'record.integrity.v1', claim: { statement: `box ${i} — €` } },
    }),
  );
  for (const answer of await Promise.all(calls)) assert.equal(answer.status, 201, answer.text);
}

suite('fsck', () => {
  let service: TestService;
  before(async () => {
    service = await TestService.start();
    await fill(service, CALLS);
    await sealMany(service.service.store, ENTRIES - CALLS);
    await publishedCheckpoint(service, ENTRIES + BEGUN);
  });
  after(() => service[Symbol.asyncDispose]());

  test('a log of 600 entries, made through the API and in one commit, holds', async () => {
    const vkey = await vkeyOf(service);
    const { code, stdout, stderr } = await runCommand(['fsck', service.url, '--vkey', vkey]);
    assert.deepEqual([code, stderr], [0, '']);
    // The first entries declare the keys of the service.
    assert.match(
      stdout,
      new RegExp(`^checkpoint: sandbox\\.invalid/\\S+, size ${ENTRIES + BEGUN}, root [0-9a-f]{64}$`, 'm'),
    );
    assert.match(
      stdout,
      new RegExp(`^re-hashed: ${ENTRIES + BEGUN} entries, \\d+ bytes, 3 bundles, 4 hash tiles$`, 'm'),
    );
    assert.match(stdout, /^Log verified: \d+ entries in [\d.]+ s\.\n$/m);
  });

  test('without a key it takes that of the service and says so', async () => {
    const { code, stdout, stderr } = await runCommand(['fsck', `${service.url}/`]);
    assert.equal(code, 0);
    assert.equal(stderr, 'Warning: this key came from the service itself. Pass --vkey with a key you trust.\n');
    assert.ok(stdout.startsWith(`key: ${await vkeyOf(service)}\n`));
  });

  test('a log signed by another key is refused', async () => {
    await using other = await TestService.start();
    const { code, stderr } = await runCommand(['fsck', service.url, '--vkey', await vkeyOf(other)]);
    assert.deepEqual([code, stderr], [1, 'avouch fsck: No signature by a known key.\n']);
  });

  test('what is no log is told in one line', async () => {
    const nothing = await runCommand(['fsck', 'http://127.0.0.1:1']);
    assert.deepEqual([nothing.code, nothing.stdout], [1, '']);
    assert.match(nothing.stderr, /^avouch fsck: Cannot reach http:\/\/127\.0\.0\.1:1\. .*\n$/);
    const missing = await runCommand(['fsck', `${service.url}/nowhere`]);
    assert.match(missing.stderr, /^avouch fsck: http:\S+\/nowhere\/\S+ returned 404\.\n$/);
    for (const args of [[], ['ftp://x'], [service.url, 'more'], [service.url, '--no-such']]) {
      assert.equal((await runCommand(['fsck', ...args])).code, 2, args.join(' '));
    }
  });

  for (const [what, path, spoil, says] of [
    ['a hash tile', /\/tile\/0\/001$/, flipLast, /^Error: Entry 511 does not hash to what tile\/0\/001 says\.$/m],
    [
      'a tile of the level above',
      /\/tile\/1\//,
      flipLast,
      /^Error: Entries 256 to 511 do not hash to what tile\/1\/000\.p\/2 says\.$/m,
    ],
    ['a tile that is cut', /\/tile\/0\/000$/, cutLast, /^Error: tile\/0\/000 has 8191 bytes instead of 8192\.$/m],
    [
      'a bundle that is cut',
      /\/tile\/entries\/001$/,
      cutLast,
      /^avouch fsck: tile\/entries\/001 is not a bundle of 256 entries: ends inside entry 255\.$/m,
    ],
    [
      'the checkpoint',
      /\/checkpoint$/,
      (bytes: Buffer) => Buffer.from(bytes.toString().replace('\n604\n', '\n603\n')),
      /^avouch fsck: The signature of a known key fails\.$/m,
    ],
  ] as const) {
    test(`a change in ${what} on its way is found`, async () => {
      await using between = await spoiling(service.url, path, spoil);
      const { code, stderr } = await runCommand(['fsck', between.url, '--vkey', await vkeyOf(service)]);
      assert.equal(code, 1);
      assert.match(stderr, says);
    });
  }

  test('one changed entry is found and named', async () => {
    await using between = await spoiling(service.url, /\/tile\/entries\/001$/, (bytes) => {
      const entries = decodeEntryBundle(bytes, C2SP_TILE_WIDTH);
      const changed = String(entries[300 - C2SP_TILE_WIDTH]).replace('"verdict":"ACCEPT"', '"verdict":"REJECT"');
      return Buffer.from(encodeEntryBundle(entries.with(300 - C2SP_TILE_WIDTH, Buffer.from(changed))));
    });
    const { code, stdout, stderr } = await runCommand(['fsck', between.url, '--vkey', await vkeyOf(service)]);
    assert.equal(code, 1);
    assert.match(stderr, /^Error: Entry 300 does not hash to what tile\/0\/001 says\.$/m);
    assert.match(stderr, /^Error: Entries 256 to 511 do not hash to what tile\/1\/000\.p\/2 says\.$/m);
    assert.match(stderr, /^Error: The entries hash to root [0-9a-f]{64}, the checkpoint signs [0-9a-f]{64}\.$/m);
    assert.equal(stderr.trimEnd().split('\n').length, 3);
    assert.match(stdout, /^Log broken: /m);
  });

  // Last: it spoils the database of the service.
  test('one changed leaf in the database is not handed out, and the bundle that is refused is named', async () => {
    using database = new DatabaseSync(join(service.dataDir, 'avouch.db'));
    database.exec('PRAGMA busy_timeout = 5000');
    const changed = database
      .prepare(`UPDATE entries SET leaf = replace(leaf, '"verdict":"ACCEPT"', '"verdict":"REJECT"') WHERE seq = 300`)
      .run();
    assert.equal(changed.changes, 1);
    const { code, stdout, stderr } = await runCommand(['fsck', service.url, '--vkey', await vkeyOf(service)]);
    assert.deepEqual([code, /verified/.test(stdout)], [1, false]);
    assert.match(stderr, /^avouch fsck: http:\S+\/tile\/entries\/001 returned 503\.$/m);
  });
});

function flipLast(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) as number) ^ 1)]);
}

function cutLast(bytes: Buffer): Buffer {
  return bytes.subarray(0, -1);
}

/** Stands between reader and log, and changes the answers of one path. */
async function spoiling(
  target: string,
  path: RegExp,
  spoil: (bytes: Buffer) => Buffer,
): Promise<AsyncDisposable & { url: string }> {
  const pass = async (at: string) => {
    const bytes = Buffer.from(await (await fetch(`${target}${at}`)).arrayBuffer());
    return path.test(at) ? spoil(bytes) : bytes;
  };
  const server = createServer((incoming, outgoing) => {
    void pass(incoming.url ?? '').then((bytes) => outgoing.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
