import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { LogInteger } from '../log-text.ts';
import { leafHash, verifyInclusion } from '../merkle.ts';
import { formatVkey } from '../note-key.ts';
import { type TrustedCheckpoint, verifyPolicyCheckpoint } from '../policy-checkpoint.ts';
import { ProtocolError } from '../protocol-error.ts';
import { hasQuorum, type WitnessPolicy } from '../witness-policy.ts';
import { type AttestationId, attestationId } from './attestation-id.ts';
import { AttestationError } from './attestation-error.ts';
import type { Bundle } from './bundle.ts';
import { commitClaim } from './commitment.ts';
import { checkDisclosure } from './disclosure.ts';
import { parseLeaf } from './leaf.ts';
import type { LeafEntry, SealEntry } from './leaf-entry.ts';
import { recheckEntry, type SealRecord } from './reexecute.ts';
import { DOCUMENTS } from './schemas.ts';

/** `ok` is true, false, or null where the question does not arise or cannot be answered. */
export interface BundleCheck {
  readonly name: string;
  readonly ok: boolean | null;
  readonly state?: string;
  readonly recomputed?: string;
  readonly key?: string;
  readonly count?: number;
}

export interface CheckedBundle {
  readonly valid: boolean;
  readonly checks: readonly BundleCheck[];
  readonly id: AttestationId;
  readonly leafHash: Uint8Array;
  /** Null for an entry of another log, which has a form of its own. */
  readonly entry: LeafEntry | null;
  /** Null when no log of the policy signed it. */
  readonly checkpoint: Checkpoint | null;
}

/** Whom to trust, and what time it is. */
export interface BundleTrust {
  /** The keys of the checker's own log: in force when the bundle brings no policy. */
  readonly own: WitnessPolicy;
  readonly nowSeconds: LogInteger;
}

/** Checks a bundle by its bytes alone. Nothing in it is believed, and the entry is always the one asked about. */
export function checkBundle(bundle: Bundle, { own, nowSeconds }: BundleTrust): CheckedBundle {
  const { proof, policy } = bundle;
  const hash = leafHash(bundle.entry);
  const id = attestationId(hash);
  const entry = entryIn(bundle.entry);
  const trusted = trustedCheckpoint(proof.checkpoint, policy ?? own, nowSeconds);
  const checks: BundleCheck[] = [
    { name: 'leaf_hash', ok: true, recomputed: Buffer.from(hash).toString('hex') },
    // Other logs write entries of another form; ours never does.
    { name: 'leaf_form', ok: entry !== null || (policy === null ? false : null) },
    { name: 'id_matches_leaf', ok: bundle.attestationId === null ? null : bundle.attestationId === id },
    extraCheck(bundle, entry),
    ...(entry === null ? foreignChecks(bundle) : contentChecks(bundle, entry)),
    { name: 'inclusion', ok: isIncluded(hash, proof, trusted) },
    ...signatureChecks(trusted, policy ?? own),
  ];
  const valid = checks.every(({ ok }) => ok !== false);
  return { valid, checks, id, leafHash: hash, entry, checkpoint: trusted?.checkpoint ?? null };
}

function entryIn(bytes: Uint8Array): LeafEntry | null {
  try {
    return parseLeaf(bytes);
  } catch (error) {
    if (error instanceof AttestationError) return null;
    throw error;
  }
}

/** Our files carry the entry itself in the extra line; what others put there is theirs. */
function extraCheck({ proof, entry: bytes }: Bundle, entry: LeafEntry | null): BundleCheck {
  const isOurs = entry !== null && proof.extra !== null;
  return { name: 'extra_matches_entry', ok: isOurs ? Buffer.compare(proof.extra, bytes) === 0 : null };
}

/** Of an entry in an unknown form nothing says what it commits to. */
function foreignChecks({ claim, disclosure }: Bundle): BundleCheck[] {
  return [
    { name: 'claim_commitment', ok: claim === null ? null : false, state: 'unknown_form' },
    { name: 'disclosure', ok: disclosure === null ? null : false },
  ];
}

function contentChecks(bundle: Bundle, entry: LeafEntry): BundleCheck[] {
  const { claim, seed, disclosure } = bundle;
  const hasObservations = entry.type === 'seal' && entry.observations.length > 0;
  // A bundle has no room for observations: what rests on them is not judged again.
  const record = claim === null || seed === null || hasObservations ? null : { claim, seed, observations: [] };
  const parts = recheckEntry({ entry, record: record && readable(record), document: documentOf(entry) });
  return [
    claimCheck(bundle, entry),
    { name: 'disclosure', ok: disclosure && isDisclosed(bundle, entry) },
    ...parts.filter(({ name }) => name !== 'claim_commitment'),
  ];
}

/** A claim without a canonical form is no claim of any seal; the check of its commitment says so. */
function readable(record: SealRecord): SealRecord | null {
  return canonicalText(record.claim) === null ? null : record;
}

/** Only the document that the leaf names can judge it again. */
function documentOf(entry: LeafEntry) {
  return entry.type === 'seal' ? (DOCUMENTS.get(entry.schema_digest) ?? null) : null;
}

function claimCheck({ claim, seed }: Bundle, entry: LeafEntry): BundleCheck {
  const name = 'claim_commitment';
  if (entry.claim_commitment === null) {
    const isSame = claim && canonicalText(claim) === canonicalText((entry as SealEntry).claim);
    return { name, ok: isSame, state: 'in_clear' };
  }
  if (claim === null) return { name, ok: null, state: 'not_given' };
  // A claim that nothing ties to the entry must not look as if it were proven.
  if (seed === null) return { name, ok: false, state: 'seed_missing' };
  const isSame = canonicalText(claim) !== null && commitClaim(claim, seed).commitment === entry.claim_commitment;
  return { name, ok: isSame, state: isSame ? 'match' : 'mismatch' };
}

function isDisclosed({ disclosure }: Bundle, { claim_commitment: commitment }: LeafEntry): boolean {
  return disclosure !== null && commitment !== null && checkDisclosure(commitment, disclosure).ok;
}

function canonicalText(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

/** The checkpoint of a log that the policy names; its witnesses are counted apart. */
function trustedCheckpoint(note: string, policy: WitnessPolicy, nowSeconds: LogInteger): TrustedCheckpoint | null {
  try {
    return verifyPolicyCheckpoint(note, { ...policy, quorum: null }, nowSeconds);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

function isIncluded(hash: Uint8Array, { index, path }: Bundle['proof'], trusted: TrustedCheckpoint | null): boolean {
  if (trusted === null) return false;
  const { size, root } = trusted.checkpoint;
  return verifyInclusion({ index, size, leafHash: hash, path, root });
}

function signatureChecks(trusted: TrustedCheckpoint | null, policy: WitnessPolicy): BundleCheck[] {
  const signer = trusted?.logSignatures[0];
  const cosigners = trusted?.cosignatures.map(({ key }) => key) ?? [];
  const isAsked = policy.quorum !== null || cosigners.length > 0;
  return [
    { name: 'checkpoint_signature', ok: trusted !== null, ...(signer && { key: formatVkey(signer.key) }) },
    isAsked
      ? { name: 'witnesses', ok: trusted !== null && hasQuorum(policy, cosigners), count: cosigners.length }
      : { name: 'witnesses', ok: null, state: 'unwitnessed', count: 0 },
  ];
}
