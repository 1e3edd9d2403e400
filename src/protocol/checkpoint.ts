import { type LogInteger, logInteger, parseDecimal, parseHash, readText, toBase64 } from './log-text.ts';
import { requireHash } from './merkle.ts';
import { formatNote, type NoteSigner, type NoteVerifier, parseNote, type VerifiedNote, verifyNote } from './note.ts';
import { isKeyName } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

/** Longer than any origin in use; a line must end somewhere. */
const MAX_CHECKPOINT_BYTES = 4_096;
// oxlint-disable-next-line no-control-regex -- control characters are what it must find
const CHECKPOINT = /^([^\u0000-\u001f]+)\n([0-9]{1,19})\n([A-Za-z0-9+/=]{44})\n$/;

export interface Checkpoint {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array;
}

/** C2SP tlog-checkpoint with exactly three lines: extension lines are not covered by every cosignature, so none may be. */
export function parseCheckpoint(input: string | Uint8Array): Checkpoint {
  // attacker-controlled
  const lines = CHECKPOINT.exec(readText(input, MAX_CHECKPOINT_BYTES, 'checkpoint_malformed'));
  const [, origin, sizeText = '', rootText = ''] = lines ?? [];
  const size = parseDecimal(sizeText);
  const root = parseHash(rootText);
  if (origin === undefined || size === undefined || root === undefined) {
    throw new ProtocolError('checkpoint_malformed', 'not origin, size and root on exactly three lines');
  }
  return { origin, size, root };
}

/** The text to sign. An origin of ours is also the key name of the log, so it follows the rules of key names. */
export function formatCheckpoint(checkpoint: { origin: string; size: LogInteger; root: Uint8Array }): string {
  const { origin, root } = checkpoint;
  const size = logInteger(checkpoint.size);
  if (!isKeyName(origin)) throw new ProtocolError('argument_invalid', 'the origin is not a key name');
  if (size === undefined) throw new ProtocolError('argument_invalid', 'the size is not an integer from 0 to 2^63-1');
  requireHash(root);
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** The signed note, ready to be answered. Whoever signs has made sure that no other tree of that size was ever signed. */
export function signCheckpoint(
  checkpoint: { origin: string; size: LogInteger; root: Uint8Array },
  signers: readonly NoteSigner[],
): string {
  const text = formatCheckpoint(checkpoint);
  return formatNote({ text, signatures: signers.map((signer) => signer.sign(text)) });
}

export interface VerifiedCheckpoint extends VerifiedNote {
  readonly checkpoint: Checkpoint;
}

/** Reads a checkpoint that one of the known keys of its own origin signed; cosignatures alone are not enough. */
export function verifyCheckpoint(input: string | Uint8Array, verifiers: readonly NoteVerifier[]): VerifiedCheckpoint {
  // attacker-controlled
  const note = verifyNote(parseNote(input), verifiers);
  const checkpoint = parseCheckpoint(note.text);
  if (!note.verified.some(({ key }) => key.name === checkpoint.origin)) {
    throw new ProtocolError('origin_unsigned', 'no known key of the origin signed the checkpoint');
  }
  return { ...note, checkpoint };
}
