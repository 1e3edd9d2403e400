/**
 * Numbers under hashed text keys, packed into one sorted array. Two keys may share a hash: what is found is a superset.
 */
const NUMBER_SPACE = 2 ** 20;

/** FNV-1a over the characters of a text but for up to two places. */
function hashWithout(seed: number, text: string, first: number, second: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    if (at === first || at === second) continue;
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The hash of a text under a kind of key. */
export function keyHash(kind: string, text: string): number {
  return hashWithout(kind.charCodeAt(0) << 8, text, -1, -1);
}

/** The hashes of a text and of what is left when up to `most` of its letters go. */
export function neighbourHashes(kind: string, text: string, most: 1 | 2): number[] {
  const seed = kind.charCodeAt(0) << 8;
  const hashes = [hashWithout(seed, text, -1, -1)];
  for (let first = 0; first < text.length; first += 1) {
    hashes.push(hashWithout(seed, text, first, -1));
    if (most === 2)
      for (let second = first + 1; second < text.length; second += 1)
        hashes.push(hashWithout(seed, text, first, second));
  }
  return hashes;
}

export class HashedKeys {
  readonly #packed: Float64Array;

  constructor(entries: Iterable<readonly [hashes: Iterable<number>, number: number]>) {
    let packed = new Float64Array(1 << 16);
    let size = 0;
    for (const [hashes, number] of entries) {
      for (const hash of hashes) {
        if (size === packed.length) {
          const larger = new Float64Array(size * 2);
          larger.set(packed);
          packed = larger;
        }
        packed[size] = hash * NUMBER_SPACE + number;
        size += 1;
      }
    }
    this.#packed = packed.slice(0, size).sort();
  }

  /** Calls back with every number under a hash; one may come more than once. */
  each(hash: number, found: (number: number) => void): void {
    const packed = this.#packed;
    const from = hash * NUMBER_SPACE;
    let low = 0;
    let high = packed.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((packed[middle] as number) < from) low = middle + 1;
      else high = middle;
    }
    const end = from + NUMBER_SPACE;
    for (; low < packed.length && (packed[low] as number) < end; low += 1) found((packed[low] as number) - from);
  }
}
