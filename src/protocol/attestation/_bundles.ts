// Bundles of a small log, and what checking them says.
import { formatCheckpoint, signCheckpoint } from '../checkpoint.ts';
import { ed25519Cosigner } from '../cosignature.ts';
import { ed25519PrivateKeyFromSeed } from '../ed25519.ts';
import { leafHash } from '../merkle.ts';
import { MerkleTree } from '../merkle-tree.ts';
import { ed25519NoteSigner, formatSignatureLine, type NoteSigner } from '../note.ts';
import { formatVkey } from '../note-key.ts';
import { formatTlogProof } from '../tlog-proof.ts';
import { parsePolicy } from '../witness-policy.ts';
import { SEED, seal } from './_sealed.ts';
import { type BundleTexts, readBundle } from './bundle.ts';
import { type CheckedBundle, checkBundle } from './bundle-check.ts';
import type { Claim } from './schema-document.ts';

const NOW = 1_800_000_000;
export const ORIGIN = 'log.example/astralock';
const keyOf = (n: number) => ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(n));
export const log = ed25519NoteSigner(ORIGIN, keyOf(1));
export const stranger = ed25519NoteSigner(ORIGIN, keyOf(3));
const witness = ed25519Cosigner('witness.example/w', keyOf(2));
const own = parsePolicy(`log ${formatVkey(log.key)}\nquorum none\n`);
export const witnessLine = `witness w ${formatVkey(witness.key)}\n`;
export const seedText = Buffer.from(SEED).toString('base64');
export const CLAIM: Claim = { statement: 'seven boxes', evidence_digests: ['ab'.repeat(32)] };
const sealed = seal('record.integrity.v1', CLAIM);
const others = ['a', 'b', 'c', 'd', 'e'].map((text) => Buffer.from(text));

interface Made {
  readonly signer?: NoteSigner;
  readonly cosigned?: boolean;
  readonly extra?: Uint8Array | null;
}

/** A proof of the last of six entries, with a path of two hashes. */
export function proofOf(of: Uint8Array, { signer = log, cosigned = false, extra = of }: Made = {}): string {
  const tree = new MerkleTree();
  for (const one of [...others, of]) tree.append(leafHash(one));
  const head = { origin: ORIGIN, size: 6, root: tree.root() };
  const line = cosigned ? formatSignatureLine(witness.cosign(formatCheckpoint(head), NOW)) : '';
  return formatTlogProof({
    index: 5,
    path: tree.inclusionPath(5),
    checkpoint: signCheckpoint(head, [signer]) + line,
    extra,
  });
}

export function checked(texts: BundleTexts): CheckedBundle | 'unreadable' {
  const bundle = readBundle(texts);
  return 'proof' in bundle ? checkBundle(bundle, { own, nowSeconds: NOW }) : 'unreadable';
}

export function isRefused(texts: BundleTexts): boolean {
  const result = checked(texts);
  return result === 'unreadable' || !result.valid;
}

export const entryBytes = sealed.leaf.bytes;
export const whole: BundleTexts = {
  proof: proofOf(entryBytes),
  entry: Buffer.from(entryBytes).toString('base64'),
  attestation_id: sealed.leaf.id,
  claim: CLAIM,
  seed: seedText,
};
