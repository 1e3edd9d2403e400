import { HASH_BYTES } from './log-text.ts';
import { emptyRoot, requireHash, writeParent } from './merkle.ts';
import { ProtocolError } from './protocol-error.ts';
import { C2SP_TILE_WIDTH } from './tile.ts';
import { consistencyNodes, type NodeSource, type RightEdge, requireUpTo, rightEdge, siblings } from './tree-walk.ts';

const TILE_HEIGHT = 8;
const TILE_BYTES = C2SP_TILE_WIDTH * HASH_BYTES;
/** The 256 hashes of a tile and the 254 above them up to the two children of its root, which the next level holds. */
const BLOCK_BYTES = (2 * C2SP_TILE_WIDTH - 2) * HASH_BYTES;
/** Bit operations on indexes stay exact up to here; such a tree would take 128 GiB. */
const MAX_LEAVES = 2 ** 31 - 1;

/** What a tree is loaded from: all full tiles by level, and the leaf hashes after the last full tile of level 0. */
export interface StoredTree {
  readonly tiles: readonly (readonly Uint8Array[])[];
  readonly lastLeafHashes: readonly Uint8Array[];
  /** What is thrown of a tile that does not hash to the one above it. */
  readonly mismatch?: (tile: LoadedTile) => Error;
}

export interface LoadedTile {
  readonly level: number;
  readonly index: number;
}

/**
 * An RFC 6962 tree in memory, 64 bytes per leaf, in blocks of one C2SP tile and the nodes inside it.
 * It only grows, and every size it ever had can still be asked for. Hashes that it returns are views: never write there.
 */
export class MerkleTree {
  /** By level and tile. A block of TILE_BYTES was loaded and has no inner nodes yet. */
  readonly #levels: Buffer[][] = [];
  /** By level: the tiles below this number were loaded together with the tiles above them. */
  readonly #loaded: number[] = [];
  #mismatch: NonNullable<StoredTree['mismatch']> = mismatchOf;
  #size = 0;
  #edge: RightEdge = { edges: [], root: undefined };
  #edgeSize = 0;
  readonly #source: NodeSource<Uint8Array> = {
    node: (height, index) => this.#node(height, index),
    edge: (height) => this.#edge.edges[height] as Uint8Array,
  };

  /**
   * Takes stored tiles as they are and hashes only the right edge. The caller compares the root with a signed one, which
   * proves the top of the tree. A tile below another one is compared with it before anything is answered from it.
   */
  static load(stored: StoredTree): MerkleTree {
    const tree = new MerkleTree();
    tree.#mismatch = stored.mismatch ?? mismatchOf;
    stored.tiles.forEach((tiles, level) => {
      const below = level === 0 ? undefined : Math.floor((stored.tiles[level - 1]?.length ?? 0) / C2SP_TILE_WIDTH);
      if (below !== undefined && below !== tiles.length) {
        throw new ProtocolError('argument_invalid', `level ${level} must have ${below} full tiles`);
      }
      tree.#levels.push(tiles.map(copyTile));
      if (level > 0) tree.#loaded.push(tiles.length * C2SP_TILE_WIDTH);
    });
    tree.#size = (stored.tiles[0]?.length ?? 0) * C2SP_TILE_WIDTH;
    tree.#hashRightEdge();
    for (const hash of stored.lastLeafHashes) tree.append(hash);
    return tree;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds one leaf; the hash is copied. */
  append(leafHash: Uint8Array): void {
    requireHash(leafHash);
    if (this.#size >= MAX_LEAVES) throw new ProtocolError('tree_full', `more than ${MAX_LEAVES} leaves`);
    this.#block(0, this.#size >>> TILE_HEIGHT).set(leafHash, (this.#size & (C2SP_TILE_WIDTH - 1)) * HASH_BYTES);
    this.#carry(0, this.#size);
    this.#size += 1;
  }

  root(size: number = this.#size): Uint8Array {
    requireUpTo(size, this.#size, 'size');
    return this.#edgeOf(size).root ?? emptyRoot();
  }

  /** PATH(index, D[size]) of RFC 6962 section 2.1.1. */
  inclusionPath(index: number, size: number = this.#size): Uint8Array[] {
    requireUpTo(size, this.#size, 'size');
    requireUpTo(index, size - 1, 'index');
    this.#edgeOf(size);
    return siblings({ height: 0, index }, size, this.#source);
  }

  /** PROOF(first, D[second]) of RFC 6962 section 2.1.2; empty for first 0 and for equal sizes. */
  consistencyProof(first: number, second: number = this.#size): Uint8Array[] {
    requireUpTo(second, this.#size, 'second');
    requireUpTo(first, second, 'first');
    this.#edgeOf(second);
    return consistencyNodes(first, second, this.#source);
  }

  /** The hash over the 2^height leaves from index * 2^height, all of which must be there. */
  subtree(height: number, index: number): Uint8Array {
    requireUpTo(height, 31, 'height');
    requireUpTo(index, Math.floor(this.#size / 2 ** height) - 1, 'index');
    return this.#node(height, index);
  }

  /** The tiles that were loaded with one above them and from which nothing was answered yet. */
  *unchecked(): Generator<LoadedTile> {
    for (const [level, count] of this.#loaded.entries()) {
      for (let index = 0; index < count; index += 1) {
        if (this.#levels[level]?.[index]?.length === TILE_BYTES) yield { level, index };
      }
    }
  }

  /** Compares a loaded tile with the one above it, and keeps nothing of the work. */
  check(tile: LoadedTile): void {
    this.#requireAbove(tile, tileRoot(this.#levels[tile.level]?.[tile.index] as Buffer));
  }

  /** The first `width` hashes of a C2SP tile. */
  tile(level: number, index: number, width: number): Uint8Array {
    requireUpTo(level, 3, 'level');
    requireUpTo(index, MAX_LEAVES, 'index');
    requireUpTo(width, C2SP_TILE_WIDTH, 'width');
    const end = index * C2SP_TILE_WIDTH + width;
    requireUpTo(end, Math.floor(this.#size / 2 ** (TILE_HEIGHT * level)), 'end of the tile');
    return width === 0 ? new Uint8Array(0) : this.#known(level, index).subarray(0, width * HASH_BYTES);
  }

  #edgeOf(size: number): RightEdge {
    if (size !== this.#edgeSize) {
      this.#edge = rightEdge(size, this.#source.node);
      this.#edgeSize = size;
    }
    return this.#edge;
  }

  #node(height: number, index: number): Uint8Array {
    const level = height >>> 3;
    const row = height & 7;
    const rowWidth = C2SP_TILE_WIDTH >>> row;
    const tile = Math.floor(index / rowWidth);
    const offset = (2 * C2SP_TILE_WIDTH - 2 * rowWidth + (index & (rowWidth - 1))) * HASH_BYTES;
    const block = row === 0 ? this.#known(level, tile) : this.#wholeBlock(level, tile);
    return block.subarray(offset, offset + HASH_BYTES);
  }

  #block(level: number, tile: number): Buffer {
    const tiles = (this.#levels[level] ??= []);
    return (tiles[tile] ??= Buffer.allocUnsafeSlow(BLOCK_BYTES));
  }

  /** The block with its inner nodes, which are hashed at the first use of a loaded tile. */
  #wholeBlock(level: number, tile: number): Buffer {
    const block = this.#block(level, tile);
    if (block.length === BLOCK_BYTES) return block;
    const whole = wholeTile(block);
    if (tile < (this.#loaded[level] ?? 0)) this.#requireAbove({ level, index: tile }, rootOfWhole(whole));
    (this.#levels[level] as Buffer[])[tile] = whole;
    return whole;
  }

  /** The block of a tile that is as it was signed. */
  #known(level: number, tile: number): Buffer {
    return tile < (this.#loaded[level] ?? 0) ? this.#wholeBlock(level, tile) : this.#block(level, tile);
  }

  #requireAbove(tile: LoadedTile, root: Uint8Array): void {
    const above = this.#known(tile.level + 1, tile.index >>> TILE_HEIGHT);
    const at = (tile.index & (C2SP_TILE_WIDTH - 1)) * HASH_BYTES;
    if (Buffer.compare(above.subarray(at, at + HASH_BYTES), root) !== 0) throw this.#mismatch(tile);
  }

  /** After a hash was written at a position of a level: hashes every subtree that it completed. */
  #carry(level: number, position: number): void {
    const slot = position & (C2SP_TILE_WIDTH - 1);
    const block = this.#block(level, position >>> TILE_HEIGHT);
    let rowStart = 0;
    let rowWidth = C2SP_TILE_WIDTH;
    let index = slot;
    while ((index & 1) === 1 && rowWidth > 2) {
      const pair = (rowStart + index - 1) * HASH_BYTES;
      rowStart += rowWidth;
      rowWidth >>>= 1;
      index >>>= 1;
      writeParent(block, pair, block, (rowStart + index) * HASH_BYTES);
    }
    if (slot === C2SP_TILE_WIDTH - 1) this.#completeTile(level, position >>> TILE_HEIGHT);
  }

  /** A full tile is one hash of the level above. */
  #completeTile(level: number, tile: number): void {
    const above = this.#block(level + 1, tile >>> TILE_HEIGHT);
    const whole = this.#wholeBlock(level, tile);
    writeParent(whole, BLOCK_BYTES - 2 * HASH_BYTES, above, (tile & (C2SP_TILE_WIDTH - 1)) * HASH_BYTES);
    this.#carry(level + 1, tile);
  }

  /** The hashes of tiles that are not full themselves: each is the root of a full tile one level below. */
  #hashRightEdge(): void {
    for (let level = 0; level < this.#levels.length; level += 1) {
      const fullAbove = this.#levels[level + 1]?.length ?? 0;
      const full = Math.floor((this.#size >>> (TILE_HEIGHT * level)) / C2SP_TILE_WIDTH);
      for (let tile = fullAbove * C2SP_TILE_WIDTH; tile < full; tile += 1) this.#completeTile(level, tile);
    }
  }
}

function mismatchOf({ level, index }: LoadedTile): ProtocolError {
  return new ProtocolError('tile_mismatch', `tile ${index} of level ${level} does not hash to the one above it`);
}

/** The hash over all leaves below a full tile. */
export function tileRoot(tile: Uint8Array): Uint8Array {
  return rootOfWhole(wholeTile(copyTile(tile)));
}

function wholeTile(tile: Buffer): Buffer {
  const whole = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  tile.copy(whole);
  for (let from = 0; from < BLOCK_BYTES - 2 * HASH_BYTES; from += 2 * HASH_BYTES) {
    writeParent(whole, from, whole, TILE_BYTES + from / 2);
  }
  return whole;
}

function rootOfWhole(whole: Buffer): Uint8Array {
  const root = Buffer.allocUnsafe(HASH_BYTES);
  writeParent(whole, BLOCK_BYTES - 2 * HASH_BYTES, root, 0);
  return root;
}

function copyTile(tile: Uint8Array): Buffer {
  if (!(tile instanceof Uint8Array) || tile.length !== TILE_BYTES) {
    throw new ProtocolError('argument_invalid', `a full tile is ${TILE_BYTES} bytes`);
  }
  return Buffer.from(tile);
}
