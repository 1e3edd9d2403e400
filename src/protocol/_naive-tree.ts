import { hash } from 'node:crypto';

function sha256(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.from(hash('sha256', Buffer.concat(parts), 'latin1'), 'latin1');
}

/**
 * The definitions of RFC 6962 section 2.1, word by word: recursive, and without a line of the real tree.
 * Leaf i is the given hash i modulo their number, so that a large tree needs few hashes: equal stretches are hashed once.
 * With a multiple of three the two children of a node always differ.
 */
export class NaiveTree {
  readonly #leaves: readonly Buffer[];
  readonly #known = new Map<number, Buffer>();

  constructor(leafHashes: readonly Buffer[]) {
    this.#leaves = leafHashes;
  }

  leaf(index: number): Buffer {
    return this.#leaves[index % this.#leaves.length] as Buffer;
  }

  root(size: number): Buffer {
    return this.#mth(0, size);
  }

  path(index: number, size: number): Buffer[] {
    return this.#path(index, 0, size);
  }

  proof(first: number, second: number): Buffer[] {
    return first === 0 ? [] : this.#subproof(first, 0, second, true);
  }

  #mth(begin: number, end: number): Buffer {
    if (begin === end) return sha256();
    if (end - begin === 1) return this.leaf(begin);
    const place = (begin % this.#leaves.length) * 2 ** 21 + end - begin;
    let root = this.#known.get(place);
    if (root === undefined) {
      const middle = begin + split(end - begin);
      root = sha256(Uint8Array.of(1), this.#mth(begin, middle), this.#mth(middle, end));
      this.#known.set(place, root);
    }
    return root;
  }

  #path(index: number, begin: number, end: number): Buffer[] {
    if (end - begin === 1) return [];
    const middle = begin + split(end - begin);
    return index < middle
      ? [...this.#path(index, begin, middle), this.#mth(middle, end)]
      : [...this.#path(index, middle, end), this.#mth(begin, middle)];
  }

  #subproof(first: number, begin: number, end: number, isWhole: boolean): Buffer[] {
    if (first === end) return isWhole ? [] : [this.#mth(begin, end)];
    const middle = begin + split(end - begin);
    return first <= middle
      ? [...this.#subproof(first, begin, middle, isWhole), this.#mth(middle, end)]
      : [...this.#subproof(first, middle, end, false), this.#mth(begin, middle)];
  }
}

/** The largest power of two smaller than n. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** Pseudo-random numbers below 2^32 that are the same in every run. */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Leaf hashes that are the same in every run; what they are hashes of does not matter to a tree. */
export function exampleLeafHashes(count: number): Buffer[] {
  const next = seededNumbers(0x5eed);
  const words = Uint32Array.from({ length: count * 8 }, next);
  const bytes = Buffer.from(words.buffer);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * 32, (i + 1) * 32));
}
