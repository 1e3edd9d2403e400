export const LOOKUP_FIELDS = ['claim_sha256', 'evidence_digest'] as const;
export type LookupField = (typeof LOOKUP_FIELDS)[number];

/** By what a seal can be found, where its caller wants that. */
export interface LookupKey {
  readonly sha256: string;
  readonly field: LookupField;
}
