import { isoTime } from '#kernel/clock.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Cell, Row, Store, Unit } from '#platform/storage/store.ts';
import { statementDraft } from '#protocol/attestation/statement.ts';

/** A head of the audit trail that the public log has fixed. */
export interface TrailAnchor {
  readonly process: string;
  readonly line: number;
  readonly hash: string;
}

interface AnchorCommand {
  readonly anchor: TrailAnchor;
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

interface Anchors {
  readonly rows: readonly (readonly Cell[])[];
}

const ANCHOR_INSERT = 'INSERT INTO trail_anchor (attestation_id, process, line, hash, at) VALUES ($1, $2, $3, $4, $5)';
const ALL_ANCHORS = `SELECT a.process, a.line, a.hash, e.leaf FROM trail_anchor a
  JOIN entries e ON e.attestation_id = a.attestation_id ORDER BY a.at, a.line`;

const anchorUnit: Unit<[AnchorCommand, { atMs: number }], Anchors> = {
  name: 'trail_anchor',
  reads: () => [],
  load: () => ({ rows: [] }),
  decide(anchors, nowMs, _next, { anchor, draft, sandbox }) {
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    const row = [entry.leaf.id, anchor.process, anchor.line, anchor.hash, nowMs];
    return { state: { rows: [...anchors.rows, row] }, result: { atMs: nowMs }, entries: [entry] };
  },
  writes: (_before, after) => [{ sql: ANCHOR_INSERT, rows: after.rows }],
};

/** Seals a head of the audit trail as a statement of the service. */
export async function anchorTrail(store: Store, anchor: TrailAnchor, sandbox: boolean): Promise<number> {
  const draft = statementDraft(statementOf(anchor));
  return (await store.run(anchorUnit, { anchor, draft, sandbox })).atMs;
}

/** The anchors of an installation, each compared with the statement that its log entry makes. */
export async function trailAnchors(store: Store): Promise<TrailAnchor[]> {
  return (await store.read(ALL_ANCHORS)).map((row) => {
    const anchor = { process: row['process'] as string, line: row['line'] as number, hash: row['hash'] as string };
    if (statementIn(row) !== statementOf(anchor)) throw new Error('an anchor differs from its entry in the public log');
    return anchor;
  });
}

function statementOf({ process, line, hash }: TrailAnchor): string {
  return `audit_trail.head ${process} line ${line} hash ${hash}`;
}

function statementIn(row: Row): unknown {
  return (JSON.parse(row['leaf'] as string) as { claim?: { statement?: unknown } }).claim?.statement;
}
