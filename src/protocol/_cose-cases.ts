// Random logs and receipts of them, with what both judges need.
import type { CoseCase } from '../../test/referees/cose-judge.ts';
import { encodeCbor } from './cbor.ts';
import { consistencyReceipt, coseKey, inclusionReceipt } from './cose-receipt.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes } from './ed25519.ts';
import { leafHash } from './merkle.ts';
import { MerkleTree } from './merkle-tree.ts';
import { publicKeyOf } from './note-key.ts';

export const LOG = { iss: 'https://attest.example', sub: 'attest.example/astralock' };

export function keyOf(seedHex: string) {
  const privateKey = ed25519PrivateKeyFromSeed(Buffer.from(seedHex, 'hex'));
  return { privateKey, publicKey: ed25519PublicBytes(publicKeyOf(privateKey, 'ed25519')) };
}

/** The key of the golden log. */
export const KEY = keyOf('810a1402d5146c8d84f2443330f54080ebf98ee17d9c74f6252fc5d5c7283173');
export const KEYS = Buffer.from(encodeCbor([coseKey(KEY.publicKey)])).toString('hex');

export function treeOf(entries: readonly Uint8Array[]): MerkleTree {
  const tree = new MerkleTree();
  for (const entry of entries) tree.append(leafHash(entry));
  return tree;
}

const GOLDEN = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
/** The entries of the golden log, and their tree. */
export const GOLDEN_ENTRIES = GOLDEN.map((text) => Buffer.from(text, 'hex'));
export const GOLDEN_TREE = treeOf(GOLDEN_ENTRIES);

export function entriesOf(size: number): Uint8Array[] {
  return Array.from({ length: size }, (_, index) => Buffer.from(`entry ${index}`));
}

export function inclusionOf(tree: MerkleTree, index: number, size: number): Uint8Array {
  const path = tree.inclusionPath(index, size);
  return inclusionReceipt({ treeSize: size, index, path, root: tree.root(size) }, LOG, KEY);
}

export function consistencyOf(tree: MerkleTree, first: number, second: number): Uint8Array {
  const path = tree.consistencyProof(first, second);
  return consistencyReceipt({ first, second, path, root: tree.root(second) }, LOG, KEY);
}

export function caseOf(receipt: Uint8Array, of: Pick<CoseCase, 'entry' | 'root'>): CoseCase {
  return { receipt: Buffer.from(receipt).toString('hex'), keys: KEYS, ...LOG, ...of };
}
