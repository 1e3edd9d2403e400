import { createPublicKey, hash, KeyObject } from 'node:crypto';
import { parseBase64, readText, toBase64 } from './log-text.ts';
import { ProtocolError } from './protocol-error.ts';

/** Signature type bytes of C2SP signed-note that this service signs and verifies. */
export const C2SP_NOTE_ED25519 = 0x01;
export const C2SP_COSIGNATURE_ED25519 = 0x04;
export const C2SP_COSIGNATURE_ML_DSA_44 = 0x06;

const PUBLIC_KEY_BYTES = {
  [C2SP_NOTE_ED25519]: 32,
  [C2SP_COSIGNATURE_ED25519]: 32,
  [C2SP_COSIGNATURE_ML_DSA_44]: 1312,
} as const;

export type NoteKeyType = keyof typeof PUBLIC_KEY_BYTES;

/** A key that notes are verified with. Name and id together name it in a signature line. */
export interface NoteKey {
  readonly name: string;
  readonly type: NoteKeyType;
  readonly publicKey: Uint8Array;
  /** First 4 bytes of SHA-256(name, newline, type, public key), in lower-case hex. */
  readonly keyId: string;
}

/** A name of 255 bytes and an ML-DSA-44 key are 2,020. */
const MAX_VKEY_BYTES = 4_096;
// oxlint-disable-next-line no-control-regex -- control characters are what it must find
const NOT_IN_A_NAME = /[\p{White_Space}+\u0000-\u001f]/u;
const VKEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/;

/** C2SP signed-note: not empty, no Unicode space, no plus; and nothing that no note may contain. */
export function isKeyName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.isWellFormed() && !NOT_IN_A_NAME.test(name);
}

export function noteKey(name: string, type: NoteKeyType, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name)) throw new ProtocolError('key_malformed', 'a key name has no space, no plus and is not empty');
  const length: number | undefined = PUBLIC_KEY_BYTES[type];
  if (length === undefined) throw new ProtocolError('key_type_unsupported', 'a key type other than 1, 4 and 6');
  if (!(publicKey instanceof Uint8Array) || publicKey.length !== length) {
    throw new ProtocolError('key_malformed', `a public key of type ${type} is ${length} bytes`);
  }
  const identity = Buffer.concat([Buffer.from(`${name}\n`), Uint8Array.of(type), publicKey]);
  return { name, type, publicKey, keyId: hash('sha256', identity, 'hex').slice(0, 8) };
}

/** The public half of a private key of that kind; nothing else may become a signer. */
export function publicKeyOf(privateKey: KeyObject, kind: 'ed25519' | 'ml-dsa-44'): KeyObject {
  const isRight =
    privateKey instanceof KeyObject && privateKey.type === 'private' && privateKey.asymmetricKeyType === kind;
  if (!isRight) throw new ProtocolError('argument_invalid', `not a private key of kind ${kind}`);
  return createPublicKey(privateKey);
}

/** Reads a C2SP vkey in its one canonical spelling; a key id that does not recompute is refused. */
export function parseVkey(input: string | Uint8Array): NoteKey {
  // attacker-controlled
  const [, name = '', keyId, keyText = ''] = VKEY.exec(readText(input, MAX_VKEY_BYTES, 'key_malformed')) ?? [];
  const bytes = parseBase64(keyText);
  const type = bytes?.[0];
  if (bytes === undefined || type === undefined) throw new ProtocolError('key_malformed', 'not name+id+base64');
  const key = noteKey(name, type as NoteKeyType, bytes.subarray(1));
  if (key.keyId !== keyId) throw new ProtocolError('key_id_mismatch', 'the key id is not that of name and key');
  return key;
}

export function formatVkey(key: NoteKey): string {
  return `${key.name}+${key.keyId}+${toBase64(Buffer.concat([Uint8Array.of(key.type), key.publicKey]))}`;
}

/** Two keys that share it cannot be told apart in a note. */
export function noteKeyLabel(key: { readonly name: string; readonly keyId: string }): string {
  return `${key.name}+${key.keyId}`;
}
