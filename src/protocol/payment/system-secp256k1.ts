import type * as ffi from 'node:ffi';
import { randomBytes } from '#kernel/ids.ts';

/** What libsecp256k1 of this machine does. A throw is a fault of the library or of the way to it, never a bad signature. */
export interface SystemSecp256k1 {
  /** The library as it was asked for. */
  readonly file: string;
  /** The uncompressed key, or undefined for an r and s that no key can have made. */
  recover(digest: Uint8Array, compact: Uint8Array, recovery: 0 | 1): Uint8Array | undefined;
  sign(digest: Uint8Array, secret: Uint8Array): { readonly compact: Uint8Array; readonly recovery: number };
}

/** Newest first: 0.7, then 0.3 to 0.6, 0.2 and 0.1. What is called here has the same form in all of them. */
const LIBRARIES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['libsecp256k1.so.6', 'libsecp256k1.so.2', 'libsecp256k1.so.1', 'libsecp256k1.so.0'],
  darwin: ['libsecp256k1.dylib', '/opt/homebrew/lib/libsecp256k1.dylib'],
};

const FUNCTIONS = {
  secp256k1_context_create: { arguments: ['uint32'], return: 'pointer' },
  secp256k1_context_randomize: { arguments: ['pointer', 'buffer'], return: 'int32' },
  secp256k1_ecdsa_recoverable_signature_parse_compact: {
    arguments: ['pointer', 'buffer', 'buffer', 'int32'],
    return: 'int32',
  },
  secp256k1_ecdsa_recover: { arguments: ['pointer', 'buffer', 'buffer', 'buffer'], return: 'int32' },
  secp256k1_ec_pubkey_serialize: { arguments: ['pointer', 'buffer', 'buffer', 'buffer', 'uint32'], return: 'int32' },
  secp256k1_ecdsa_sign_recoverable: {
    arguments: ['pointer', 'buffer', 'buffer', 'buffer', 'pointer', 'pointer'],
    return: 'int32',
  },
  secp256k1_ecdsa_recoverable_signature_serialize_compact: {
    arguments: ['pointer', 'buffer', 'buffer', 'buffer'],
    return: 'int32',
  },
} as const;

/** Flags of secp256k1.h: a context that verifies and signs, which 0.1 needs and later ones take; a key of 65 bytes. */
const CONTEXT_VERIFY_AND_SIGN = 0x301;
const EC_UNCOMPRESSED = 2;
const OPAQUE_SIGNATURE_BYTES = 65;
const OPAQUE_KEY_BYTES = 64;
const KEY_BYTES = 65;
const WORD = 32;

type Library = ReturnType<typeof ffi.dlopen<typeof FUNCTIONS>>;

/** Loads the library; throws where Node has no `node:ffi`, or where the machine has no such library. */
export function openSystemSecp256k1(): SystemSecp256k1 {
  const { dlopen } = quietFfi();
  const faults = new Set<string>();
  for (const file of LIBRARIES[process.platform] ?? []) {
    try {
      return bound(file, dlopen(file, FUNCTIONS));
    } catch (error) {
      const { message } = error as Error;
      if (!/no such file/i.test(message)) faults.add(message);
    }
  }
  throw new Error(faults.size === 0 ? 'not installed' : [...faults].join('; '));
}

/** `node:ffi` without the warning that it is experimental: whoever it fails for has the other engines. */
function quietFfi(): typeof ffi {
  const kept = Object.getOwnPropertyDescriptor(process, 'emitWarning') as PropertyDescriptor;
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...more: never[]) => {
    if (!String(warning).startsWith('FFI is an experimental feature')) emitWarning(warning, ...more);
  };
  try {
    return process.getBuiltinModule('node:ffi');
  } finally {
    Object.defineProperty(process, 'emitWarning', kept);
  }
}

/**
 * The library reads and writes as many bytes as its header says, whatever it is handed: every length is checked here.
 * The buffers are those of one call at a time, since no call waits.
 */
function bound(file: string, { functions }: Library): SystemSecp256k1 {
  const context = functions.secp256k1_context_create(CONTEXT_VERIFY_AND_SIGN);
  if (!context) throw new Error(`${file} gives no context`);
  // Blinds the arithmetic on private keys; the signatures stay those of RFC 6979.
  if (functions.secp256k1_context_randomize(context, randomBytes(WORD)) !== 1)
    throw new Error(`${file} is not blinded`);
  const signature = Buffer.alloc(OPAQUE_SIGNATURE_BYTES);
  const key = Buffer.alloc(OPAQUE_KEY_BYTES);
  const length = new BigUint64Array(1);
  const recoveryId = new Int32Array(1);
  return {
    file,
    recover(digest, compact, recovery) {
      if (digest.length !== WORD || compact.length !== 2 * WORD || (recovery !== 0 && recovery !== 1)) return undefined;
      const isRead = functions.secp256k1_ecdsa_recoverable_signature_parse_compact(
        context,
        signature,
        compact,
        recovery,
      );
      if (isRead !== 1 || functions.secp256k1_ecdsa_recover(context, key, signature, digest) !== 1) return undefined;
      const publicKey = new Uint8Array(KEY_BYTES);
      length[0] = BigInt(KEY_BYTES);
      functions.secp256k1_ec_pubkey_serialize(context, publicKey, length, key, EC_UNCOMPRESSED);
      return publicKey;
    },
    sign(digest, secret) {
      if (digest.length !== WORD || secret.length !== WORD) throw new TypeError('digest and key are 32 bytes each');
      const isSigned = functions.secp256k1_ecdsa_sign_recoverable(context, signature, digest, secret, null, null);
      if (isSigned !== 1) throw new TypeError('the private key is none of the curve');
      const compact = new Uint8Array(2 * WORD);
      functions.secp256k1_ecdsa_recoverable_signature_serialize_compact(context, compact, recoveryId, signature);
      return { compact, recovery: recoveryId[0] as number };
    },
  };
}
