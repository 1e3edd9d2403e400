import { hash } from 'node:crypto';
import { decompose } from './compact-range.ts';
import { HASH_BYTES } from './log-text.ts';
import { writeParent } from './merkle.ts';
import { ProtocolError } from './protocol-error.ts';
import type { TreeNode } from './tree-walk.ts';

const NEWLINE = 0x0a;
const RFC6962_LEAF_HASH_PREFIX = 0x00;

/** Leaves that stand in one buffer: leaf i has the bytes from starts[i] + 1 up to starts[i + 1]. */
export interface JoinedLeaves {
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
}

/**
 * Finds the leaves in a text that has a newline before each of them; canonical JSON has none inside. The newlines become
 * the prefix that RFC 6962 hashes before a leaf, so that no leaf has to be copied. Undefined for another number of lines.
 */
export function splitJoinedLeaves(text: string, count: number): JoinedLeaves | undefined {
  const bytes = Buffer.from(text);
  const starts = new Uint32Array(count + 1);
  let found = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (found === count) return undefined;
    starts[found++] = at;
    bytes[at] = RFC6962_LEAF_HASH_PREFIX;
  }
  if (found !== count || (count > 0 && starts[0] !== 0)) return undefined;
  starts[count] = bytes.length;
  return { bytes, starts };
}

/** The leaf hashes side by side. */
export function hashJoinedLeaves({ bytes, starts }: JoinedLeaves): Buffer {
  const count = starts.length - 1;
  const hashes = Buffer.allocUnsafeSlow(count * HASH_BYTES);
  for (let i = 0; i < count; i += 1) {
    const leaf = bytes.subarray(starts[i], starts[i + 1]);
    // As text: 2.4 times faster than a buffer of its own for each.
    hashes.write(hash('sha256', leaf, 'latin1'), i * HASH_BYTES, HASH_BYTES, 'latin1');
  }
  return hashes;
}

/** Every complete node above a run of leaves; its place in a tree must be a multiple of the power of two that holds it. */
export class LeafPage {
  readonly size: number;
  /** By height, hashes side by side. */
  readonly #rows: Buffer[];

  constructor(leafHashes: Buffer) {
    if (leafHashes.length % HASH_BYTES !== 0) throw new ProtocolError('argument_invalid', 'not whole hashes');
    this.size = leafHashes.length / HASH_BYTES;
    this.#rows = [leafHashes];
    for (let width = this.size >>> 1, below = leafHashes; width > 0; width >>>= 1) {
      const row = Buffer.allocUnsafeSlow(width * HASH_BYTES);
      for (let i = 0; i < width; i += 1) writeParent(below, 2 * i * HASH_BYTES, row, i * HASH_BYTES);
      this.#rows.push(row);
      below = row;
    }
  }

  /** The complete subtrees of the first `count` leaves, left to right. */
  subtrees(count: number): { readonly height: number; readonly hash: Uint8Array }[] {
    if (count > this.size) throw new ProtocolError('out_of_range', 'the page does not have as many leaves');
    return decompose(0, count).map(({ height, index }: TreeNode) => {
      const at = index * HASH_BYTES;
      return { height, hash: (this.#rows[height] as Buffer).subarray(at, at + HASH_BYTES) };
    });
  }
}
