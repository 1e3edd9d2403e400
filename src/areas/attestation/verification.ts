import { leafHash } from '#protocol/merkle.ts';
import { attestationId } from '#protocol/attestation/attestation-id.ts';
import { parseLeaf } from '#protocol/attestation/leaf.ts';
import type { LeafEntry } from '#protocol/attestation/leaf-entry.ts';
import { recheckEntry, type SealRecord } from '#protocol/attestation/reexecute.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { verifyCheckpoint } from '#protocol/checkpoint.ts';
import { verifyInclusion } from '#protocol/merkle.ts';
import { ed25519NoteVerifier } from '#protocol/note.ts';
import { formatVkey, parseVkey } from '#protocol/note-key.ts';
import type { StoredEntry } from '#log/public-log.ts';
import type { StoredRecord } from '#log/stored-record.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly recomputed?: string;
  readonly state?: string;
  readonly key?: string;
  readonly count?: number;
}

export interface Proof {
  readonly seq: number;
  readonly treeSize: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

/** The record as it is stored and, unless it was erased, as commitments are recomputed from it. */
export interface Kept {
  readonly record: StoredRecord | undefined;
  readonly kept: SealRecord | null;
}

/** Recomputes everything from the stored bytes; nothing is read from a flag. */
export function checksOf(stored: StoredEntry, { record, kept }: Kept, proof: Proof, vkeys: readonly string[]): Check[] {
  const bytes = Buffer.from(stored.leaf);
  const hash = leafHash(bytes);
  const hashHex = Buffer.from(hash).toString('hex');
  const entry = parseLeaf(bytes);
  const document = entry.type === 'seal' ? (schemaById(entry.schema_id)?.document ?? null) : null;
  const parts = recheckEntry({ entry, record: kept, document });
  return [
    { name: 'id_matches_leaf', ok: attestationId(hash) === stored.attestationId },
    { name: 'leaf_hash', ok: hashHex === stored.leafHashHex, recomputed: hashHex },
    ...parts.map((part) => (part.name === 'claim_commitment' ? { ...part, state: claimState(entry, record) } : part)),
    ...signedChecks(hash, proof, vkeys),
    { name: 'witnesses', ok: null, state: 'unwitnessed', count: 0 },
  ];
}

function signedChecks(hash: Uint8Array, proof: Proof, vkeys: readonly string[]): Check[] {
  const verifiers = vkeys.map((vkey) => ed25519NoteVerifier(parseVkey(vkey)));
  const signed = { name: 'checkpoint_signature', key: vkeys.at(-1) ?? '' };
  try {
    const { checkpoint, verified } = verifyCheckpoint(proof.checkpoint, verifiers);
    const included = verifyInclusion({
      index: proof.seq,
      size: checkpoint.size,
      leafHash: hash,
      path: proof.path.map((text) => Buffer.from(text, 'base64')),
      root: checkpoint.root,
    });
    return [
      { name: 'inclusion', ok: included },
      { ...signed, key: verified.map(({ key }) => formatVkey(key)).at(-1) ?? '', ok: true },
    ];
  } catch {
    return [
      { name: 'inclusion', ok: false },
      { ...signed, ok: false },
    ];
  }
}

function claimState(entry: LeafEntry, record: StoredRecord | undefined): string {
  if (entry.claim_commitment === null) return 'in_clear';
  if (record?.claim == null) return 'erased';
  return record.disclosure === 'public' ? 'match' : 'holder_only';
}
