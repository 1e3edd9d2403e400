import type { KeyObject } from 'node:crypto';
import { ed25519PublicBytes, ed25519Sign, ed25519Verify } from './ed25519.ts';
import { parseBase64, readText, textBytes, toBase64 } from './log-text.ts';
import { C2SP_NOTE_ED25519, isKeyName, type NoteKey, noteKey, noteKeyLabel, publicKeyOf } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

/** The same bound as Go's note package; 64 ML-DSA-44 lines take a fifth of it. */
export const MAX_NOTE_BYTES = 1_000_000;
/** C2SP asks for at least 16 and for a bound. */
const MAX_SIGNATURES = 64;
const KEY_ID_BYTES = 4;
const KEY_ID = /^[0-9a-f]{8}$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it must find
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f]/;
const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)$/;

export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  /** What follows the key id. */
  readonly signature: Uint8Array;
}

/** A note that has been read, not verified: its text means nothing yet. */
export interface SignedNote {
  /** With its final newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** C2SP signed-note: text, blank line, signature lines. The last blank line separates them. */
export function parseNote(input: string | Uint8Array): SignedNote {
  // attacker-controlled
  const note = readText(input, MAX_NOTE_BYTES, 'note_malformed');
  if (FORBIDDEN.test(note)) throw new ProtocolError('note_malformed', 'a control character');
  const end = note.lastIndexOf('\n\n');
  if (end === -1) throw new ProtocolError('note_malformed', 'no blank line before the signatures');
  return { text: note.slice(0, end + 1), signatures: parseSignatureLines(note.slice(end + 2)) };
}

/** One or more signature lines, as they end a note and as a witness answers them. */
export function parseSignatureLines(input: string | Uint8Array): NoteSignature[] {
  // attacker-controlled
  const lines = readText(input, MAX_NOTE_BYTES, 'note_malformed').split('\n');
  if (lines.pop() !== '') throw new ProtocolError('note_malformed', 'the last line does not end');
  if (lines.length === 0) throw new ProtocolError('note_malformed', 'no signature');
  if (lines.length > MAX_SIGNATURES) throw new ProtocolError('too_many_signatures', `more than ${MAX_SIGNATURES}`);
  return lines.map(parseSignatureLine);
}

function parseSignatureLine(line: string): NoteSignature {
  const [, name, base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const blob = parseBase64(base64);
  if (!isKeyName(name) || blob === undefined || blob.length <= KEY_ID_BYTES) {
    throw new ProtocolError('note_malformed', 'a line that is not a signature');
  }
  const keyId = Buffer.from(blob.subarray(0, KEY_ID_BYTES)).toString('hex');
  return { name, keyId, signature: blob.subarray(KEY_ID_BYTES) };
}

export function formatSignatureLine({ name, keyId, signature }: NoteSignature): string {
  if (!isKeyName(name) || !KEY_ID.test(keyId) || !(signature instanceof Uint8Array) || signature.length === 0) {
    throw new ProtocolError('argument_invalid', 'a signature line has a name, a key id and a signature');
  }
  return `\u2014 ${name} ${toBase64(Buffer.concat([Buffer.from(keyId, 'hex'), signature]))}\n`;
}

/** Writes a note that parses to the same text and signatures. */
export function formatNote({ text, signatures }: SignedNote): string {
  if (typeof text !== 'string' || !text.endsWith('\n') || FORBIDDEN.test(text) || !text.isWellFormed()) {
    throw new ProtocolError('note_malformed', 'the text must end in a newline and have no other control character');
  }
  if (signatures.length === 0) throw new ProtocolError('note_malformed', 'no signature');
  return `${text}\n${signatures.map(formatSignatureLine).join('')}`;
}

/** What a key says of one signature. A cosignature of the future is neither good nor forged. */
export type SignatureVerdict =
  | { readonly result: 'good'; readonly timeSeconds: bigint | null }
  | { readonly result: 'bad' }
  | { readonly result: 'future' };

/** A known key and its way of verifying. */
export interface NoteVerifier {
  readonly key: NoteKey;
  verify(text: string, signature: Uint8Array): SignatureVerdict;
}

export interface VerifiedSignature {
  readonly key: NoteKey;
  /** Time of a cosignature; null for a signature without one. */
  readonly timeSeconds: bigint | null;
}

export interface VerifiedNote {
  readonly text: string;
  /** At least one; every key once, with its first signature. */
  readonly verified: readonly VerifiedSignature[];
  /** Signatures by unknown keys, and cosignatures from the future. */
  readonly ignored: readonly NoteSignature[];
}

/** The text becomes trusted: some known key signed it, and no signature in the name of a known key is forged. */
export function verifyNote(note: SignedNote, verifiers: readonly NoteVerifier[]): VerifiedNote {
  const known = verifiersByLabel(verifiers);
  const verified = new Map<string, VerifiedSignature>();
  const ignored: NoteSignature[] = [];
  for (const signature of note.signatures) {
    const label = noteKeyLabel(signature);
    const verifier = known.get(label);
    const verdict = verifier?.verify(note.text, signature.signature);
    if (verdict?.result === 'bad') throw new ProtocolError('signature_invalid', 'the signature of a known key fails');
    if (verifier === undefined || verdict?.result !== 'good') ignored.push(signature);
    else if (!verified.has(label)) verified.set(label, { key: verifier.key, timeSeconds: verdict.timeSeconds });
  }
  if (verified.size === 0) throw new ProtocolError('signature_missing', 'no signature by a known key');
  return { text: note.text, verified: [...verified.values()], ignored };
}

function verifiersByLabel(verifiers: readonly NoteVerifier[]): Map<string, NoteVerifier> {
  const known = new Map(verifiers.map((verifier) => [noteKeyLabel(verifier.key), verifier]));
  if (known.size !== verifiers.length) throw new ProtocolError('key_duplicate', 'two known keys of one name and id');
  return known;
}

/** Verifier of type 0x01: Ed25519 over the text. */
export function ed25519NoteVerifier(key: NoteKey): NoteVerifier {
  if (key.type !== C2SP_NOTE_ED25519) throw new ProtocolError('key_type_unsupported', 'not a key of type 1');
  return {
    key,
    verify: (text, signature) =>
      ed25519Verify(key.publicKey, textBytes(text), signature)
        ? { result: 'good', timeSeconds: null }
        : { result: 'bad' },
  };
}

export interface NoteSigner {
  readonly key: NoteKey;
  sign(text: string): NoteSignature;
}

/** Signer of type 0x01. The same text always gets the same signature. */
export function ed25519NoteSigner(name: string, privateKey: KeyObject): NoteSigner {
  const key = noteKey(name, C2SP_NOTE_ED25519, ed25519PublicBytes(publicKeyOf(privateKey, 'ed25519')));
  return {
    key,
    sign: (text) => ({ name, keyId: key.keyId, signature: ed25519Sign(privateKey, textBytes(text)) }),
  };
}
