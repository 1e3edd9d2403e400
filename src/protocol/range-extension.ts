import { CompactRange, decompose } from './compact-range.ts';
import { toBase64 } from './log-text.ts';
import { emptyRoot, nodeHash, requireHash } from './merkle.ts';
import { consistencyNodes, type NodeSource, requireUpTo, rightEdge, siblings } from './tree-walk.ts';

/** What a batch of new leaves makes of a tree of which only the compact range is known. */
export interface RangeExtension {
  /** Compact range of the grown tree. */
  readonly range: CompactRange;
  readonly root: Uint8Array;
  /** Inclusion path of the i-th leaf of the batch in the grown tree. */
  readonly path: (i: number) => Uint8Array[];
  /** The same in base64; a hash that many paths share is encoded once. */
  readonly base64Path: (i: number) => string[];
  /** Consistency proof from the old tree to the grown one. */
  readonly consistency: () => Uint8Array[];
}

/** Grows a copy of the range by a batch; the given range stays as it is, since the commit may fail. */
export function extendRange(range: CompactRange, leafHashes: readonly Uint8Array[]): RangeExtension {
  for (const hash of leafHashes) requireHash(hash);
  const begin = range.size;
  const end = begin + leafHashes.length;
  requireUpTo(end, Number.MAX_SAFE_INTEGER, 'size');
  const rows = buildRows(range, leafHashes);
  const node = (height: number, index: number) => {
    const row = rows[height] as Row;
    return row.hashes[index - row.first] as Uint8Array;
  };
  const { edges, root = emptyRoot() } = rightEdge(end, node);
  const source: NodeSource<Uint8Array> = { node, edge: (height) => edges[height] as Uint8Array };
  const texts = base64Source(rows, source);
  const leaf = (i: number) => {
    requireUpTo(i, leafHashes.length - 1, 'i');
    return { height: 0, index: begin + i };
  };
  const subtrees = decompose(0, end).map(({ height, index }) => node(height, index));
  return {
    range: CompactRange.from(end, subtrees),
    root,
    path: (i) => siblings(leaf(i), end, source),
    base64Path: (i) => siblings(leaf(i), end, texts),
    consistency: () => consistencyNodes(begin, end, source),
  };
}

/** Known nodes of one height, from index `first` on without a gap. */
interface Row {
  readonly first: number;
  readonly hashes: readonly Uint8Array[];
  /** The same in base64, each as soon as it is asked for. */
  readonly texts: (string | undefined)[];
}

/**
 * At every height the known nodes are a run that starts at an even index: the subtree of the old range where the old size
 * has that bit, then the complete nodes above the batch. So parents are made pairwise, one hash per new node.
 */
function buildRows(range: CompactRange, leafHashes: readonly Uint8Array[]): Row[] {
  const old = [...range.hashes];
  const rows: Row[] = [];
  let above: readonly Uint8Array[] = [...leafHashes];
  for (let size = range.size; size > 0 || above.length > 0; size = Math.floor(size / 2)) {
    const isSet = size % 2 === 1;
    const hashes = isSet ? [old.pop() as Uint8Array, ...above] : above;
    rows.push({ first: isSet ? size - 1 : size, hashes, texts: [] });
    const parents: Uint8Array[] = [];
    for (let i = 0; i + 1 < hashes.length; i += 2) {
      parents.push(nodeHash(hashes[i] as Uint8Array, hashes[i + 1] as Uint8Array));
    }
    above = parents;
  }
  return rows;
}

function base64Source(rows: readonly Row[], source: NodeSource<Uint8Array>): NodeSource<string> {
  const edges: (string | undefined)[] = [];
  return {
    node: (height, index) => {
      const row = rows[height] as Row;
      return (row.texts[index - row.first] ??= toBase64(row.hashes[index - row.first] as Uint8Array));
    },
    edge: (height) => (edges[height] ??= toBase64(source.edge(height))),
  };
}
