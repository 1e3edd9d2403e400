import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { appendedTable, as, integer, query, text } from '#platform/storage/table.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';

/** A head of the audit trail that the public log has fixed. */
export interface TrailAnchor extends AnchoredHead {
  /** Which of the trails that anchor in this log; null of an anchor from before trails had ids. */
  readonly trail: string | null;
}

interface AnchoredHead {
  readonly process: string;
  readonly line: number;
  readonly hash: string;
}

interface AnchorCommand {
  /** The process is that of the trail, as the statement names it. */
  readonly anchor: AnchoredHead;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

/** No name of a process has it. */
const OF_TRAIL = '@';
const HEAD = { process: text(), line: integer(), hash: text() };
const ANCHOR = appendedTable('trail_anchor', {
  attestation_id: as('attestationId', text()),
  ...HEAD,
  at: as('atMs', integer()),
});
const ALL_ANCHORS = query(
  `SELECT a.process, a.line, a.hash, e.leaf FROM trail_anchor a
  JOIN entries e ON e.attestation_id = a.attestation_id ORDER BY a.at, a.line`,
  { ...HEAD, leaf: text() },
);

interface SealedAnchor extends AnchoredHead {
  readonly attestationId: string;
  readonly atMs: number;
}

const anchorUnit: Unit<[AnchorCommand, { atMs: number }], readonly SealedAnchor[]> = {
  name: 'trail_anchor',
  reads: () => ({}),
  load: () => [],
  decide(anchors, nowMs, _next, { anchor, draft, sandbox }) {
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const sealed = { ...anchor, attestationId: entry.leaf.id, atMs: nowMs };
    return { state: [...anchors, sealed], result: { atMs: nowMs }, entries: [entry] };
  },
  writes: (_before, after) => [ANCHOR.insert(after)],
};

/** Seals a head of the audit trail as a statement of the service. */
export async function anchorTrail(
  store: Store,
  { trail, process, line, hash }: TrailAnchor & { readonly trail: string },
  sandbox: boolean,
): Promise<number> {
  const anchor = { process: `${process}${OF_TRAIL}${trail}`, line, hash };
  const draft = statementDraft(statementOf(anchor));
  return (await store.run(anchorUnit, { anchor, draft, sandbox })).atMs;
}

/** The anchors of an installation, each compared with the statement that its log entry makes. */
export async function trailAnchors(store: Store): Promise<TrailAnchor[]> {
  return (await store.read(ALL_ANCHORS)).map(({ leaf, ...anchor }) => {
    if (statementIn(leaf) !== statementOf(anchor))
      throw new Error('an anchor differs from its entry in the public log');
    const [process = '', trail = null] = anchor.process.split(OF_TRAIL);
    return { ...anchor, process, trail };
  });
}

function statementOf({ process, line, hash }: AnchoredHead): string {
  return `audit_trail.head ${process} line ${line} hash ${hash}`;
}

function statementIn(leaf: string): unknown {
  return (JSON.parse(leaf) as { claim?: { statement?: unknown } }).claim?.statement;
}
