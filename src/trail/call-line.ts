import { isoTime } from '#kernel/clock.ts';
import { type AsciiBytes, asciiOf } from './ascii-bytes.ts';
import { type ShapeFields, shapeOf } from './line-shape.ts';
import { keptTag, keptText } from './redact.ts';

/** One call. A field that is absent is absent from the line; null is written as null. */
export type TrailEntry = ShapeFields & {
  readonly atMs: number;
  readonly ms?: number | undefined;
  /** Day tag of the caller's address: 16 hexadecimal digits. */
  readonly addr?: string | null | undefined;
  readonly agent?: string | null | undefined;
  readonly payer?: string | undefined;
  readonly inBytes?: number | undefined;
  readonly outBytes?: number | undefined;
  readonly resultSha256?: string | undefined;
};

/** No line is longer: 33 parameter names and six texts of 128 characters, each of them escaped, are about 6 KiB. */
export const MAX_LINE_BYTES = 8192;

const N = asciiOf('{"n":');
const MS = asciiOf(',"ms":');
const ADDR = asciiOf(',"addr":');
const AGENT = asciiOf(',"agent":');
const PAYER = asciiOf(',"payer":');
const IN = asciiOf(',"in":');
const OUT = asciiOf(',"out":');
const RESULT = asciiOf(',"result_sha256":');
const NULL = asciiOf('null');

let stampMs = Number.NaN;
let stamp = asciiOf('');

/** Writes the line of a call with its newline; every text passes through redact.ts. */
export function writeCallLine(out: AsciiBytes, n: number, entry: TrailEntry): void {
  const { atMs, ms, addr, agent, payer, inBytes, outBytes, resultSha256 } = entry;
  const shape = shapeOf(entry);
  out.raw(N);
  out.number(n);
  out.raw(atMs === stampMs ? stamp : stampOf(atMs));
  out.raw(shape.start);
  if (ms !== undefined) writeNumber(out, MS, ms);
  if (addr !== undefined) writeText(out, ADDR, addr && keptTag(addr));
  if (agent !== undefined) writeText(out, AGENT, agent && keptText(agent));
  if (payer !== undefined) writeText(out, PAYER, keptText(payer));
  if (inBytes !== undefined) writeNumber(out, IN, inBytes);
  if (outBytes !== undefined) writeNumber(out, OUT, outBytes);
  if (resultSha256 !== undefined) writeText(out, RESULT, keptText(resultSha256));
  out.raw(shape.end);
}

/** Writes the line that stands for calls whose lines could not be kept: numbers `from` to `from + lost - 1`. */
export function writeLostLine(out: AsciiBytes, lost: number, from: number, atMs: number): void {
  out.ascii(`{"lost":${lost},"from":${from},"at":"${isoTime(atMs)}"}\n`);
}

function writeNumber(out: AsciiBytes, name: Uint8Array, value: number): void {
  out.raw(name);
  out.number(value);
}

function writeText(out: AsciiBytes, name: Uint8Array, value: string | null): void {
  out.raw(name);
  if (value === null) out.raw(NULL);
  else out.text(value);
}

/** The time as it stands in a line; the lines of one millisecond share it. */
function stampOf(atMs: number): Buffer {
  stampMs = atMs;
  stamp = asciiOf(`,"at":"${isoTime(atMs)}",`);
  return stamp;
}
