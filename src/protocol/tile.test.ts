import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { refusesWrongTypes } from './_wrong-types.ts';
import { ProtocolError } from './protocol-error.ts';
import {
  decodeEntryBundle,
  encodeEntryBundle,
  formatTilePath,
  parseTilePath,
  type Tile,
  tileLayout,
  tileWidth,
} from './tile.ts';

const anyTile: fc.Arbitrary<Tile> = fc.record(
  {
    level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
    index: fc.oneof(fc.nat(2_000), fc.maxSafeNat()),
    width: fc.integer({ min: 1, max: 256 }),
  },
  { noNullPrototype: true },
);

suite('C2SP tlog-tiles, paths', () => {
  test('every tile has one path, and it is read back', () => {
    fc.assert(
      fc.property(anyTile, (tile) => {
        assert.deepEqual(parseTilePath(formatTilePath(tile)), tile);
      }),
    );
  });

  test('a text that is read is the path that would be written', () => {
    const near = fc
      .tuple(anyTile, fc.nat(40), fc.nat(2), fc.stringMatching(/^[0-9x./p]{0,2}$/))
      .map(([tile, at, gone, put]) => {
        const path = formatTilePath(tile);
        return path.slice(0, at) + put + path.slice(at + gone);
      });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        try {
          assert.equal(formatTilePath(parseTilePath(text)), text);
        } catch (error) {
          assert.ok(error instanceof ProtocolError && error.code === 'tile_path_malformed', String(error));
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a tile without hashes has no path', () => {
    assert.throws(() => formatTilePath({ level: 0, index: 0, width: 0 }), { code: 'out_of_range' });
  });

  test('paths that climb, that are encoded or that no number can hold are refused', () => {
    for (const path of [
      'tile/0/../000',
      'tile/0/x000/001',
      'tile/0/x000/x001/002',
      'tile/0/%30%30%30',
      'tile/0/000\n',
      'tile/0/٠٠٠',
      ' tile/0/000',
      'tile//000',
      `tile/0/${'x123/'.repeat(5)}456`,
      `tile/0/${'x123/'.repeat(100_000)}456`,
    ]) {
      assert.throws(() => parseTilePath(path), { code: 'tile_path_malformed' }, path.slice(0, 60));
    }
  });
});

suite('C2SP tlog-tiles, layout', () => {
  test('the widths of the tiles are those of the layout', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(70_000), fc.maxSafeNat()), (size) => {
        for (const { level, fullTiles, partialWidth } of tileLayout(size)) {
          if (fullTiles > 0) assert.equal(tileWidth(size, level, fullTiles - 1), 256);
          assert.equal(tileWidth(size, level, fullTiles), partialWidth);
          assert.equal(tileWidth(size, level, fullTiles + 1), 0);
          assert.equal(partialWidth, Math.floor(size / 256 ** level) % 256);
        }
        assert.equal(tileWidth(size, tileLayout(size).length, 0), 0);
        assert.equal(tileWidth(size, 'entries', 0), tileWidth(size, 0, 0));
      }),
    );
  });
});

suite('C2SP tlog-tiles, entry bundles', () => {
  const entries = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(65_535, 7), Buffer.from('four')];
  const bundle = encodeEntryBundle(entries);

  test('entries of 0 to 65535 bytes are written behind their length and read again', () => {
    assert.deepEqual(decodeEntryBundle(bundle, 4), entries);
    assert.throws(() => encodeEntryBundle([Buffer.alloc(65_536)]), { code: 'entry_too_long' });
    assert.deepEqual(decodeEntryBundle(encodeEntryBundle([]), 0), []);
    assert.throws(() => encodeEntryBundle(Array.from({ length: 257 }, () => Buffer.alloc(0))), {
      code: 'out_of_range',
    });
  });

  test('a bundle with more or fewer entries, or cut anywhere, is refused', () => {
    for (const width of [0, 3, 5]) assert.throws(() => decodeEntryBundle(bundle, width), { code: 'bundle_malformed' });
    for (const end of [0, 1, 4, 5, 6, 8, 100, bundle.length - 1]) {
      assert.throws(() => decodeEntryBundle(bundle.subarray(0, end), 4), { code: 'bundle_malformed' });
    }
    const longer = Buffer.concat([bundle, Uint8Array.of(0)]);
    assert.throws(() => decodeEntryBundle(longer, 4), { code: 'bundle_malformed' });
  });

  test('random bytes are a bundle that is written alike, or the one error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(12), (bytes, width) => {
        try {
          assert.deepEqual(encodeEntryBundle(decodeEntryBundle(bytes, width)), Buffer.from(bytes));
        } catch (error) {
          assert.ok(error instanceof ProtocolError && error.code === 'bundle_malformed', String(error));
        }
      }),
    );
  });
});

test('values of the wrong type are refused in every place', () => {
  const tile = { level: 0, index: 0, width: 256 };
  refusesWrongTypes('nothing', (value) => parseTilePath(value));
  refusesWrongTypes('nothing', (value) => formatTilePath(value));
  for (const member of ['level', 'index', 'width']) {
    refusesWrongTypes('number', (value) => formatTilePath({ ...tile, [member]: value }));
  }
  refusesWrongTypes('number', (value) => tileWidth(value, 0, 0));
  refusesWrongTypes('number', (value) => tileWidth(9, value, 0));
  refusesWrongTypes('number', (value) => tileWidth(9, 0, value));
  refusesWrongTypes('number', (value) => tileLayout(value));
  refusesWrongTypes('list', (value) => encodeEntryBundle(value));
  refusesWrongTypes('nothing', (value) => decodeEntryBundle(value, 1));
  refusesWrongTypes('nothing', (value) => decodeEntryBundle(Uint8Array.of(0, 0), value));
});
