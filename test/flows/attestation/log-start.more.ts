// A start on a log so long that its tree is loaded without hashing all of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PublicLog } from '#platform/log/public-log.ts';
import type { LogError } from '#platform/log/log-error.ts';
import { openStore } from '../../support/engines.ts';
import { oneLogKey, sealMany } from '../../support/log.ts';

const ENTRIES = 65_800;
const PER_COMMIT = 8_225;

test('a log of which an old tile was changed is opened, and found unsound by the check that follows', async () => {
  await using opened = await openStore('sqlite');
  const { store } = opened;
  const faults: LogError[] = [];
  const open = (tilesFrom: number) =>
    PublicLog.open({
      store,
      attach: () => {},
      keys: oneLogKey(0),
      newOrigin: 'test.invalid/log',
      sandbox: true,
      tilesFrom,
      onUnsound: (fault) => faults.push(fault),
    });
  const written = await open(Number.POSITIVE_INFINITY);
  for (let sealed = 0; sealed < ENTRIES; sealed += PER_COMMIT) await sealMany(store, PER_COMMIT);
  while ((await written.keepTiles(1_024)) > 0);
  const sound = await open(0);
  await sound.checkTree(new AbortController().signal);
  assert.equal(faults.length, 0);
  await store.run(
    {
      name: 'swap',
      reads: () => ({}),
      load: () => null,
      decide: (state: null) => ({ state, result: null }),
      writes: () => [
        {
          sql: `UPDATE tile_hashes SET hashes = (SELECT hashes FROM tile_hashes WHERE level = 0 AND tile = $1)
            WHERE level = 0 AND tile = $2`,
          rows: [[8, 7]],
        },
      ],
    },
    null,
  );
  const opening = await open(0);
  assert.equal(opening.head().rootHex, written.head().rootHex);
  assert.throws(() => opening.inclusionPath(7 * 256, ENTRIES), /^LogError: stored tile 7 of level 0 is not that /);
  await opening.checkTree(new AbortController().signal);
  assert.match(faults[0]?.message ?? '', /^stored tile 7 of level 0 is not that of the log: delete the rows /);
});
