import { canonicalJson } from '#kernel/canonical-json.ts';
import { feeEurocents, type SchemaVerdict } from './attestation-schema.ts';
import { bundleRoot, commitClaim, commitObservations } from './commitment.ts';
import type { LeafEntry, SealEntry } from './leaf-entry.ts';
import type { FullObservation } from './observation.ts';
import { type Claim, schemaDigest, type SchemaDocument } from './schema-document.ts';
import { DOCUMENTS, schemaById } from './schemas.ts';
import { answerNeeds } from './seal.ts';

/** What a holder or the service keeps beside a leaf. */
export interface SealRecord {
  /** Must have a canonical form: `valueFaults` of it is empty. */
  readonly claim: Claim;
  readonly seed: Uint8Array;
  readonly observations: readonly FullObservation[];
}

export type Reexecution =
  | { readonly ok: true; readonly verdict: SchemaVerdict }
  | {
      readonly ok: false;
      readonly code:
        | 'schema_unknown'
        /** Not the document that the leaf names by its digest. */
        | 'document_mismatch'
        /** Other registers or other questions than the claim calls for. */
        | 'observations_mismatch'
        | 'verdict_mismatch'
        | 'links_mismatch';
    };

export interface Reexecuted {
  readonly entry: SealEntry;
  readonly claim: Claim;
  readonly observations: readonly FullObservation[];
  readonly document: SchemaDocument;
}

/** Judges a sealed claim again, by the document of the seal. Whether claim and observations are those of the leaf is
 * for their commitments to say. */
export function reexecute({ entry, claim, observations, document }: Reexecuted): Reexecution {
  const schema = schemaById(entry.schema_id);
  if (schema === undefined) return { ok: false, code: 'schema_unknown' };
  if (!isDocumentOf(entry, document)) return { ok: false, code: 'document_mismatch' };
  if (!answerNeeds(schema.needs(claim, document), observations)) return { ok: false, code: 'observations_mismatch' };
  const verdict = schema.judge(claim, observations, document);
  if (verdict.verdict !== entry.verdict || verdict.code !== entry.code) return { ok: false, code: 'verdict_mismatch' };
  const { corrects, followsUp } = schema.links(claim);
  if (corrects !== entry.corrects || followsUp !== entry.follows_up) return { ok: false, code: 'links_mismatch' };
  return { ok: true, verdict };
}

function isDocumentOf(entry: SealEntry, document: SchemaDocument): boolean {
  const { schema_digest: named } = entry;
  const digest = DOCUMENTS.get(named) === document ? named : schemaDigest(document);
  const isSameKind = document.schema_id === entry.schema_id && document.evidence_class === entry.evidence_class;
  return digest === entry.schema_digest && isSameKind;
}

/** `ok` is true, false, or null where the question does not arise or cannot be answered any more. */
export interface RecheckedPart {
  readonly name: 'claim_commitment' | 'observation_commitments' | 'bundle_root' | 'verdict_reexecuted' | 'fee';
  readonly ok: boolean | null;
}

export interface Rechecked {
  readonly entry: LeafEntry;
  /** Null when it was erased; a claim in clear and the published observations are then all there is. */
  readonly record: SealRecord | null;
  /** The document with the digest that the leaf names; null for marks and releases. */
  readonly document: SchemaDocument | null;
}

/** Recomputes everything that a leaf says about its content, from bytes and never from a flag. */
export function recheckEntry({ entry, record, document }: Rechecked): readonly RecheckedPart[] {
  const commitment: RecheckedPart = { name: 'claim_commitment', ok: record && claimMatches(entry, record) };
  if (entry.type !== 'seal') return [commitment];
  return [
    commitment,
    { name: 'observation_commitments', ok: record && observationsMatch(entry, record) },
    { name: 'bundle_root', ok: bundleRoot(entry.observations) === entry.bundle_root },
    { name: 'verdict_reexecuted', ok: document && verdictMatches(entry, record, document) },
    { name: 'fee', ok: document && feeMatches(entry, document) },
  ];
}

/** Null where the claim stands in clear: nothing was committed to. */
function claimMatches(entry: LeafEntry, { claim, seed }: SealRecord): boolean | null {
  return entry.claim_commitment === null ? null : commitClaim(claim, seed).commitment === entry.claim_commitment;
}

function observationsMatch(entry: SealEntry, { observations, seed }: SealRecord): boolean {
  return canonicalJson(commitObservations(observations, seed)) === canonicalJson(entry.observations);
}

function verdictMatches(entry: SealEntry, record: SealRecord | null, document: SchemaDocument): boolean | null {
  const claim = entry.claim ?? record?.claim;
  if (claim === undefined) return null;
  return reexecute({ entry, claim, observations: record?.observations ?? [], document }).ok;
}

function feeMatches(entry: SealEntry, document: SchemaDocument): boolean {
  return isDocumentOf(entry, document) && entry.fee_eurocents === feeEurocents(document, entry.verdict);
}
