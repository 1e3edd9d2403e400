// The log of releases: each entry seals the digest of one provenance.json. Its key is that of the releases.
import { createHash, type KeyObject } from 'node:crypto';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { sealLeaf } from '#protocol/attestation/leaf.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { signCheckpoint } from '#protocol/checkpoint.ts';
import { toBase64 } from '#protocol/log-text.ts';
import { leafHash } from '#protocol/merkle.ts';
import { MerkleTree } from '#protocol/merkle-tree.ts';
import { ed25519NoteSigner } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { formatTlogProof } from '#protocol/tlog-proof.ts';

const ORIGIN = 'avouch/releases';

export interface SealedFile {
  /** What the entry says of the file, in one sentence. */
  readonly statement: string;
  readonly bytes: Uint8Array;
  readonly sealedAt: Date;
}

/**
 * Seals a file as the last entry of the log and gives the log's files. `log` is that of the release before, a line of
 * base64 for each entry. Everything follows from what is given: the same file in the same log gives the same bytes.
 */
export function sealRelease(file: SealedFile, key: KeyObject, log = ''): Readonly<Record<string, string>> {
  const digest = sha256(file.bytes);
  const claim = { statement: file.statement, evidence_digests: [digest.toString('hex')] };
  // Nothing is hidden here: the claim is published with its seed.
  const seed = sha256(`seed ${digest.toString('hex')}`);
  const schema = schemaById('record.integrity.v1');
  if (schema === undefined) throw new Error('there is no schema record.integrity.v1');
  const stamp = {
    sandbox: false,
    sealedAt: file.sealedAt.toISOString(),
    nonce: sha256(`nonce ${digest.toString('hex')}`)
      .subarray(0, 16)
      .toString('base64url'),
  };
  const { bytes, id } = sealLeaf(prepareSeal({ schema, claim, observations: [], seed }), stamp);
  const before = log.split('\n').filter((line) => line !== '' && line !== toBase64(bytes));
  const entries = [...before, toBase64(bytes)];
  const tree = new MerkleTree();
  for (const entry of entries) tree.append(leafHash(Buffer.from(entry, 'base64')));
  const signer = ed25519NoteSigner(ORIGIN, key);
  const checkpoint = signCheckpoint({ origin: ORIGIN, size: tree.size, root: tree.root() }, [signer]);
  const index = tree.size - 1;
  const path = tree.inclusionPath(index);
  const seal = {
    attestation_id: id,
    seq: index,
    entry: toBase64(bytes),
    claim,
    disclosure_seed: toBase64(seed),
    inclusion: { tree_size: tree.size, index, hashes: path.map((hash) => toBase64(hash)) },
    checkpoint,
  };
  return {
    'provenance.seal.json': `${JSON.stringify(seal, null, 1)}\n`,
    'provenance.tlog-proof': formatTlogProof({ index, path, checkpoint, extra: bytes }),
    'releases.log': entries.map((entry) => `${entry}\n`).join(''),
    'releases.vkey': `${formatVkey(signer.key)}\n`,
  };
}

function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest();
}
