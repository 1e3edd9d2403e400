import { CompactRange, decompose } from './compact-range.ts';
import { isHash } from './log-text.ts';
import { requireUpTo, type TreeNode } from './tree-walk.ts';

/** What surrounds a page of consecutive entries: with it the page alone gives the root. */
export interface PageProof {
  /** Compact range of [0, from). */
  readonly left: readonly Uint8Array[];
  /** Compact range of [to, size). */
  readonly right: readonly Uint8Array[];
}

export interface ProvenPage {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Proof for the entries [from, to) of the tree of that size, out of its complete subtrees. */
export function pageProof(page: ProvenPage, subtree: (height: number, index: number) => Uint8Array): PageProof {
  const hashOf = ({ height, index }: TreeNode) => subtree(height, index);
  requireUpTo(page.from, page.to, 'from');
  return { left: decompose(0, page.from).map(hashOf), right: decompose(page.to, page.size).map(hashOf) };
}

export interface PageClaim extends PageProof {
  readonly from: number;
  readonly size: number;
  readonly leafHashes: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/**
 * True when exactly these leaves stand at [from, from + their number) of the tree. Never throws.
 * Size and root must come from one signed checkpoint: a root alone does not fix the size of its tree.
 */
export function verifyPage(claim: PageClaim): boolean {
  // attacker-controlled: every member; the numbers decide how many hashes there must be
  const { from, size, leafHashes, left, right, root } = claim ?? {};
  if (![left, right, leafHashes].every(Array.isArray) || !isHash(root)) return false;
  const to = from + leafHashes.length;
  if (![from, to, size].every(Number.isSafeInteger) || from < 0 || to > size) return false;
  const after = decompose(to, size);
  if (left.length !== decompose(0, from).length || right.length !== after.length) return false;
  for (const hash of [...left, ...leafHashes, ...right]) if (!isHash(hash)) return false;
  const range = CompactRange.from(from, left);
  for (const hash of leafHashes) range.push(hash);
  after.forEach(({ height }, i) => range.pushSubtree(height, right[i] as Uint8Array));
  return Buffer.compare(range.root(), root) === 0;
}
