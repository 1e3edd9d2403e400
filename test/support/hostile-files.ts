// Files of a few megabytes or less that unpack to far more.
import { deflateSync } from 'node:zlib';
import { pdfOfStream, pngOf } from './small-files.ts';

const BLANKS = 48 * 1024 * 1024;
const RUN_LENGTH = 128;

/** Blanks packed twice over: 48 MiB in a few hundred bytes. */
export function twicePackedPdf(): Buffer {
  return pdfOfStream(deflateSync(deflateSync(Buffer.alloc(BLANKS, ' '))), '/Filter [/FlateDecode /FlateDecode] ');
}

/** Blanks packed once: more in one stream than is read. */
export function deflatedPdf(): Buffer {
  return pdfOfStream(deflateSync(Buffer.alloc(BLANKS, ' ')), '/Filter /FlateDecode ');
}

/** Blanks written as runs, 64 times as long as the file: nothing that a look at the file would show. */
export function runLengthPdf(unpackedBytes: number): Buffer {
  const run = Buffer.from([257 - RUN_LENGTH, 0x20]);
  return pdfOfStream(Buffer.alloc((unpackedBytes / RUN_LENGTH) * run.length, run), '/Filter /RunLengthDecode ');
}

/** Four samples of 16 bits for each of 6300 x 6300 pixels: 318 MB. */
export function hugePng(): Buffer {
  return pngOf({ width: 6_300, height: 6_300, depth: 16, colourType: 6 }, Buffer.alloc(1_000_000));
}
