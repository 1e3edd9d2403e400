import { C2SP_TILE_WIDTH, tileLayout } from '#protocol/tile.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import * as sql from './sql.ts';

interface TileHashes {
  readonly level: number;
  readonly tile: number;
  readonly hashes: string;
}

const tileUnit: Unit<[readonly TileHashes[], null], readonly TileHashes[]> = {
  name: 'log_tiles',
  reads: () => ({}),
  load: () => [],
  decide: (state, _nowMs, _next, tiles) => ({ state: [...state, ...tiles], result: null }),
  writes: (_before, after) => [{ sql: sql.TILE_INSERT, rows: after.map(sql.LOG_TILE.cells) }],
};

/** What one commit takes: some 700 kB, so that it holds the head lock shortly. */
const TILES_PER_COMMIT = 64;
const TILES_PER_LOOK = 1_024;

type ReadTile = (level: number, index: number, width: number) => Uint8Array;

/** Stores the hashes of full tiles, from which a later start builds its tree. */
export class TileKeeper {
  readonly #store: Store;
  readonly #tile: ReadTile;
  /** By level: every full tile below this number is stored. */
  readonly #storedTo: number[] = [];

  constructor(store: Store, tile: ReadTile) {
    this.#store = store;
    this.#tile = tile;
  }

  /** Stores what is missing of a tree of that size, at most so many tiles; says how many it stored. */
  async keep(size: number, most: number): Promise<number> {
    let stored = 0;
    for (const { level, fullTiles } of tileLayout(size)) {
      while ((this.#storedTo[level] ?? 0) < fullTiles && stored < most) {
        stored += await this.#keepSome(level, fullTiles, most - stored);
      }
    }
    return stored;
  }

  async #keepSome(level: number, fullTiles: number, most: number): Promise<number> {
    const from = this.#storedTo[level] ?? 0;
    const to = Math.min(fullTiles, from + TILES_PER_LOOK);
    const found = await this.#store.read(sql.TILE_NUMBERS_BETWEEN, [level, from, to]);
    const there = new Set(found.map(({ tile }) => tile));
    const missing: number[] = [];
    for (let tile = from; tile < to; tile += 1) if (!there.has(tile)) missing.push(tile);
    const chosen = missing.slice(0, Math.min(most, TILES_PER_COMMIT));
    if (chosen.length > 0) {
      const hashesOf = (tile: number) => base64(this.#tile(level, tile, C2SP_TILE_WIDTH));
      await this.#store.run(
        tileUnit,
        chosen.map((tile) => ({ level, tile, hashes: hashesOf(tile) })),
      );
    }
    this.#storedTo[level] = missing[chosen.length] ?? to;
    return chosen.length;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
