/**
 * Numbers under hashed text keys. Keys that share a bucket and a check are not told apart: what is found is a superset.
 */

/** FNV-1a over the characters of a text but for up to two places. */
function hashWithout(seed: number, text: string, first: number, second: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    if (at === first || at === second) continue;
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The hash of a text under a kind of key. */
export function keyHash(kind: string, text: string): number {
  return hashWithout(kind.charCodeAt(0) << 8, text, -1, -1);
}

/** Adds the hashes of a text and of what is left when up to `most` of its letters go. */
export function addNeighbourHashes(hashes: number[], kind: string, text: string, most: 1 | 2): void {
  const seed = kind.charCodeAt(0) << 8;
  hashes.push(hashWithout(seed, text, -1, -1));
  for (let first = 0; first < text.length; first += 1) {
    // Either of two equal letters leaves the same.
    if (text.charCodeAt(first) === text.charCodeAt(first - 1)) continue;
    hashes.push(hashWithout(seed, text, first, -1));
    if (most === 2)
      for (let second = first + 1; second < text.length; second += 1)
        hashes.push(hashWithout(seed, text, first, second));
  }
}

/** What a table is made of; plain arrays that can be handed to another thread. */
export interface KeyTable {
  /** Numbers of a bucket: from starts[bucket] to starts[bucket + 1]. */
  readonly starts: Int32Array<ArrayBuffer>;
  readonly numbers: Int32Array<ArrayBuffer>;
  /** Eight more bits of the hash of each number. */
  readonly checks: Uint8Array<ArrayBuffer>;
}

/** Makes a table of all hashes that a callback gives for the numbers 0 to count. */
export function keyTable(count: number, hashesOf: (number: number) => readonly number[]): KeyTable {
  let hashes = new Uint32Array(1 << 16);
  let owners = new Int32Array(1 << 16);
  let size = 0;
  for (let number = 0; number < count; number += 1) {
    for (const hash of hashesOf(number)) {
      if (size === hashes.length) {
        hashes = grown(hashes, new Uint32Array(size * 2));
        owners = grown(owners, new Int32Array(size * 2));
      }
      hashes[size] = hash;
      owners[size] = number;
      size += 1;
    }
  }
  const buckets = 2 ** Math.max(4, Math.ceil(Math.log2(size + 1)));
  const starts = new Int32Array(buckets + 1);
  for (let at = 0; at < size; at += 1) {
    const bucket = ((hashes[at] as number) & (buckets - 1)) + 1;
    starts[bucket] = (starts[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket <= buckets; bucket += 1)
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  const next = starts.slice();
  const numbers = new Int32Array(size);
  const checks = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) {
    const bucket = (hashes[at] as number) & (buckets - 1);
    numbers[next[bucket] as number] = owners[at] as number;
    checks[next[bucket] as number] = (hashes[at] as number) >>> 24;
    next[bucket] = (next[bucket] as number) + 1;
  }
  return { starts, numbers, checks };
}

function grown<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Calls back with every number under a hash; one may come more than once. */
export function eachNumber({ starts, numbers, checks }: KeyTable, hash: number, found: (number: number) => void): void {
  const bucket = hash & (starts.length - 2);
  const check = hash >>> 24;
  const end = starts[bucket + 1] as number;
  for (let at = starts[bucket] as number; at < end; at += 1) if (checks[at] === check) found(numbers[at] as number);
}
