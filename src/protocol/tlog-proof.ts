import type { Checkpoint } from './checkpoint.ts';
import {
  C2SP_MAX_PROOF_HASHES,
  HASH_BASE64_LENGTH,
  type LogInteger,
  logInteger,
  parseBase64,
  parseDecimal,
  parseHash,
  readText,
  toBase64,
} from './log-text.ts';
import { leafHash, requireHash, verifyInclusion } from './merkle.ts';
import { MAX_NOTE_BYTES } from './note.ts';
import { type TrustedCheckpoint, verifyPolicyCheckpoint } from './policy-checkpoint.ts';
import { ProtocolError } from './protocol-error.ts';
import type { WitnessPolicy } from './witness-policy.ts';

const C2SP_TLOG_PROOF_HEADER = 'c2sp.org/tlog-proof@v1';
/** A checkpoint, a path, and an entry of 65,535 bytes in base64 twice over. */
const MAX_PROOF_BYTES = MAX_NOTE_BYTES + 200_000;

/** A proof file that has been read, not verified. */
export interface TlogProof {
  /** Not authenticated by anything: bytes to ask about, never an answer. */
  readonly extra: Uint8Array | null;
  readonly index: bigint;
  readonly path: readonly Uint8Array[];
  /** The signed note, verbatim. */
  readonly checkpoint: string;
}

/** C2SP tlog-proof: header, optional extra data, index, inclusion path, blank line, checkpoint. */
export function parseTlogProof(input: string | Uint8Array): TlogProof {
  // attacker-controlled
  const text = readText(input, MAX_PROOF_BYTES, 'proof_malformed');
  const end = text.indexOf('\n\n');
  if (end === -1) throw malformed('no blank line before the checkpoint');
  const [header, ...lines] = text.slice(0, end).split('\n');
  if (header !== C2SP_TLOG_PROOF_HEADER) throw malformed(`the first line is not ${C2SP_TLOG_PROOF_HEADER}`);
  const extra = lines[0]?.startsWith('extra ') ? parseExtra(lines.shift() ?? '') : null;
  const [indexLine = '', ...hashes] = lines;
  const index = indexLine.startsWith('index ') ? parseDecimal(indexLine.slice('index '.length)) : undefined;
  if (index === undefined) throw malformed('no index');
  if (hashes.length > C2SP_MAX_PROOF_HASHES) throw malformed(`more than ${C2SP_MAX_PROOF_HASHES} hashes`);
  return { extra, index, path: hashes.map(parseHashLine), checkpoint: text.slice(end + 2) };
}

function parseExtra(line: string): Uint8Array {
  const extra = parseBase64(line.slice('extra '.length));
  // C2SP leaves the line out where there is no data.
  if (extra === undefined || extra.length === 0) throw malformed('the extra line is not base64');
  return extra;
}

function parseHashLine(line: string): Uint8Array {
  const hash = parseHash(line);
  if (hash === undefined) throw malformed('a line of the path is not a hash');
  return hash;
}

function malformed(detail: string): ProtocolError {
  return new ProtocolError('proof_malformed', detail);
}

export interface TlogProofParts {
  /** Our files carry the entry itself here. */
  readonly extra?: Uint8Array | null;
  readonly index: LogInteger;
  readonly path: readonly (Uint8Array | string)[];
  readonly checkpoint: string;
}

/** Writes a proof file; hashes may be given in base64 already. */
export function formatTlogProof({ extra, index, path, checkpoint }: TlogProofParts): string {
  const place = logInteger(index);
  if (place === undefined) throw new ProtocolError('argument_invalid', 'the index is not an integer from 0 to 2^63-1');
  if (!Array.isArray(path) || typeof checkpoint !== 'string') {
    throw new ProtocolError('argument_invalid', 'the path is a list and the checkpoint a text');
  }
  return tlogProofLines(extraText(extra ?? new Uint8Array(0)), place, path.map(hashText)).join('\n') + checkpoint;
}

/** The lines before the checkpoint, ASCII all of them, the last one empty: what joins them ends it. Everything in base64. */
export function tlogProofLines(extra: string, index: LogInteger, path: readonly string[]): string[] {
  return [C2SP_TLOG_PROOF_HEADER, ...(extra === '' ? [] : [`extra ${extra}`]), `index ${index}`, ...path, '', ''];
}

function extraText(extra: Uint8Array): string {
  if (!(extra instanceof Uint8Array)) throw new ProtocolError('argument_invalid', 'extra data is bytes');
  return toBase64(extra);
}

function hashText(hash: Uint8Array | string): string {
  if (typeof hash === 'string' && hash.length === HASH_BASE64_LENGTH) return hash;
  requireHash(hash);
  return toBase64(hash);
}

export interface ProofQuestion {
  readonly proof: string | Uint8Array;
  /** The entry that the caller asks about, from its own hands: a proof of another entry is no answer. */
  readonly entry: Uint8Array;
}

export interface ProvenEntry {
  readonly index: bigint;
  readonly leafHash: Uint8Array;
  readonly checkpoint: Checkpoint;
  readonly signatures: TrustedCheckpoint;
}

/** Proves offline that exactly this entry stands at the index of a log that the policy trusts; throws otherwise. */
export function verifyTlogProof(question: ProofQuestion, policy: WitnessPolicy, nowSeconds: LogInteger): ProvenEntry {
  const { index, path, checkpoint: note } = parseTlogProof(question.proof);
  const hash = leafHash(question.entry);
  const signatures = verifyPolicyCheckpoint(note, policy, nowSeconds);
  const { checkpoint } = signatures;
  if (!verifyInclusion({ index, size: checkpoint.size, leafHash: hash, path, root: checkpoint.root })) {
    throw new ProtocolError('inclusion_invalid', 'the entry is not at that index of the tree');
  }
  return { index, leafHash: hash, checkpoint, signatures };
}
