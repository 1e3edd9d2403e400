import { ProtocolError } from './protocol-error.ts';
import { requireUpTo } from './tree-walk.ts';

/** C2SP tlog-tiles. */
export const C2SP_TILE_WIDTH = 256;
const C2SP_MAX_LEVEL = 63;
const C2SP_MAX_ENTRY_BYTES = 65_535;
const LENGTH_BYTES = 2;
const MAX_PATH_CHARACTERS = 48;
const TILE_PATH = /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

export interface Tile {
  /** Level of a hash tile, or the entries themselves. */
  readonly level: number | 'entries';
  readonly index: number;
  /** 256 for a full tile, 1 to 255 for a partial one. */
  readonly width: number;
}

/** The path below the prefix of the log, for example tile/0/x001/x234/067.p/8. */
export function formatTilePath({ level, index, width }: Tile): string {
  if (level !== 'entries') requireUpTo(level, C2SP_MAX_LEVEL, 'level');
  requireUpTo(index, Number.MAX_SAFE_INTEGER, 'index');
  requireUpTo(width, C2SP_TILE_WIDTH, 'width');
  if (width === 0) throw new ProtocolError('out_of_range', 'a tile without hashes has no path');
  const digits = String(index).padStart(3, '0');
  const last = digits.slice(-3);
  const groups = thousands(digits.slice(0, -3));
  const path = ['tile', level, ...groups.map((group) => `x${group}`), last].join('/');
  return width === C2SP_TILE_WIDTH ? path : `${path}.p/${width}`;
}

/** Groups of three digits, the first one filled up with zeros. */
function thousands(digits: string): string[] {
  return digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
}

/** Reads a path in its one spelling; every other text is refused. */
export function parseTilePath(path: string): Tile {
  // attacker-controlled: length before content
  const isShort = typeof path === 'string' && path.length <= MAX_PATH_CHARACTERS;
  const [, levelText, groups = '', widthText] = (isShort && TILE_PATH.exec(path)) || [];
  const level = levelText === 'entries' ? levelText : Number(levelText ?? Number.NaN);
  const index = Number(groups.replaceAll(/[x/]/g, ''));
  const width = Number(widthText ?? C2SP_TILE_WIDTH);
  const isFull = widthText === undefined;
  const isKnownLevel = level === 'entries' || level <= C2SP_MAX_LEVEL;
  if (!isKnownLevel || !Number.isSafeInteger(index) || groups.startsWith('x000')) throw badPath();
  if (!isFull && width >= C2SP_TILE_WIDTH) throw badPath();
  return { level, index, width };
}

function badPath(): ProtocolError {
  return new ProtocolError('tile_path_malformed', 'not the path of a tile');
}

/** How many hashes or entries the tile has in a tree of that size: 0 where there is none, 256 where it is full. */
export function tileWidth(size: number, level: number | 'entries', index: number): number {
  requireUpTo(size, Number.MAX_SAFE_INTEGER, 'size');
  requireUpTo(index, Number.MAX_SAFE_INTEGER, 'index');
  if (level !== 'entries') requireUpTo(level, C2SP_MAX_LEVEL, 'level');
  const wholeSubtrees = Math.floor(size / C2SP_TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.max(0, Math.min(C2SP_TILE_WIDTH, wholeSubtrees - index * C2SP_TILE_WIDTH));
}

export interface TileLevel {
  readonly level: number;
  readonly fullTiles: number;
  /** Width of the partial tile after the full ones; 0 for none. */
  readonly partialWidth: number;
}

/** The hash tiles of a tree of that size, level by level. */
export function tileLayout(size: number): TileLevel[] {
  requireUpTo(size, Number.MAX_SAFE_INTEGER, 'size');
  const levels: TileLevel[] = [];
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / C2SP_TILE_WIDTH)) {
    const fullTiles = Math.floor(hashes / C2SP_TILE_WIDTH);
    levels.push({ level: levels.length, fullTiles, partialWidth: hashes % C2SP_TILE_WIDTH });
  }
  return levels;
}

/** Entries in order, each behind its length in two bytes. */
export function encodeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  requireUpTo(entries.length, C2SP_TILE_WIDTH, 'entries');
  const parts = entries.flatMap((entry) => {
    if (!(entry instanceof Uint8Array)) throw new ProtocolError('argument_invalid', 'an entry is bytes');
    if (entry.length > C2SP_MAX_ENTRY_BYTES) throw new ProtocolError('entry_too_long', 'more than 65535 bytes');
    return [Uint8Array.of(entry.length >>> 8, entry.length & 0xff), entry];
  });
  return Buffer.concat(parts);
}

/** The entries of a bundle that must hold exactly that many and nothing after them. */
export function decodeEntryBundle(bundle: Uint8Array, width: number): Uint8Array[] {
  requireUpTo(width, C2SP_TILE_WIDTH, 'width');
  if (!(bundle instanceof Uint8Array)) throw new ProtocolError('bundle_malformed', 'a bundle is bytes');
  const entries: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; i < width; i += 1) {
    // attacker-controlled: the length decides where the entry ends, so it is held against what is there
    const start = at + LENGTH_BYTES;
    if (start > bundle.length) throw new ProtocolError('bundle_malformed', `ends before entry ${i}`);
    const end = start + (((bundle[at] as number) << 8) | (bundle[at + 1] as number));
    if (end > bundle.length) throw new ProtocolError('bundle_malformed', `ends inside entry ${i}`);
    entries.push(bundle.subarray(start, end));
    at = end;
  }
  if (at !== bundle.length) throw new ProtocolError('bundle_malformed', 'bytes after the last entry');
  return entries;
}
