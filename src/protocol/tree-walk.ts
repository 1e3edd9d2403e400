import { nodeHash } from './merkle.ts';
import { ProtocolError } from './protocol-error.ts';

/** The node that covers the leaves from index * 2^height, 2^height of them. */
export interface TreeNode {
  readonly height: number;
  readonly index: number;
}

/** Where the hashes of a tree come from: its complete subtrees, and its incomplete right edge by height. */
export interface NodeSource<T> {
  readonly node: (height: number, index: number) => T;
  readonly edge: (height: number) => T;
}

/** What the siblings on the way from a node up to the root of the first `size` leaves are, lowest first. */
export function siblings<T>(start: TreeNode, size: number, source: NodeSource<T>): T[] {
  const path: T[] = [];
  let { height, index } = start;
  let complete = Math.floor(size / 2 ** height);
  let hasRest = size % 2 ** height > 0;
  while (complete + (hasRest ? 1 : 0) > 1) {
    const sibling = index % 2 === 0 ? index + 1 : index - 1;
    if (sibling < complete) path.push(source.node(height, sibling));
    else if (sibling === complete && hasRest) path.push(source.edge(height));
    hasRest ||= complete % 2 === 1;
    complete = Math.floor(complete / 2);
    index = Math.floor(index / 2);
    height += 1;
  }
  return path;
}

/** PROOF(first, D[second]) of RFC 6962 section 2.1.2. */
export function consistencyNodes<T>(first: number, second: number, source: NodeSource<T>): T[] {
  if (first === 0 || first === second) return [];
  let height = 0;
  let index = first;
  while (index % 2 === 0) {
    index /= 2;
    height += 1;
  }
  // The last complete subtree of the first tree; where it is all of that tree, the verifier has it as the root.
  const start = { height, index: index - 1 };
  const path = siblings(start, second, source);
  return index === 1 ? path : [source.node(height, index - 1), ...path];
}

export interface RightEdge {
  /** By height: the hash over the leaves right of the last complete node of that height; undefined where none are. */
  readonly edges: readonly (Uint8Array | undefined)[];
  /** Undefined for a tree without leaves. */
  readonly root: Uint8Array | undefined;
}

/** Folds the complete subtrees of the first `size` leaves from the right. */
export function rightEdge(size: number, node: (height: number, index: number) => Uint8Array): RightEdge {
  const edges: (Uint8Array | undefined)[] = [];
  let root: Uint8Array | undefined;
  for (let complete = size, height = 0; complete > 0; complete = Math.floor(complete / 2), height += 1) {
    edges.push(root);
    if (complete % 2 === 0) continue;
    const subtree = node(height, complete - 1);
    root = root === undefined ? subtree : nodeHash(subtree, root);
  }
  return { edges, root };
}

/** Throws unless the value is an integer from 0 up to the bound. */
export function requireUpTo(value: unknown, bound: number, what: string): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > bound) {
    throw new ProtocolError('out_of_range', `${what} must be an integer from 0 to ${bound}`);
  }
}
