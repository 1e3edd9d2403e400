import { createHash } from 'node:crypto';

/** `prev` of the very first block of a process. */
export const GENESIS_HASH = '0'.repeat(64);

/** Longest seal line in bytes, its newline included: three numbers of 15 digits, two hashes. */
export const MAX_SEAL_BYTES = 256;

export type TrailSeal = {
  /** Counts on through all segments of a process, from 1. */
  readonly block: number;
  /** Lines between the seal before and this one; the head line of a segment is one of them. */
  readonly lines: number;
  /** Highest line number used so far. */
  readonly last: number;
  readonly prev: string;
  readonly hash: string;
};

const SEAL_TEXT =
  '\\{"block":(\\d{1,15}),"lines":(\\d{1,15}),"last":(\\d{1,15}),"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\\}';
const SEAL_LINE = new RegExp(`^${SEAL_TEXT}$`);
const SEAL_START = new RegExp(`^${SEAL_TEXT}`);
const SEAL_ANYWHERE = new RegExp(`(?<=\n)${SEAL_TEXT}(?=\n)`, 'g');
const HASH_FIELD = ',"hash":"';
const SEAL_END = '"}\n';

/**
 * The bytes of one block: its lines, then its seal line. The hash is SHA-256 over `prev` as 32 bytes and over
 * everything from the first byte of the block up to, not including, `,"hash":"` of the seal line.
 */
export function sealBlock(
  lines: readonly Uint8Array[],
  seal: Omit<TrailSeal, 'hash'>,
): { bytes: Buffer; hash: string } {
  const prefix = `{"block":${seal.block},"lines":${seal.lines},"last":${seal.last},"prev":"${seal.prev}"`;
  const covered = lines.reduce((sum, part) => sum + part.length, prefix.length);
  const bytes = Buffer.allocUnsafe(covered + HASH_FIELD.length + 64 + SEAL_END.length);
  let end = 0;
  for (const part of lines) {
    bytes.set(part, end);
    end += part.length;
  }
  bytes.write(prefix, end, 'latin1');
  const hash = blockHash(seal.prev).update(bytes.subarray(0, covered)).digest('hex');
  bytes.write(`${HASH_FIELD}${hash}${SEAL_END}`, covered, 'latin1');
  return { bytes, hash };
}

/** A hash that has taken in `prev` and waits for the bytes of the block. */
export function blockHash(prev: string): ReturnType<typeof createHash> {
  return createHash('sha256').update(Buffer.from(prev, 'hex'));
}

/** The part of a seal line that its own hash covers. */
export function sealPrefix(line: string): string {
  return line.slice(0, line.indexOf(HASH_FIELD));
}

/** The seal on a line without its newline; null for any other line. */
export function parseSeal(line: string): TrailSeal | null {
  return toSeal(SEAL_LINE.exec(line));
}

/** True for text that goes on after a whole seal where the newline belongs: no interrupted write leaves that. */
export function overrunsSeal(text: string): boolean {
  const seal = SEAL_START.exec(text);
  return seal !== null && text.length > seal[0].length;
}

/** The last whole seal line in a piece of a segment, and the offset just after its newline. */
export function findLastSeal(text: string): { seal: TrailSeal; end: number } | null {
  const match = [...text.matchAll(SEAL_ANYWHERE)].at(-1);
  const seal = toSeal(match ?? null);
  return match && seal ? { seal, end: match.index + match[0].length + 1 } : null;
}

function toSeal(match: RegExpExecArray | null): TrailSeal | null {
  if (match === null) return null;
  const [, block, lines, last, prev = '', hash = ''] = match;
  return { block: Number(block), lines: Number(lines), last: Number(last), prev, hash };
}
