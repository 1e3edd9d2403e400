import { addressOfPublicKey, domainSeparator, transferDigest } from './authorization-digest.ts';
import { hexOf } from './hex.ts';

import { openSystemSecp256k1 } from './system-secp256k1.ts';

/** A signature that the token can take. */
export interface EcdsaSignature {
  /** r and s. */
  readonly compact: Uint8Array;
  readonly recovery: 0 | 1;
}

type RecoverEngineName = 'libsecp256k1' | 'tiny-secp256k1' | '@noble/curves';

/** Finds the public key that made a signature: the one costly step of checking a payment. Signs too. */
export interface RecoverEngine {
  readonly name: RecoverEngineName;
  /** What does the work, for people: the file of the library, the kind of code. */
  readonly detail: string;
  /** The uncompressed key, or undefined for an r and s that no key can have made. High s is recovered too. */
  recover(digest: Uint8Array, compact: Uint8Array, recovery: 0 | 1): Uint8Array | undefined;
  /** The same bytes from every engine (RFC 6979), with a low s. */
  sign(digest: Uint8Array, secret: Uint8Array): EcdsaSignature;
}

/** `auto` takes the library of the machine where there is a good one, `wasm` loads no native code. */
export type RecoverChoice = 'auto' | 'wasm';

type Loader = readonly [name: RecoverEngineName, load: () => Promise<RecoverEngine>];

/** Fastest first. */
const PORTABLE: readonly Loader[] = [
  ['tiny-secp256k1', wasmEngine],
  ['@noble/curves', scriptEngine],
];
const LOADERS: Readonly<Record<RecoverChoice, readonly Loader[]>> = {
  auto: [['libsecp256k1', systemEngine], ...PORTABLE],
  wasm: PORTABLE,
};

async function systemEngine(): Promise<RecoverEngine> {
  const library = openSystemSecp256k1();
  return withFallback(
    {
      name: 'libsecp256k1',
      detail: library.file,
      recover: (...of) => library.recover(...of),
      sign(digest, secret) {
        const { compact, recovery } = library.sign(digest, secret);
        return signatureOf(compact, recovery);
      },
    },
    await chooseRecoverEngine('wasm'),
  );
}

async function wasmEngine(): Promise<RecoverEngine> {
  const { recover, signRecoverable } = await import('tiny-secp256k1');
  return {
    name: 'tiny-secp256k1',
    detail: 'WebAssembly',
    recover: (digest, compact, recovery) => orUndefined(() => recover(digest, compact, recovery, false) ?? undefined),
    sign(digest, secret) {
      const { signature, recoveryId } = signRecoverable(digest, secret);
      return signatureOf(signature, recoveryId);
    },
  };
}

async function scriptEngine(): Promise<RecoverEngine> {
  const { secp256k1 } = await import('@noble/curves/secp256k1.js');
  return {
    name: '@noble/curves',
    detail: 'JavaScript',
    recover: (digest, compact, recovery) =>
      orUndefined(() => {
        const recovered = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery);
        return recovered.recoverPublicKey(digest).toBytes(false);
      }),
    sign(digest, secret) {
      const bytes = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
      return signatureOf(bytes.subarray(1), bytes[0]);
    },
  };
}

/** What an engine throws at is done by the other one: a fault of the machine must not make a good payment a bad one. */
export function withFallback(engine: RecoverEngine, fallback: RecoverEngine): RecoverEngine {
  const orElse = <T>(work: () => T, other: () => T): T => {
    try {
      return work();
    } catch {
      return other();
    }
  };
  return {
    name: engine.name,
    detail: engine.detail,
    recover: (...of) =>
      orElse(
        () => engine.recover(...of),
        () => fallback.recover(...of),
      ),
    sign: (...of) =>
      orElse(
        () => engine.sign(...of),
        () => fallback.sign(...of),
      ),
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

/** An engine that works, or why there is none of this name. */
export type TriedEngine =
  | { readonly name: RecoverEngineName; readonly engine: RecoverEngine }
  | { readonly name: RecoverEngineName; readonly engine: undefined; readonly fault: string };

async function tried([name, load]: Loader): Promise<TriedEngine> {
  try {
    const engine = await load();
    if (passesSelfTest(engine)) return { name, engine };
    return { name, engine: undefined, fault: `${engine.detail} does not pass the self-test` };
  } catch (error) {
    return { name, engine: undefined, fault: (error as Error).message };
  }
}

/** Every engine, fastest first, as it loads on this machine and passes the self-test. */
export function tryRecoverEngines(choice: RecoverChoice): Promise<TriedEngine[]> {
  return Promise.all(LOADERS[choice].map(tried));
}

const chosen = new Map<RecoverChoice, Promise<RecoverEngine>>();

/**
 * The fastest engine of the choice, found once in a process. Native code is loaded only where it is asked for.
 * Every caller gets a promise of its own: whoever awaited a shared one would go on in the async context of the first.
 */
export async function chooseRecoverEngine(choice: RecoverChoice = 'wasm'): Promise<RecoverEngine> {
  const engine = chosen.get(choice) ?? choose(choice);
  chosen.set(choice, engine);
  return engine;
}

async function choose(choice: RecoverChoice): Promise<RecoverEngine> {
  for (const loader of LOADERS[choice]) {
    const { engine } = await tried(loader);
    if (engine !== undefined) return engine;
  }
  throw new Error('no engine recovers the signature of the self-test');
}

/** A published development key's signature, whose account is known; and one that nobody can have made. */
const SELF_TEST = {
  secret: Buffer.from('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d', 'hex'),
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
  const { compact, recovery, signer, secret } = SELF_TEST;
  const signed = engine.sign(digest, secret);
  if (signed.recovery !== recovery || Buffer.compare(signed.compact, compact) !== 0) return false;
  const publicKey = engine.recover(digest, compact, recovery);
  if (publicKey === undefined || addressOfPublicKey(publicKey) !== signer) return false;
  const other = engine.recover(digest, compact, 0);
  if (other === undefined || addressOfPublicKey(other) === signer) return false;
  return engine.recover(digest, new Uint8Array(64), 0) === undefined;
}
