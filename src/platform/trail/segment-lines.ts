import { readChunks } from './files.ts';

/** How a line ends: by its newline, by being longer than any line of a trail, or by the end of the file. */
export type LineEnd = 'newline' | 'overlong' | 'end_of_file';

// The longest call line: 33 parameter names and six texts of 128 escaped characters, about 7 KiB.
const MAX_LINE_BYTES = 65_536;
const NEWLINE = 10;

/** Shows every byte of a file to `visit`, in order, one line at a time with its newline; constant memory. */
export async function readLines(path: string, visit: (line: Buffer, end: LineEnd) => void): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      visit(bytes.subarray(start, end + 1), 'newline');
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > MAX_LINE_BYTES) {
      visit(rest, 'overlong');
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length > 0) visit(rest, 'end_of_file');
}
