import type { KeyObject } from 'node:crypto';
import { parseCheckpoint } from './checkpoint.ts';
import { ed25519PublicBytes, ed25519Sign, ed25519Verify } from './ed25519.ts';
import { type LogInteger, logInteger, textBytes } from './log-text.ts';
import { requireHash } from './merkle.ts';
import { mlDsa44PublicBytes, mlDsa44Sign, mlDsa44Verify } from './ml-dsa.ts';
import { ed25519NoteVerifier, type NoteSignature, type NoteVerifier, type SignatureVerdict } from './note.ts';
import {
  C2SP_COSIGNATURE_ED25519,
  C2SP_COSIGNATURE_ML_DSA_44,
  C2SP_NOTE_ED25519,
  type NoteKey,
  noteKey,
  publicKeyOf,
} from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

const C2SP_COSIGNATURE_V1_HEADER = 'cosignature/v1';
const C2SP_SUBTREE_V1_LABEL = Buffer.from('subtree/v1\n\0');
const TIME_BYTES = 8;
/** How far the clock of a cosigner may be ahead of ours. */
const MAX_SKEW_SECONDS = 60n;

/** The bytes that an Ed25519 cosigner signs. They do not hold its name: no key may serve two cosigners. */
export function cosignatureV1Message(text: string, timeSeconds: LogInteger): Uint8Array {
  const header = `${C2SP_COSIGNATURE_V1_HEADER}\ntime ${requireInteger(timeSeconds)}\n`;
  return Buffer.concat([Buffer.from(header), textBytes(text)]);
}

export interface SubtreeStatement {
  readonly cosignerName: string;
  readonly timeSeconds: LogInteger;
  readonly origin: string;
  readonly start: LogInteger;
  readonly end: LogInteger;
  readonly root: Uint8Array;
}

/** The bytes that an ML-DSA-44 cosigner signs. A subtree that does not start the log carries no time. */
export function subtreeV1Message(statement: SubtreeStatement): Uint8Array {
  const { cosignerName, timeSeconds, origin, start, end, root } = statement;
  requireHash(root);
  if (requireInteger(start) !== 0n && requireInteger(timeSeconds) !== 0n) {
    throw new ProtocolError('argument_invalid', 'a subtree that does not start at 0 carries no time');
  }
  return Buffer.concat([
    C2SP_SUBTREE_V1_LABEL,
    opaque8(cosignerName),
    uint64(timeSeconds),
    opaque8(origin),
    uint64(start),
    uint64(end),
    root,
  ]);
}

/** RFC 8446 section 3.4: one byte of length, then 1 to 255 bytes. */
function opaque8(text: string): Uint8Array {
  const bytes = textBytes(text);
  if (bytes.length === 0 || bytes.length > 255) throw new ProtocolError('argument_invalid', 'not 1 to 255 bytes');
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
}

function uint64(value: LogInteger): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(requireInteger(value));
  return bytes;
}

function requireInteger(value: LogInteger): bigint {
  const integer = logInteger(value);
  if (integer === undefined) throw new ProtocolError('argument_invalid', 'not an integer from 0 to 2^63-1');
  return integer;
}

/** A key of a witness, or the ML-DSA-44 key of the log itself, which cosigns under the name of its origin. */
export interface Cosigner {
  readonly key: NoteKey;
  /** Signs the text of a checkpoint as seen at that time, which is not zero. */
  cosign(text: string, timeSeconds: LogInteger): NoteSignature;
}

export function ed25519Cosigner(name: string, privateKey: KeyObject): Cosigner {
  const key = noteKey(name, C2SP_COSIGNATURE_ED25519, ed25519PublicBytes(publicKeyOf(privateKey, 'ed25519')));
  return cosignerOf(key, (message) => ed25519Sign(privateKey, message));
}

export function mlDsa44Cosigner(name: string, privateKey: KeyObject): Cosigner {
  const key = noteKey(name, C2SP_COSIGNATURE_ML_DSA_44, mlDsa44PublicBytes(publicKeyOf(privateKey, 'ml-dsa-44')));
  return cosignerOf(key, (message) => mlDsa44Sign(privateKey, message));
}

function cosignerOf(key: NoteKey, sign: (message: Uint8Array) => Uint8Array): Cosigner {
  return {
    key,
    cosign: (text, timeSeconds) => {
      parseCheckpoint(text);
      if (requireInteger(timeSeconds) === 0n) throw new ProtocolError('argument_invalid', 'a cosignature has a time');
      const signature = Buffer.concat([uint64(timeSeconds), sign(messageOf(key, text, timeSeconds))]);
      return { name: key.name, keyId: key.keyId, signature };
    },
  };
}

function messageOf(key: NoteKey, text: string, timeSeconds: LogInteger): Uint8Array {
  if (key.type !== C2SP_COSIGNATURE_ML_DSA_44) return cosignatureV1Message(text, timeSeconds);
  const { origin, size, root } = parseCheckpoint(text);
  return subtreeV1Message({ cosignerName: key.name, timeSeconds, origin, start: 0, end: size, root });
}

/** The verifier of any supported key for the text of a checkpoint, at a time on the verifier's clock. */
export function checkpointVerifier(key: NoteKey, nowSeconds: LogInteger): NoteVerifier {
  const latest = requireInteger(nowSeconds) + MAX_SKEW_SECONDS;
  switch (key.type) {
    case C2SP_NOTE_ED25519:
      return ed25519NoteVerifier(key);
    case C2SP_COSIGNATURE_ED25519:
      return { key, verify: (text, blob) => judge(key, { text, blob, latest }, ed25519Verify) };
    case C2SP_COSIGNATURE_ML_DSA_44:
      return { key, verify: (text, blob) => judge(key, { text, blob, latest }, mlDsa44Verify) };
    default:
      throw new ProtocolError('key_type_unsupported', 'a key type other than 1, 4 and 6');
  }
}

interface Cosignature {
  readonly text: string;
  readonly blob: Uint8Array;
  /** Seconds from which on a time lies in the future. */
  readonly latest: bigint;
}

function judge(key: NoteKey, { text, blob, latest }: Cosignature, verify: typeof ed25519Verify): SignatureVerdict {
  const timeSeconds = timeOf(blob);
  const message = timeSeconds === undefined ? undefined : messageIfAny(key, text, timeSeconds);
  if (timeSeconds === undefined || message === undefined) return { result: 'bad' };
  if (!verify(key.publicKey, message, blob.subarray(TIME_BYTES))) return { result: 'bad' };
  return timeSeconds > latest ? { result: 'future' } : { result: 'good', timeSeconds };
}

/** The time in front of a cosignature of a checkpoint: not 0, and C2SP forbids more than 2^63-1. */
function timeOf(blob: Uint8Array): bigint | undefined {
  // attacker-controlled
  if (blob.length < TIME_BYTES) return undefined;
  return logInteger(Buffer.from(blob.subarray(0, TIME_BYTES)).readBigUInt64BE()) || undefined;
}

/** Undefined where the text is none that the key could have cosigned. */
function messageIfAny(key: NoteKey, text: string, timeSeconds: bigint): Uint8Array | undefined {
  try {
    return messageOf(key, text, timeSeconds);
  } catch {
    return undefined;
  }
}
