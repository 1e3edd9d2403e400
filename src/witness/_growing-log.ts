import { NaiveTree, exampleLeafHashes } from '#protocol/_naive-tree.ts';
import { signCheckpoint } from '#protocol/checkpoint.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { ed25519NoteSigner, type NoteSigner } from '#protocol/note.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { formatAddCheckpoint } from '#protocol/witness-request.ts';

export const ORIGIN = 'log.example/astralock';
export const WITNESS = 'witness.example/w1';
/** A multiple of three: no two neighbours in the tree are alike. */
const LEAVES = 999;

/** A log of any size, honest from its first entry on; with `forkAt` its entries are others from there on. */
export class GrowingLog {
  readonly signer: NoteSigner;
  readonly vkey: string;
  readonly tree: NaiveTree;

  constructor({ origin = ORIGIN, seed = 1, forkAt = Number.POSITIVE_INFINITY } = {}) {
    this.signer = ed25519NoteSigner(origin, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(seed)));
    this.vkey = formatVkey(this.signer.key);
    const leaves = exampleLeafHashes(LEAVES).map((hash, i) => (i < forkAt ? hash : Buffer.from(hash).reverse()));
    this.tree = new NaiveTree(leaves);
  }

  checkpoint(size: number, signers: readonly NoteSigner[] = [this.signer]): string {
    return signCheckpoint({ origin: this.signer.key.name, size, root: this.tree.root(size) }, signers);
  }

  body(oldSize: number, size: number): string {
    return formatAddCheckpoint({ oldSize, proof: this.tree.proof(oldSize, size), checkpoint: this.checkpoint(size) });
  }

  /** As the service's own log gives it. */
  consistencyProof(first: number, second: number): string[] {
    return this.tree.proof(first, second).map((hash) => hash.toString('base64'));
  }
}

/** The body with one bit of its first proof hash changed. */
export function withFlippedProofBit(body: string): string {
  const [old = '', hash = '', ...rest] = body.split('\n');
  const bytes = Buffer.from(hash, 'base64');
  bytes[7] = (bytes[7] as number) ^ 0x10;
  return [old, bytes.toString('base64'), ...rest].join('\n');
}
