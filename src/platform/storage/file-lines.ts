import { open } from 'node:fs/promises';

/** How a line ends: by its newline, by being longer than a line of its file may be, or by the end of the file. */
export type LineEnd = 'newline' | 'overlong' | 'end_of_file';

export interface Line {
  /** With its newline, where it has one. */
  readonly bytes: Buffer;
  readonly end: LineEnd;
}

const NEWLINE = 10;
const CHUNK_BYTES = 262_144;

/** Every byte of a file, a line at a time. Byte 10 alone ends one: texts may hold what else is taken for an end. */
export async function* linesOf(path: string, maxBytes = Number.POSITIVE_INFINITY): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      yield { bytes: bytes.subarray(start, end + 1), end: 'newline' };
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxBytes) {
      yield { bytes: rest, end: 'overlong' };
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length > 0) yield { bytes: rest, end: 'end_of_file' };
}

/** The bytes of a file from `from` up to, not including, `to` (or its end), in chunks that may be kept. */
export async function* readChunks(path: string, from = 0, to = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  await using handle = await open(path);
  for (let position = from; position < to; ) {
    const length = Math.min(CHUNK_BYTES, to - position);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
