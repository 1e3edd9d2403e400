import { type Html, html } from '#kernel/html.ts';
import { pill } from '#web/components.ts';
import { asPhrase } from '#web/labels.ts';
import type { EntryRow } from './explorer-answers.ts';

/** What happened, by schema or type. No more than the log discloses: not who, on what or with which outcome. */
const KIND_LABELS: ReadonlyMap<string, string> = new Map([
  ['record.integrity.v1', 'Record sealed'],
  ['vat.vies.v1', 'VAT number checked'],
  ['kvk.liveness.v1', 'Company registration checked'],
  ['registry.snapshot.v1', 'Register snapshot sealed'],
  ['amh.handshake.v1', 'Mandate action checked'],
  ['coordination.state.v1', 'Coordination state published'],
  ['protocol.key.declaration.v1', 'Key declared'],
  ['protocol.statement.v1', 'Statement published'],
  ['mark', 'Mark left'],
  ['release', 'Lease released'],
]);

export function kindLabel(kind: string): string {
  return KIND_LABELS.get(kind) ?? asPhrase(kind);
}

/** The label, with the value of the wire on demand. */
export function kindText({ schema_id: schema, type }: Pick<EntryRow, 'schema_id' | 'type'>): Html {
  return html`<span title="${schema ?? type}">${kindLabel(schema ?? type)}</span>`;
}

export const VERDICT_LABELS = { ACCEPT: 'Accepted', REJECT: 'Rejected' } as const;

/** A dash where the entry has no verdict. */
export function verdictPill(verdict: EntryRow['verdict']): Html {
  if (verdict === null) return html`–`;
  return pill(verdict, { tone: verdict === 'ACCEPT' ? 'good' : 'warn', label: VERDICT_LABELS[verdict] });
}
