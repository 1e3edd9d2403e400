import { canonicalJson } from '#kernel/canonical-json.ts';
import { leafHash } from '../merkle.ts';
import { AttestationError } from './attestation-error.ts';
import { type AttestationId, attestationId } from './attestation-id.ts';
import type { LeafEntry, MarkEntry, MarkKind, ReleaseEntry, ReleaseOutcome, SealEntry } from './leaf-entry.ts';
import { isNonce, requireConsistentSeal, requireLeafEntry } from './leaf-shape.ts';
import type { PreparedSeal } from './seal.ts';
import { isUtcMilliseconds } from './utc-text.ts';

/** An entry bundle of tlog-tiles gives the length of an entry in 16 bits. */
const C2SP_MAX_ENTRY_BYTES = 65_535;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What every entry is given when its place in the log is known. */
export interface LeafStamp {
  readonly sandbox: boolean;
  /** RFC 3339, UTC, with milliseconds; not before any observation of the entry. */
  readonly sealedAt: string;
  /** 16 random bytes in base64url. */
  readonly nonce: string;
}

export interface Leaf<E extends LeafEntry = LeafEntry> {
  readonly entry: E;
  /** RFC 8785 text of the entry. */
  readonly text: string;
  /** The same in UTF-8: the bytes that the log hashes. */
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  readonly id: AttestationId;
}

// Each literal has its names in the order of RFC 8785: writeEntry depends on it.

export function sealLeaf(seal: PreparedSeal, stamp: LeafStamp): Leaf<SealEntry> {
  const entry: SealEntry = {
    bundle_root: seal.bundleRoot,
    ...(seal.claim === null ? {} : { claim: seal.claim }),
    claim_commitment: seal.claimCommitment,
    code: seal.code,
    corrects: seal.corrects,
    evidence_class: seal.evidenceClass,
    fee_eurocents: seal.feeEurocents,
    follows_up: seal.followsUp,
    nonce: stamp.nonce,
    observations: seal.observations,
    ...(seal.origin === null ? {} : { origin: seal.origin }),
    sandbox: stamp.sandbox,
    schema_digest: seal.schemaDigest,
    schema_id: seal.schemaId,
    sealed_at: stamp.sealedAt,
    type: 'seal',
    v: 1,
    verdict: seal.verdict,
  };
  requireConsistentSeal(entry);
  return leafOf(entry);
}

/** The commitment covers key, agent, note and evidence, as far as they were given. */
export function markLeaf(mark: { kind: MarkKind; claimCommitment: string }, stamp: LeafStamp): Leaf<MarkEntry> {
  return leafOf({
    claim_commitment: mark.claimCommitment,
    kind: mark.kind,
    nonce: stamp.nonce,
    sandbox: stamp.sandbox,
    sealed_at: stamp.sealedAt,
    type: 'mark',
    v: 1,
  });
}

/** The commitment covers key, agent and lease. */
export function releaseLeaf(
  release: { fence: number; outcome: ReleaseOutcome | null; claimCommitment: string },
  stamp: LeafStamp,
): Leaf<ReleaseEntry> {
  return leafOf({
    claim_commitment: release.claimCommitment,
    fence: release.fence,
    nonce: stamp.nonce,
    outcome: release.outcome,
    sandbox: stamp.sandbox,
    sealed_at: stamp.sealedAt,
    type: 'release',
    v: 1,
  });
}

function leafOf<E extends LeafEntry>(entry: E): Leaf<E> {
  if (!isNonce(entry.nonce)) throw new AttestationError('leaf_field_invalid', 'nonce');
  if (!isUtcMilliseconds(entry.sealed_at)) throw new AttestationError('leaf_field_invalid', 'sealed_at');
  const text = writeEntry(entry);
  const bytes = Buffer.from(text);
  if (bytes.length > C2SP_MAX_ENTRY_BYTES)
    throw new AttestationError('leaf_too_long', 'an entry has 65535 bytes at most');
  const hash = leafHash(bytes);
  return { entry, text, bytes, hash, id: attestationId(hash) };
}

/**
 * The RFC 8785 text of an entry whose own names are in order. All texts in it but a claim in clear are ASCII without
 * escapes, so JSON.stringify gives the canonical text, six times faster.
 */
function writeEntry(entry: LeafEntry): string {
  return 'claim' in entry ? canonicalJson(entry) : JSON.stringify(entry);
}

/** The entry in the bytes of a leaf. It throws for every other text than the one that this protocol would write. */
export function parseLeaf(bytes: Uint8Array): LeafEntry {
  // attacker-controlled: length before content
  if (bytes.length > C2SP_MAX_ENTRY_BYTES)
    throw new AttestationError('leaf_too_long', 'an entry has 65535 bytes at most');
  const text = decode(bytes);
  const entry = parse(text);
  requireLeafEntry(entry);
  // A name given twice, white space, another spelling of a number or a character: all show in the way back.
  if (canonicalText(entry) !== text) throw new AttestationError('leaf_not_canonical', 'not in the form of RFC 8785');
  return entry;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AttestationError('leaf_not_utf8', 'not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AttestationError('leaf_not_json', 'not JSON');
  }
}

/** Null for a claim in clear that has no canonical form. */
function canonicalText(entry: LeafEntry): string | null {
  try {
    return writeEntry(entry);
  } catch {
    return null;
  }
}
