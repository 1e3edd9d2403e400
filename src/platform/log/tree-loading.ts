import { HASH_BYTES } from '#protocol/log-text.ts';
import { MerkleTree } from '#protocol/merkle-tree.ts';
import { C2SP_TILE_WIDTH, tileLayout } from '#protocol/tile.ts';
import type { Store } from '#platform/storage/store.ts';
import { LogError } from './log-error.ts';
import * as sql from './sql.ts';

const LEAVES_PER_READ = 20_000;
const TILES_PER_READ = 256;
const TILE_BYTES = C2SP_TILE_WIDTH * HASH_BYTES;
const RESTORE = 'restore the database from a backup';
const REPAIR = 'delete the rows of table tile_hashes, which are made again from the entries, and audit the log';

type Reader = Pick<Store, 'read'>;

/** The leaf hashes of the entries [from, to), each handed over in its turn. */
export async function readLeafHashes(
  store: Reader,
  from: number,
  to: number,
  take: (hash: Buffer) => void,
): Promise<void> {
  let next = from;
  while (next < to) {
    const until = Math.min(next + LEAVES_PER_READ, to);
    for (const { seq, leafHashHex } of await store.read(sql.LEAF_HASHES_BETWEEN, [next, until])) {
      if (seq !== next) throw missing(next);
      const bytes = Buffer.from(leafHashHex, 'hex');
      if (bytes.length !== HASH_BYTES)
        throw new LogError(`the hash of log entry ${next} is damaged: ${RESTORE}`, { seq: next });
      take(bytes);
      next += 1;
    }
    if (next !== until) throw missing(next);
  }
}

/**
 * The tree of the first `size` entries from the stored hashes of full tiles; where one is missing, and after the last,
 * from the entries. Everything above the leaf hashes is hashed again, so the root covers every hash that was read.
 */
export async function treeFromTiles(
  store: Reader,
  { size, rootHex }: { readonly size: number; readonly rootHex: string },
): Promise<MerkleTree> {
  const [leafLevel, ...levels] = tileLayout(size);
  const fullTiles = leafLevel?.fullTiles ?? 0;
  const stored = await readTiles(store, 0, fullTiles);
  const tiles: Uint8Array[] = [];
  while (tiles.length < fullTiles) {
    const known = stored.get(tiles.length);
    if (known !== undefined) tiles.push(known);
    else tiles.push(...(await tilesFromLeaves(store, tiles.length, firstStored(stored, tiles.length, fullTiles))));
  }
  const lastLeafHashes: Uint8Array[] = [];
  await readLeafHashes(store, fullTiles * C2SP_TILE_WIDTH, size, (hash) => lastLeafHashes.push(hash));
  const tree = MerkleTree.load({ tiles: [tiles], lastLeafHashes });
  for (const { level, fullTiles: count } of levels) {
    for (const [index, hashes] of await readTiles(store, level, count)) {
      const isSame = Buffer.compare(tree.tile(level, index, C2SP_TILE_WIDTH), hashes) === 0;
      if (!isSame) throw new LogError(`stored tile ${index} of level ${level} is not that of the log: ${REPAIR}`);
    }
  }
  if (Buffer.from(tree.root(size)).toString('hex') !== rootHex) {
    throw new LogError(`the stored tiles of the log do not hash to the root of its head: ${REPAIR}`);
  }
  return tree;
}

async function readTiles(store: Reader, level: number, count: number): Promise<Map<number, Buffer>> {
  const tiles = new Map<number, Buffer>();
  for (let from = 0; from < count; from += TILES_PER_READ) {
    const to = Math.min(from + TILES_PER_READ, count);
    for (const { tile, hashes } of await store.read(sql.TILES_BETWEEN, [level, from, to])) {
      const bytes = Buffer.from(hashes, 'base64');
      if (bytes.length !== TILE_BYTES)
        throw new LogError(`stored tile ${tile} of level ${level} is damaged: ${REPAIR}`);
      tiles.set(tile, bytes);
    }
  }
  return tiles;
}

function firstStored(stored: ReadonlyMap<number, Buffer>, from: number, end: number): number {
  let index = from;
  while (index < end && !stored.has(index)) index += 1;
  return index;
}

async function tilesFromLeaves(store: Reader, from: number, to: number): Promise<Buffer[]> {
  const hashes: Buffer[] = [];
  await readLeafHashes(store, from * C2SP_TILE_WIDTH, to * C2SP_TILE_WIDTH, (hash) => hashes.push(hash));
  return Array.from({ length: to - from }, (_, tile) =>
    Buffer.concat(hashes.slice(tile * C2SP_TILE_WIDTH, (tile + 1) * C2SP_TILE_WIDTH)),
  );
}

function missing(seq: number): LogError {
  return new LogError(`log entry ${seq} is missing: ${RESTORE}`, { seq });
}
