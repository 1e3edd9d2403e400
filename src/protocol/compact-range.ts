import { HASH_BYTES, parseBase64, toBase64 } from './log-text.ts';
import { emptyRoot, nodeHash, requireHash } from './merkle.ts';
import { ProtocolError } from './protocol-error.ts';
import { requireUpTo, type TreeNode } from './tree-walk.ts';

/** The aligned complete subtrees that cover the leaves [begin, end), left to right. */
export function decompose(begin: number, end: number): TreeNode[] {
  requireUpTo(end, Number.MAX_SAFE_INTEGER, 'end');
  requireUpTo(begin, end, 'begin');
  const nodes: TreeNode[] = [];
  for (let at = begin; at < end; ) {
    let height = 0;
    let width = 1;
    while (at % (2 * width) === 0 && at + 2 * width <= end) {
      width *= 2;
      height += 1;
    }
    nodes.push({ height, index: at / width });
    at += width;
  }
  return nodes;
}

/** The complete subtrees of a tree: all that is needed to know its root and to let it grow. At most 53 hashes. */
export class CompactRange {
  readonly #hashes: Uint8Array[] = [];
  #size = 0;

  /** The range of a tree of that size from its subtree hashes, left to right. */
  static from(size: number, hashes: readonly Uint8Array[]): CompactRange {
    const range = new CompactRange();
    if (!Array.isArray(hashes) || decompose(0, size).length !== hashes.length) {
      throw new ProtocolError('range_malformed', 'not as many hashes as the size has subtrees');
    }
    for (const hash of hashes) {
      requireHash(hash);
      range.#hashes.push(hash);
    }
    range.#size = size;
    return range;
  }

  /** Reads what `serialise` wrote for a tree of that size. */
  static parse(size: number, text: string): CompactRange {
    const bytes = typeof text === 'string' ? parseBase64(text) : undefined;
    if (bytes === undefined || bytes.length % HASH_BYTES !== 0) {
      throw new ProtocolError('range_malformed', 'not whole hashes in base64');
    }
    const count = bytes.length / HASH_BYTES;
    const hashes = Array.from({ length: count }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
    return CompactRange.from(size, hashes);
  }

  get size(): number {
    return this.#size;
  }

  /** The subtree hashes, left to right. */
  get hashes(): readonly Uint8Array[] {
    return [...this.#hashes];
  }

  push(leafHash: Uint8Array): void {
    this.pushSubtree(0, leafHash);
  }

  /** Adds the next 2^height leaves by the hash of their subtree; the size must be a multiple of their number. */
  pushSubtree(height: number, hash: Uint8Array): void {
    requireHash(hash);
    requireUpTo(height, 52, 'height');
    const width = 2 ** height;
    if (this.#size % width !== 0) throw new ProtocolError('out_of_range', 'the subtree does not start at the end');
    requireUpTo(this.#size + width, Number.MAX_SAFE_INTEGER, 'size');
    let merged = hash;
    for (let nodes = this.#size / width; nodes % 2 === 1; nodes = (nodes - 1) / 2) {
      merged = nodeHash(this.#hashes.pop() as Uint8Array, merged);
    }
    this.#hashes.push(merged);
    this.#size += width;
  }

  root(): Uint8Array {
    return (
      this.#hashes.reduceRight<Uint8Array | undefined>(
        (right, left) => (right === undefined ? left : nodeHash(left, right)),
        undefined,
      ) ?? emptyRoot()
    );
  }

  /** One base64 text over all hashes; its size is kept beside it. */
  serialise(): string {
    return toBase64(Buffer.concat(this.#hashes));
  }
}
