import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';

const MEANS =
  'A private attestation service with contractual strength between parties attests the integrity, order and time of the record. It is not a civil-law notary and not an eIDAS qualified trust service.';
const SUBMITTED = ' A third party submitted this record. Avouch neither performed nor checked that handshake.';
export const NOT_MEANT = 'The claim is true.';

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
