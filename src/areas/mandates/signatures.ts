import { canonicalJson } from '#kernel/canonical-json.ts';
import { ed25519Verify } from '#protocol/ed25519.ts';

/** `op` keeps the kinds of signed objects apart; a mandate's body can never hold it. */
export type SignedDeed = { readonly op: 'verify' | 'approve' | 'revoke' | 'narrow' | 'void' } & Readonly<
  Record<string, unknown>
>;

export function isSignedBy(publicKey: string, signed: object, signature: string): boolean {
  const message = Buffer.from(canonicalJson(signed));
  return ed25519Verify(Buffer.from(publicKey, 'base64'), message, Buffer.from(signature, 'base64'));
}
