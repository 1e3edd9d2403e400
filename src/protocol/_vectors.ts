import { existsSync, readFileSync } from 'node:fs';

const OWN = new URL('../../test/vectors/log.json', import.meta.url);
/** A larger set that lies beside some checkouts; what it holds is not part of this project. */
const SHARED = new URL('../../../shared/data/log-vectors.json', import.meta.url);

type Json<T> = Readonly<T>;

export interface LogVectors {
  readonly rfc6962: Json<{
    leaves_hex: string[];
    leaf_hashes_hex: string[];
    roots_by_size_hex: string[];
    inclusion: Json<{ index: number; size: number; leaf_hash_hex: string; root_hex: string; hashes_b64: string[] }>[];
    consistency: Json<{
      first: number;
      second: number;
      first_root_hex: string;
      second_root_hex: string;
      hashes_b64: string[];
    }>[];
  }>;
  readonly range_proofs: Json<{
    cases: Json<{
      from_seq: number;
      next_seq: number;
      tree_size: number;
      left_subtrees: Json<{ height: number; start: number }>[];
      right_subtrees: Json<{ height: number; start: number }>[];
      left_b64: string[];
      right_b64: string[];
      root_hex: string;
    }>[];
  }>;
  readonly merkle_cases: Json<{ inclusion: InclusionCase[]; consistency: ConsistencyCase[] }>;
  readonly notes: NoteVectors;
  readonly golden: GoldenVectors;
  readonly golden_ml_dsa_44: MlDsaVectors;
  readonly tiles: Json<{
    paths: Json<{ level: number; index: number; width: number; path: string }>[];
    entry_bundle_paths: Json<{ index: number; width: number; path: string }>[];
    bad_paths: string[];
    go_sumdb_paths: Json<{ tlog_tiles: string; go: string }>[];
    layout_by_size: Json<{
      size: number;
      levels: Json<{ level: number; full_tiles: number; partial_width: number }>[];
    }>[];
  }>;
  readonly large_log: LargeLogVectors;
  /** What each request to a witness gets; the requests are described, not spelt out. */
  readonly witness_add_checkpoint?: Json<{
    matrix: Json<{ request: string; status: number; content_type?: string; body?: string }>[];
  }>;
}

/** An integer above 2^53 stands as text; a hash may be of another length on purpose. */
interface InclusionCase {
  readonly case: string;
  readonly leafIdx: number | string;
  readonly treeSize: number | string;
  readonly root: string;
  readonly leafHash: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
  readonly strict_result?: boolean;
}

interface ConsistencyCase {
  readonly case: string;
  readonly size1: number | string;
  readonly size2: number | string;
  readonly root1: string;
  readonly root2: string;
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
  readonly strict_result?: boolean;
}

interface NoteVectors {
  readonly one_signature: Json<{
    vkey: string;
    seed_hex: string;
    public_key_hex: string;
    text: string;
    signature_line: string;
    note: string;
  }>;
  readonly second_key: Json<{ vkey: string; text: string; signature_line: string }>;
  readonly two_signatures: Json<{
    note: string;
    expect: Json<{ known: string[]; result: string; verified?: string[]; unverified?: string[] }>[];
  }>;
  readonly bad_signature: Json<{ note: string; known: string[] }>;
  readonly malformed: Json<{ cases: Json<{ note?: string; note_hex?: string; why: string }>[] }>;
  readonly bad_vkeys: Json<{ cases: Json<{ vkey: string; why: string }>[] }>;
  readonly example: Json<{ vkey: string; text: string; note: string }>;
  readonly foreign_checkpoint: Json<{
    public_key_hex: string;
    key_id_hex: string;
    vkey: string;
    origin: string;
    size: number;
    root_b64: string;
    text: string;
    note: string;
  }>;
  readonly record_hash: Json<{ entry_utf8: string; leaf_hash_b64: string }>;
}

interface GoldenVectors {
  readonly origin: string;
  readonly log_seed_hex: string;
  readonly log_public_key_hex: string;
  readonly log_vkey: string;
  readonly witness_name: string;
  readonly witness_seed_hex: string;
  readonly witness_vkey: string;
  readonly cosignature_time: number;
  readonly entries_hex: readonly string[];
  readonly checkpoint_text_size_8: string;
  readonly checkpoint_size_8: string;
  readonly checkpoint_size_5: string;
  readonly cosignature_size_8: Json<{
    signed_message: string;
    key_id_hex: string;
    timestamp_be_hex: string;
    signature_hex: string;
    line: string;
  }>;
  readonly tlog_proofs: readonly Json<{ index: number; entry_hex: string; leaf_hash_hex: string; proof: string }>[];
  readonly tlog_proof_with_extra: Json<{ index: number; entry_hex: string; proof: string }>;
  readonly add_checkpoint_body_5_to_8: string;
  readonly files_size_8: Readonly<Record<string, string>>;
  readonly files_size_5: Readonly<Record<string, string>>;
}

interface MlDsaVectors {
  readonly seed_hex: string;
  readonly public_key_b64: string;
  readonly cosigner_name: string;
  readonly log_origin: string;
  readonly timestamp: number;
  readonly start: number;
  readonly end: number;
  readonly root_hex: string;
  readonly message_hex: string;
  readonly key_id_hex: string;
  readonly vkey: string;
  readonly signature_b64: string;
  readonly line: string;
}

interface LargeLogVectors {
  readonly last_entry: string;
  readonly roots_by_size_b64: Readonly<Record<string, string>>;
  readonly inclusion: readonly Json<{ index: number; size: number; leaf_hash_b64: string; hashes_b64: string[] }>[];
  readonly consistency: readonly Json<{ first: number; second: number; hashes_b64: string[] }>[];
  readonly file_sha256_hex: Readonly<Record<string, string>>;
  readonly range_page: Json<{
    from_seq: number;
    next_seq: number;
    tree_size: number;
    left_b64: string[];
    right_b64: string[];
  }>;
}

export interface VectorSet {
  readonly name: string;
  readonly vectors: LogVectors;
}

/** The reason for which the shared set is not run, or false where it is. */
export const SHARED_VECTORS_SKIP = existsSync(SHARED)
  ? false
  : 'no ../shared/data/log-vectors.json beside the repository';

export const VECTOR_SETS: readonly VectorSet[] = [
  { name: 'own vectors', vectors: JSON.parse(readFileSync(OWN, 'utf8')) as LogVectors },
  ...(SHARED_VECTORS_SKIP === false ? [{ name: 'shared vectors', vectors: readShared() }] : []),
];

/** The shared set names its notes after where they come from. */
function readShared(): LogVectors {
  const { notes, ...others } = JSON.parse(readFileSync(SHARED, 'utf8'));
  const renamed: NoteVectors = {
    one_signature: notes.go_peter,
    second_key: notes.go_enoch,
    two_signatures: notes.go_both,
    bad_signature: notes.go_bad_signature,
    malformed: notes.go_malformed,
    bad_vkeys: notes.go_bad_vkeys,
    example: notes.c2sp_example,
    foreign_checkpoint: notes.sigsum_checkpoint,
    record_hash: notes.tlog_record_hash,
  };
  return { ...others, notes: renamed };
}

export function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'));
}

export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
