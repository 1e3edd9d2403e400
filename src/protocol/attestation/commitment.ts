import { hash } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { leafHash, nodeHash } from '../merkle.ts';
import { AttestationError } from './attestation-error.ts';
import { isRegisterCode } from './leaf-shape.ts';
import type { FullObservation, PublishedObservation } from './observation.ts';
import { SALT_BYTES, withSalts } from './salt.ts';
import type { Claim } from './schema-document.ts';
import { isUtcMilliseconds } from './utc-text.ts';

const COMMITMENT_PREFIX = 0x02;
const VALUE_OFFSET = 1 + SALT_BYTES;
/** Fits a statement of ordinary length; a longer value gets a buffer of its own. */
const USUAL_VALUE_BYTES = 8192;
const UNREADABLE_CODE = 'UNREADABLE_CODE';

const scratch = Buffer.alloc(VALUE_OFFSET + USUAL_VALUE_BYTES);
scratch[0] = COMMITMENT_PREFIX;

/** The commitments of all fields by name, in hex. They hide the values; a holder may show them. */
export type FieldCommitments = Readonly<Record<string, string>>;

export interface ClaimCommitment {
  readonly commitment: string;
  readonly fields: FieldCommitments;
}

/** Commits to every field under a salt of its own, so that one can be shown without the others. */
export function commitClaim(claim: Claim, seed: Uint8Array): ClaimCommitment {
  const committed = withSalts(seed, (writeSalt) =>
    Object.keys(claim)
      .sort()
      .map((name): [string, string] => {
        const text = canonicalJson(claim[name]);
        writeSalt(name, scratch, 1);
        return [name, commitSalted(text)];
      }),
  );
  // Not by assignment: a verifier may be given a claim with the name __proto__, and no name may get lost.
  const fields = Object.fromEntries(committed);
  return { commitment: claimCommitmentOf(fields), fields };
}

/** SHA-256 over the canonical map of the field commitments. */
export function claimCommitmentOf(fields: FieldCommitments): string {
  return hash('sha256', canonicalJson(fields), 'hex');
}

/** The salt under which a seed commits to a field: what its holder gives away to show that field alone. */
export function saltOf(seed: Uint8Array, field: string): Uint8Array {
  const salt = Buffer.alloc(SALT_BYTES);
  withSalts(seed, (writeSalt) => writeSalt(field, salt, 0));
  return salt;
}

/** SHA-256(0x02, salt, canonical value) in hex. */
export function commitValue(value: unknown, salt: Uint8Array): string {
  if (salt.length !== SALT_BYTES) throw new TypeError('a salt has 32 bytes');
  const text = canonicalJson(value);
  scratch.set(salt, 1);
  return commitSalted(text);
}

/** Expects the salt in the scratch buffer and leaves none there. */
function commitSalted(text: string): string {
  const bytes =
    text.length * 3 > USUAL_VALUE_BYTES
      ? Buffer.concat([scratch.subarray(0, VALUE_OFFSET), Buffer.from(text)])
      : scratch.subarray(0, VALUE_OFFSET + scratch.write(text, VALUE_OFFSET, 'utf8'));
  const commitment = hash('sha256', bytes, 'hex');
  scratch.fill(0, 1, VALUE_OFFSET);
  return commitment;
}

/** What the log shows of the observations, in their order. */
export function commitObservations(
  observations: readonly FullObservation[],
  seed: Uint8Array,
): readonly PublishedObservation[] {
  if (observations.length === 0) return [];
  const salt = Buffer.alloc(SALT_BYTES);
  return withSalts(seed, (writeSalt) =>
    observations.map((seen, i) => {
      if (!isUtcMilliseconds(seen.observed_at)) {
        throw new AttestationError('observation_invalid', 'observed_at is not a UTC time with milliseconds');
      }
      writeSalt(`observation/${i}`, salt, 0);
      return {
        code: publishedCode(seen.code ?? null),
        commitment: commitValue(seen, salt),
        observed_at: seen.observed_at,
        source: seen.source,
        status: seen.status,
      };
    }),
  );
}

/** A register that sends something else than a code must neither stop a seal nor write into the log. */
function publishedCode(code: string | null): string | null {
  return code === null || isRegisterCode(code) ? code : UNREADABLE_CODE; // attacker-controlled
}

/** RFC 6962 root over the published observations as they stand in the entry; null when there are none. */
export function bundleRoot(observations: readonly PublishedObservation[]): string | null {
  if (observations.length === 0) return null;
  const hashes = observations.map((seen) => leafHash(Buffer.from(canonicalJson(seen))));
  return Buffer.from(treeRoot(hashes)).toString('hex');
}

function treeRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return nodeHash(treeRoot(hashes.slice(0, split)), treeRoot(hashes.slice(split)));
}
