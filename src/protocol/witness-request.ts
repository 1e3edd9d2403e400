import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import {
  C2SP_MAX_PROOF_HASHES,
  type LogInteger,
  logInteger,
  parseDecimal,
  parseHash,
  readText,
  toBase64,
} from './log-text.ts';
import { requireHash } from './merkle.ts';
import { MAX_NOTE_BYTES, parseNote, type SignedNote } from './note.ts';
import { ProtocolError } from './protocol-error.ts';

const MAX_REQUEST_BYTES = MAX_NOTE_BYTES + 10_000;

/** A request to a witness that has been read: well-formed, and nothing more. */
export interface AddCheckpointRequest {
  readonly oldSize: bigint;
  /** From the old size to that of the checkpoint. */
  readonly proof: readonly Uint8Array[];
  /** Not verified. */
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

/** C2SP tlog-witness add-checkpoint: old size, consistency proof, blank line, checkpoint. */
export function parseAddCheckpoint(body: string | Uint8Array): AddCheckpointRequest {
  // attacker-controlled
  const text = readText(body, MAX_REQUEST_BYTES, 'request_malformed');
  const end = text.indexOf('\n\n');
  if (end === -1) throw malformed('no blank line before the checkpoint');
  const [oldLine = '', ...hashes] = text.slice(0, end).split('\n');
  const oldSize = oldLine.startsWith('old ') ? parseDecimal(oldLine.slice('old '.length)) : undefined;
  if (oldSize === undefined) throw malformed('the first line is not the old size');
  if (hashes.length > C2SP_MAX_PROOF_HASHES) throw malformed(`more than ${C2SP_MAX_PROOF_HASHES} hashes`);
  const proof = hashes.map((line) => {
    const hash = parseHash(line);
    if (hash === undefined) throw malformed('a line of the proof is not a hash');
    return hash;
  });
  const note = parseNote(text.slice(end + 2));
  return { oldSize, proof, note, checkpoint: parseCheckpoint(note.text) };
}

function malformed(detail: string): ProtocolError {
  return new ProtocolError('request_malformed', detail);
}

/** The body that asks a witness to cosign the checkpoint note. */
export function formatAddCheckpoint(request: {
  readonly oldSize: LogInteger;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: string;
}): string {
  const oldSize = logInteger(request.oldSize);
  if (oldSize === undefined)
    throw new ProtocolError('argument_invalid', 'the old size is not an integer from 0 to 2^63-1');
  if (typeof request.checkpoint !== 'string') throw new ProtocolError('argument_invalid', 'the checkpoint is a text');
  if (request.proof.length > C2SP_MAX_PROOF_HASHES) throw new ProtocolError('argument_invalid', 'too many hashes');
  const lines = request.proof.map((hash) => {
    requireHash(hash);
    return `${toBase64(hash)}\n`;
  });
  return `old ${oldSize}\n${lines.join('')}\n${request.checkpoint}`;
}
