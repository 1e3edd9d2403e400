import { secp256k1 } from '@noble/curves/secp256k1.js';
import { addressOfPublicKey, domainSeparator, transferDigest } from './authorization-digest.ts';
import { hexOf } from './hex.ts';
import type { EcdsaSignature } from './signature.ts';

type RecoverEngineName = 'secp256k1' | 'tiny-secp256k1' | '@noble/curves';

/** Finds the public key that made a signature: the one costly step of checking a payment. Signs too. */
export interface RecoverEngine {
  readonly name: RecoverEngineName;
  /** The uncompressed key, or undefined for an r and s that no key can have made. High s is recovered too. */
  recover(digest: Uint8Array, compact: Uint8Array, recovery: 0 | 1): Uint8Array | undefined;
  /** The same bytes from every engine (RFC 6979), with a low s. */
  sign(digest: Uint8Array, secret: Uint8Array): EcdsaSignature;
}

interface NativeBinding {
  ecdsaSign(digest: Uint8Array, secret: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(signature: Uint8Array, recovery: number, digest: Uint8Array, isCompressed: boolean): Uint8Array;
}

/** Fastest first. The package root of secp256k1 falls back to slow JavaScript without a word; its bindings do not. */
const LOADERS: readonly (() => Promise<RecoverEngine>)[] = [nativeEngine, wasmEngine, () => Promise.resolve(NOBLE)];

const NOBLE: RecoverEngine = {
  name: '@noble/curves',
  recover(digest, compact, recovery) {
    return orUndefined(() => {
      const recovered = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery);
      return recovered.recoverPublicKey(digest).toBytes(false);
    });
  },
  sign(digest, secret) {
    const bytes = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
    return signatureOf(bytes.subarray(1), bytes[0]);
  },
};

async function nativeEngine(): Promise<RecoverEngine> {
  const specifier = 'secp256k1/bindings.js';
  const binding = ((await import(specifier)) as { default: NativeBinding }).default;
  return {
    name: 'secp256k1',
    recover: (digest, compact, recovery) => orUndefined(() => binding.ecdsaRecover(compact, recovery, digest, false)),
    sign(digest, secret) {
      const { signature, recid } = binding.ecdsaSign(digest, secret);
      return signatureOf(signature, recid);
    },
  };
}

async function wasmEngine(): Promise<RecoverEngine> {
  const { recover, signRecoverable } = await import('tiny-secp256k1');
  return {
    name: 'tiny-secp256k1',
    recover: (digest, compact, recovery) => orUndefined(() => recover(digest, compact, recovery, false) ?? undefined),
    sign(digest, secret) {
      const { signature, recoveryId } = signRecoverable(digest, secret);
      return signatureOf(signature, recoveryId);
    },
  };
}

function signatureOf(compact: Uint8Array, recovery: number | undefined): EcdsaSignature {
  if (recovery !== 0 && recovery !== 1) throw new Error('a signature that happens once in 2^127 times');
  return { compact, recovery };
}

/** The engines throw for r or s outside their range, and for an r that is no point of the curve. */
function orUndefined(work: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Every engine that loads on this machine and passes the self-test, fastest first. */
export async function workingRecoverEngines(): Promise<RecoverEngine[]> {
  const engines: RecoverEngine[] = [];
  for (const load of LOADERS) {
    const engine = await load().catch(() => undefined);
    if (engine !== undefined && passesSelfTest(engine)) engines.push(engine);
  }
  return engines;
}

/** The fastest engine of this machine. */
export async function chooseRecoverEngine(): Promise<RecoverEngine> {
  for (const load of LOADERS) {
    const engine = await load().catch(() => undefined);
    if (engine !== undefined && passesSelfTest(engine)) return engine;
  }
  throw new Error('no engine recovers the signature of the self-test');
}

/** A published development key's signature, whose account is known; and one that nobody can have made. */
const SELF_TEST = {
  signer: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  compact: Buffer.from(
    '107a458044facc08300dc1a78bf9d1a154220870a609f21e7a3dea96e4b493ff4aa91edcaca549ab54ddb4d6e62df826296133f6e2eafbe6f29d0fa3927eaf59',
    'hex',
  ),
  recovery: 1,
} as const;

export function passesSelfTest(engine: RecoverEngine): boolean {
  const separator = domainSeparator({
    name: 'Sandbox USDC',
    version: '2',
    chainId: 8453,
    verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  });
  const digest = transferDigest(separator, {
    from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    value: 2000n,
    validAfter: 0n,
    validBefore: 1893456000n,
    nonce: hexOf(Buffer.from('0123456789abcdef'.repeat(4), 'hex')),
  });
  const { compact, recovery, signer } = SELF_TEST;
  const publicKey = engine.recover(digest, compact, recovery);
  if (publicKey === undefined || addressOfPublicKey(publicKey) !== signer) return false;
  const other = engine.recover(digest, compact, 0);
  if (other === undefined || addressOfPublicKey(other) === signer) return false;
  return engine.recover(digest, new Uint8Array(64), 0) === undefined;
}
