import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { CompactRange } from '#protocol/compact-range.ts';
import { HASH_BYTES } from '#protocol/log-text.ts';
import { leafHash } from '#protocol/merkle.ts';
import { ed25519NoteVerifier } from '#protocol/note.ts';
import { parseVkey } from '#protocol/note-key.ts';
import { C2SP_TILE_WIDTH, decodeEntryBundle, formatTilePath, type Tile } from '#protocol/tile.ts';

/** Reads what the log serves below its prefix; throws when it serves nothing there. */
export type LogReader = (path: string) => Promise<Uint8Array>;

export interface FsckReport {
  readonly origin: string;
  readonly size: number;
  readonly rootHex: string;
  readonly entries: number;
  readonly entryBytes: number;
  readonly bundles: number;
  readonly hashTiles: number;
  /** What is wrong, one line each; an intact log has none. */
  readonly faults: readonly string[];
}

/** A log with one wrong tile has wrong tiles above it: what comes after these says nothing new. */
const MAX_FAULTS = 20;
const BUNDLES_AT_ONCE = 8;

/** Told how many entries were hashed again, and how many the checkpoint signs. */
export type FsckProgress = (done: number, total: number) => void;

/** Derives the whole log again from its entries, and holds every tile and the signed root against that. */
export async function fsckLog(
  read: LogReader,
  vkeys: readonly string[],
  onProgress?: FsckProgress,
): Promise<FsckReport> {
  const verifiers = vkeys.map((vkey) => ed25519NoteVerifier(parseVkey(vkey)));
  const { checkpoint } = verifyCheckpoint(await read('checkpoint'), verifiers);
  if (checkpoint.size > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('the log is too large to be checked');
  const size = Number(checkpoint.size);
  const derived = new Derivation(read);
  for (let from = 0; from < size; from += C2SP_TILE_WIDTH * BUNDLES_AT_ONCE) {
    await derived.addBundles(from, size);
    onProgress?.(derived.counts.entries, size);
  }
  await derived.finish();
  const rootHex = Buffer.from(checkpoint.root).toString('hex');
  const computed = Buffer.from(derived.root()).toString('hex');
  if (computed !== rootHex) derived.fault(`the entries hash to root ${computed}, the checkpoint signs ${rootHex}`);
  return { origin: checkpoint.origin, size, rootHex, ...derived.counts, faults: derived.faults };
}

class Derivation {
  readonly counts = { entries: 0, entryBytes: 0, bundles: 0, hashTiles: 0 };
  readonly faults: string[] = [];
  readonly #read: LogReader;
  readonly #range = new CompactRange();
  /** For each level of tiles the hashes that have not filled one yet, and how many tiles came before. */
  readonly #levels: { hashes: Uint8Array[]; tiles: number }[] = [];

  constructor(read: LogReader) {
    this.#read = read;
  }

  fault(line: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(line);
  }

  root(): Uint8Array {
    return this.#range.root();
  }

  async addBundles(from: number, size: number): Promise<void> {
    const first = from / C2SP_TILE_WIDTH;
    const count = Math.min(BUNDLES_AT_ONCE, Math.ceil((size - from) / C2SP_TILE_WIDTH));
    const tiles = Array.from({ length: count }, (_, i): Tile => {
      const index = first + i;
      return { level: 'entries', index, width: Math.min(C2SP_TILE_WIDTH, size - index * C2SP_TILE_WIDTH) };
    });
    const bundles = await Promise.all(tiles.map((tile) => this.#read(formatTilePath(tile))));
    for (const [i, tile] of tiles.entries()) await this.#addBundle(tile, bundles[i] as Uint8Array);
  }

  /** Compares the tiles that the last entries did not fill. */
  async finish(): Promise<void> {
    for (const level of this.#levels.keys()) await this.#compare(level);
  }

  async #addBundle(tile: Tile, bundle: Uint8Array): Promise<void> {
    for (const entry of entriesOf(tile, bundle)) {
      const hash = leafHash(entry);
      this.#range.push(hash);
      this.counts.entries += 1;
      this.counts.entryBytes += entry.length;
      await this.#addHash(0, hash);
    }
    this.counts.bundles += 1;
  }

  async #addHash(level: number, hash: Uint8Array): Promise<void> {
    const row = (this.#levels[level] ??= { hashes: [], tiles: 0 });
    row.hashes.push(hash);
    if (row.hashes.length < C2SP_TILE_WIDTH) return;
    const { hashes } = row;
    await this.#compare(level);
    const subtree = new CompactRange();
    for (const each of hashes) subtree.push(each);
    await this.#addHash(level + 1, subtree.root());
  }

  async #compare(level: number): Promise<void> {
    const row = this.#levels[level];
    if (row === undefined || row.hashes.length === 0) return;
    const { hashes, tiles: index } = row;
    this.#levels[level] = { hashes: [], tiles: index + 1 };
    const path = formatTilePath({ level, index, width: hashes.length });
    const served = await this.#read(path);
    this.counts.hashTiles += 1;
    if (served.length !== hashes.length * HASH_BYTES) {
      this.fault(`${path} has ${served.length} bytes instead of ${hashes.length * HASH_BYTES}`);
      return;
    }
    for (const [i, hash] of hashes.entries()) {
      const there = served.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
      if (Buffer.compare(there, hash) !== 0) this.fault(differenceAt(level, index * C2SP_TILE_WIDTH + i, path));
    }
  }
}

function entriesOf(tile: Tile, bundle: Uint8Array): Uint8Array[] {
  try {
    return decodeEntryBundle(bundle, tile.width);
  } catch (error) {
    throw new Error(`${formatTilePath(tile)} is not a bundle of ${tile.width} entries: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function differenceAt(level: number, place: number, path: string): string {
  if (level === 0) return `entry ${place} does not hash to what ${path} says`;
  const width = C2SP_TILE_WIDTH ** level;
  return `entries ${place * width} to ${(place + 1) * width - 1} do not hash to what ${path} says`;
}
