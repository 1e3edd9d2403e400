import { addressOfPublicKey } from './authorization-digest.ts';
import { bytesOfHex, type Hex } from './hex.ts';
import type { EcdsaSignature, RecoverEngine } from './recover-engine.ts';

const SIGNATURE_HEX = /^0x[0-9a-fA-F]{130}$/;
/** EIP-2: of the two signatures of one message the token takes the one whose s is in the lower half. */
const EIP2_MAX_S = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');
const RECOVERY_OF_V: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 };

/** True for r, s and v in 65 bytes: other forms belong to smart wallets. */
export function isEcdsaSignatureForm(signature: string): signature is Hex {
  return SIGNATURE_HEX.test(signature);
}

/** Reads r, s, v; undefined when s is high or v is none of 0, 1, 27, 28: no such signature passes the token. */
export function parseEcdsaSignature(signature: Hex): EcdsaSignature | undefined {
  const bytes = bytesOfHex(signature); // attacker-controlled
  const recovery = RECOVERY_OF_V[bytes[64] as number];
  const compact = bytes.subarray(0, 64);
  if (recovery === undefined || Buffer.compare(compact.subarray(32), EIP2_MAX_S) > 0) return undefined;
  return { compact, recovery };
}

/** v as the token takes it. */
export function tokenV({ recovery }: EcdsaSignature): 27 | 28 {
  return recovery === 0 ? 27 : 28;
}

/** The account that signed the digest, in lower case; undefined when no account can have. */
export function recoverSigner(engine: RecoverEngine, digest: Uint8Array, signature: EcdsaSignature): Hex | undefined {
  const publicKey = engine.recover(digest, signature.compact, signature.recovery);
  return publicKey === undefined ? undefined : addressOfPublicKey(publicKey);
}
