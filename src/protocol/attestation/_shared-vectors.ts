import { readFileSync } from 'node:fs';
import type { FullObservation, Observation } from './observation.ts';
import type { Claim } from './schema-document.ts';

/** The vectors that several implementations share; they lie beside the repository and are not part of it. */
const PATH = '../shared/data/log-vectors.json';

interface SealedVector {
  readonly claim: Claim;
  readonly claim_jcs: string;
  readonly claim_sha256_hex: string;
  readonly fields: Readonly<
    Record<string, { readonly salt_hex: string; readonly value_jcs: string; readonly commitment_hex: string }>
  >;
  readonly claim_commitment: string;
  readonly entry_jcs: string;
  readonly entry_bytes: number;
  readonly leaf_hash_hex: string;
  readonly attestation_id: string;
  readonly observation?: {
    readonly full: FullObservation;
    readonly salt_hex: string;
    readonly commitment_hex: string;
    readonly published_jcs: string;
    readonly bundle_root_hex: string;
  };
}

export interface VerdictVector {
  readonly schema_id: string;
  readonly claim: Claim;
  readonly observations: readonly Observation[];
  readonly verdict: 'ACCEPT' | 'REJECT';
  readonly code: string | null;
}

export interface SharedVectors {
  readonly jcs: {
    readonly samples: readonly {
      readonly input: string;
      readonly output: string;
      readonly output_sha256_hex: string;
    }[];
    readonly key_order_rfc8785: readonly string[];
    readonly must_reject: readonly { readonly input?: string }[];
    readonly traps: readonly { readonly input: string; readonly json_parse_gives?: unknown }[];
  };
  readonly attestation: {
    readonly base32: readonly { readonly input_utf8: string; readonly output: string }[];
    readonly disclosure_seed_hex: string;
    readonly record_integrity_accept: SealedVector;
    readonly vat_vies_accept_sandbox: SealedVector;
    readonly record_integrity_reject: SealedVector;
    readonly mark_entry: SealedVector;
    readonly key_declaration_seq_0: Omit<SealedVector, 'claim' | 'fields'>;
    readonly tampered: { readonly entry_jcs: string; readonly leaf_hash_hex: string; readonly attestation_id: string };
    readonly verdicts: readonly VerdictVector[];
  };
}

function read(): SharedVectors | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`../../../${PATH}`, import.meta.url), 'utf8')) as SharedVectors;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export const sharedVectors = read();
/** For the `skip` of a test: false when the vectors are there. */
export const sharedVectorsMissing = sharedVectors === undefined && `${PATH} is not there`;
