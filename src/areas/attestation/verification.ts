import type { StoredEntry } from '#platform/log/public-log.ts';
import type { WitnessedCheckpoint } from '#platform/log/publisher.ts';
import type { StoredRecord } from '#platform/log/stored-record.ts';
import { AttestationError } from '#protocol/attestation/attestation-error.ts';
import { attestationId } from '#protocol/attestation/attestation-id.ts';
import type { BundleCheck } from '#protocol/attestation/bundle-check.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';
import { type RecheckedPart, recheckEntry, type SealRecord } from '#protocol/attestation/reexecute.ts';
import { judgingDocument } from '#protocol/attestation/schemas.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { leafHash, verifyInclusion } from '#protocol/merkle.ts';
import { ed25519NoteVerifier } from '#protocol/note.ts';
import { formatVkey, parseVkey } from '#protocol/note-key.ts';

export interface LogBundleCheck extends BundleCheck {
  readonly quorum?: number;
}

export interface LogProof {
  readonly seq: number;
  readonly treeSize: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
  /** Null when no witnessed checkpoint covers the entry. */
  readonly witnessed: WitnessedCheckpoint | null;
}

export interface Kept {
  readonly record: StoredRecord | undefined;
  /** Makes the form that commitments are recomputed from; null once it was erased. Throws when it cannot be read. */
  readonly read: () => SealRecord | null;
}

export interface Verified {
  /** Null when the stored bytes are no entry any more. */
  readonly entry: LeafEntry | null;
  readonly checks: readonly LogBundleCheck[];
}

/** Recomputes everything from the stored bytes; nothing is read from a flag. */
export function verified(stored: StoredEntry, kept: Kept, proof: LogProof, vkeys: readonly string[]): Verified {
  const bytes = Buffer.from(stored.leaf);
  const hash = leafHash(bytes);
  const hashHex = Buffer.from(hash).toString('hex');
  const entry = entryIn(bytes);
  const checks = [
    { name: 'id_matches_leaf', ok: attestationId(hash) === stored.attestationId },
    { name: 'leaf_hash', ok: hashHex === stored.leafHashHex, recomputed: hashHex },
    { name: 'leaf_form', ok: entry !== null },
    ...(entry === null ? [] : contentChecks(entry, kept)),
    ...signedChecks(hash, proof, vkeys),
    witnessCheck(proof.witnessed),
  ];
  return { entry, checks };
}

function entryIn(bytes: Uint8Array): LeafEntry | null {
  try {
    return parseLeaf(bytes);
  } catch (error) {
    if (error instanceof AttestationError) return null;
    throw error;
  }
}

function contentChecks(entry: LeafEntry, kept: Kept): LogBundleCheck[] {
  const state = claimState(entry, kept.record);
  return recheckedParts(entry, kept).map((part) => {
    if (part.name !== 'claim_commitment') return part;
    return state === 'lost' ? { ...part, ok: false, state } : { ...part, state };
  });
}

/** What is kept beside a leaf may have been changed into anything: then nothing holds that rests on it. */
function recheckedParts(entry: LeafEntry, { read }: Kept): readonly RecheckedPart[] {
  const document = judgingDocument(entry);
  try {
    return recheckEntry({ entry, record: read(), document });
  } catch {
    const parts = recheckEntry({ entry, record: null, document });
    return parts.map((part) => (part.ok === null ? { ...part, ok: false } : part));
  }
}

function signedChecks(hash: Uint8Array, proof: LogProof, vkeys: readonly string[]): LogBundleCheck[] {
  const verifiers = vkeys.map((vkey) => ed25519NoteVerifier(parseVkey(vkey)));
  const signed = { name: 'checkpoint_signature', key: vkeys.at(-1) ?? '' };
  try {
    const { checkpoint, verified: signers } = verifyCheckpoint(proof.checkpoint, verifiers);
    const included = verifyInclusion({
      index: proof.seq,
      size: checkpoint.size,
      leafHash: hash,
      path: proof.path.map((text) => Buffer.from(text, 'base64')),
      root: checkpoint.root,
    });
    return [
      { name: 'inclusion', ok: included },
      { ...signed, key: signers.map(({ key }) => formatVkey(key)).at(-1) ?? '', ok: true },
    ];
  } catch {
    return [
      { name: 'inclusion', ok: false },
      { ...signed, ok: false },
    ];
  }
}

function witnessCheck(witnessed: WitnessedCheckpoint | null): LogBundleCheck {
  if (witnessed === null) return { name: 'witnesses', ok: null, state: 'unwitnessed', count: 0 };
  const { witnesses, quorum } = witnessed;
  const count = witnesses.length;
  return { name: 'witnesses', ok: count >= quorum, count, quorum };
}

function claimState(entry: LeafEntry, record: StoredRecord | undefined): string {
  if (entry.claim_commitment === null) return 'in_clear';
  // Only an erasure, which is sealed, may take a claim away.
  if (record?.claim == null) return record?.erasedAtMs == null ? 'lost' : 'erased';
  return record.disclosure === 'public' ? 'match' : 'holder_only';
}
