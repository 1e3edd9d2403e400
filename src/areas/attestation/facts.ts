import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';

const MEANS =
  'integrity, order and time of the record, attested by a private attestation service with contractual strength between parties; not a civil-law notary, not an eIDAS qualified trust service';
const SUBMITTED = '; somebody submitted this record, the service neither made nor checked that handshake';
export const NOT_MEANT = 'truth of the claim';

export function meansOf(entry: LeafEntry | null): string {
  const isSubmitted = entry?.type === 'seal' && entry.origin === 'submitted';
  return isSubmitted ? MEANS + SUBMITTED : MEANS;
}

/** What the signed bytes say, in wire names; all null where they are no entry. */
export function sealFacts(entry: LeafEntry | null) {
  const sealed = entry?.type === 'seal' ? entry : undefined;
  return {
    type: entry?.type ?? null,
    verdict: sealed?.verdict ?? null,
    code: sealed?.code ?? null,
    schema_id: sealed?.schema_id ?? null,
    evidence_class: sealed?.evidence_class ?? null,
    sandbox: entry?.sandbox ?? null,
    sealed_at: entry?.sealed_at ?? null,
    corrects: sealed?.corrects ?? null,
    follows_up: sealed?.follows_up ?? null,
    origin: sealed?.origin ?? null,
  };
}
