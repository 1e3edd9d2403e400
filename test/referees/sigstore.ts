// The checkpoint and Merkle code of sigstore's JavaScript verifier, run unchanged on our proofs.
import { createHash, createPublicKey } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';

type SigstoreEntry = Parameters<typeof verifyCheckpoint>[0];
type SigstoreLog = Parameters<typeof verifyCheckpoint>[1][number];

export interface SealProof {
  readonly entry: Uint8Array;
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  readonly checkpoint: string;
}

/** Throws sigstore's own error unless the checkpoint is signed by the key and the entry is included in it. */
export function checkWithSigstore({ entry, index, hashes, checkpoint }: SealProof, vkey: string): void {
  const inclusionProof = { logIndex: String(index), hashes, checkpoint: { envelope: checkpoint } };
  const sigstoreEntry = { canonicalizedBody: entry, inclusionProof } as unknown as SigstoreEntry;
  verifyMerkleInclusion(sigstoreEntry, verifyCheckpoint(sigstoreEntry, [sigstoreLog(vkey)]));
}

/** Read from the vkey with nothing of ours: name, key id, then type and key. */
function sigstoreLog(vkey: string): SigstoreLog {
  const [, name = '', typedText = ''] = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(vkey) ?? [];
  const typed = Buffer.from(typedText, 'base64');
  const x = typed.subarray(1).toString('base64url');
  return {
    logID: createHash('sha256').update(`${name}\n`).update(typed).digest(),
    baseURL: `https://${name}`,
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    validFor: { start: new Date(0), end: new Date(8.64e15) },
  };
}
