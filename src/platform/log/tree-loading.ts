import { setImmediate as nextTurn } from 'node:timers/promises';
import { HASH_BYTES } from '#protocol/log-text.ts';
import { type LoadedTile, MerkleTree, tileRoot } from '#protocol/merkle-tree.ts';
import { C2SP_TILE_WIDTH, tileLayout } from '#protocol/tile.ts';
import type { Store } from '#platform/storage/store.ts';
import { LogError } from './log-error.ts';
import * as sql from './sql.ts';

const LEAVES_PER_READ = 20_000;
const TILES_PER_READ = 256;
/** So many are hashed in about two milliseconds. */
const TILES_PER_TURN = 8;
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
 * from what lies below. The root covers every hash that stands in no stored tile above; the others are compared with
 * theirs before the tree answers from them, so that a start does not hash the whole log.
 */
export async function treeFromTiles(
  store: Reader,
  { size, rootHex }: { readonly size: number; readonly rootHex: string },
): Promise<MerkleTree> {
  const tiles: Uint8Array[][] = [];
  for (const { level, fullTiles } of tileLayout(size)) {
    const below = tiles.at(-1);
    const make = (from: number, to: number) =>
      below === undefined ? tilesFromLeaves(store, from, to) : tilesFromBelow(below, from, to);
    tiles.push(await levelOfTiles(await readTiles(store, level, fullTiles), fullTiles, make));
  }
  const lastLeafHashes: Uint8Array[] = [];
  const firstLoose = (tiles[0]?.length ?? 0) * C2SP_TILE_WIDTH;
  await readLeafHashes(store, firstLoose, size, (hash) => lastLeafHashes.push(hash));
  const tree = MerkleTree.load({ tiles, lastLeafHashes, mismatch: mismatchOf });
  if (Buffer.from(tree.root(size)).toString('hex') !== rootHex) {
    throw new LogError(`the stored tiles of the log do not hash to the root of its head: ${REPAIR}`);
  }
  return tree;
}

/** Compares every loaded tile with the one above it, a few in each turn of the event loop. */
export async function checkLoadedTiles(tree: MerkleTree, signal: AbortSignal): Promise<void> {
  let left = TILES_PER_TURN;
  for (const tile of tree.unchecked()) {
    tree.check(tile);
    left -= 1;
    if (left > 0) continue;
    left = TILES_PER_TURN;
    await nextTurn();
    if (signal.aborted) return;
  }
}

function mismatchOf({ level, index }: LoadedTile): LogError {
  return new LogError(`stored tile ${index} of level ${level} is not that of the log: ${REPAIR}`);
}

/** All full tiles of a level: the stored ones, and runs of others that are made. */
async function levelOfTiles(
  stored: ReadonlyMap<number, Uint8Array>,
  count: number,
  make: (from: number, to: number) => Promise<Uint8Array[]> | Uint8Array[],
): Promise<Uint8Array[]> {
  const tiles: Uint8Array[] = [];
  while (tiles.length < count) {
    const known = stored.get(tiles.length);
    if (known !== undefined) tiles.push(known);
    else tiles.push(...(await make(tiles.length, firstStored(stored, tiles.length, count))));
  }
  return tiles;
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

function firstStored(stored: ReadonlyMap<number, Uint8Array>, from: number, end: number): number {
  let index = from;
  while (index < end && !stored.has(index)) index += 1;
  return index;
}

async function tilesFromLeaves(store: Reader, from: number, to: number): Promise<Buffer[]> {
  const hashes: Buffer[] = [];
  await readLeafHashes(store, from * C2SP_TILE_WIDTH, to * C2SP_TILE_WIDTH, (hash) => hashes.push(hash));
  return tilesOf(hashes);
}

function tilesFromBelow(below: readonly Uint8Array[], from: number, to: number): Buffer[] {
  const hashes = below.slice(from * C2SP_TILE_WIDTH, to * C2SP_TILE_WIDTH).map(tileRoot);
  return tilesOf(hashes);
}

/** Full tiles of hashes that come in their order. */
function tilesOf(hashes: readonly Uint8Array[]): Buffer[] {
  return Array.from({ length: hashes.length / C2SP_TILE_WIDTH }, (_, tile) =>
    Buffer.concat(hashes.slice(tile * C2SP_TILE_WIDTH, (tile + 1) * C2SP_TILE_WIDTH)),
  );
}

function missing(seq: number): LogError {
  return new LogError(`log entry ${seq} is missing: ${RESTORE}`, { seq });
}
