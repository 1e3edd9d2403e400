// Entries of a small log whose checkpoint a witness cosigned, with their proofs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flipBit } from './_wrong-types.ts';
import { formatCheckpoint, signCheckpoint } from './checkpoint.ts';
import { ed25519Cosigner } from './cosignature.ts';
import { ed25519PrivateKeyFromSeed } from './ed25519.ts';
import { leafHash } from './merkle.ts';
import { MerkleTree } from './merkle-tree.ts';
import { ed25519NoteSigner, formatSignatureLine } from './note.ts';
import { formatVkey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';
import { formatTlogProof, verifyTlogProof } from './tlog-proof.ts';
import { parsePolicy } from './witness-policy.ts';

export const NOW = 1_800_000_000;
export const origin = 'log.example/astralock';
export const keyOf = (n: number) => ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(n));
export const log = ed25519NoteSigner(origin, keyOf(1));
export const witness = ed25519Cosigner('witness.example/w', keyOf(2));
export const entries = Array.from({ length: 13 }, (_, i) => Buffer.from(`entry ${i}`));
export const tree = new MerkleTree();
for (const entry of entries) tree.append(leafHash(entry));
export const text = formatCheckpoint({ origin, size: 13, root: tree.root() });
export const signed = signCheckpoint({ origin, size: 13, root: tree.root() }, [log]);
export const witnessed = signed + formatSignatureLine(witness.cosign(text, NOW));
export const policy = parsePolicy(`log ${formatVkey(log.key)}\nwitness w ${formatVkey(witness.key)}\nquorum w\n`);
export const openPolicy = parsePolicy(
  `log ${formatVkey(log.key)}\nwitness w ${formatVkey(witness.key)}\nquorum none\n`,
);

export function proofOf(index: number, checkpoint = witnessed): string {
  return formatTlogProof({ index, path: tree.inclusionPath(index), checkpoint, extra: entries[index] ?? null });
}

export const entry = entries[5] as Uint8Array;
export const proof = proofOf(5);

/** A test in which every `step`-th bit of a proof is changed, one at a time. */
export function testChangedProofBits(step: number): void {
  test('one changed bit of the file is refused, unless it leaves everything proven as it was', () => {
    const bytes = Buffer.from(proof);
    const extraLine = [proof.indexOf('extra'), proof.indexOf('\nindex')] as const;
    for (let bit = 0; bit < bytes.length * 8; bit += step) {
      let accepted = false;
      try {
        verifyTlogProof({ proof: flipBit(bytes, bit), entry }, policy, NOW);
        accepted = true;
      } catch (error) {
        assert.ok(error instanceof ProtocolError, String(error));
      }
      // Extra data is not authenticated, and the entry came from the caller.
      const isExtra = bit >> 3 > extraLine[0] && bit >> 3 < extraLine[1];
      if (!isExtra) assert.equal(accepted, false, `bit ${bit}`);
    }
  });
}
