import { createInflate } from 'node:zlib';
import { DECODED_LIMITS } from '../heavy/heavy-limits.ts';
import { Impossible } from '../heavy/heavy-tasks.ts';

/** RFC 1951: 258 bytes for two bits, at most. */
const MAX_DEFLATE_RATIO = 1_032;
/** A dictionary before its stream is looked for in so many bytes. */
const MAX_DICTIONARY_BYTES = 4_096;
/** Filters whose output is longer than their input (ISO 32000-1, 7.4), by their names and their short names. */
const EXPANDING = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL']);
const FLATE = new Set(['FlateDecode', 'Fl']);

/**
 * What a PDF says plainly of a bomb: a stream packed twice over, or one that unpacks to more than is read. What it hides,
 * in references and images, meets the limits of the process.
 */
export async function pdfFault(bytes: Uint8Array): Promise<Impossible | undefined> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { pdfStreamBytes } = DECODED_LIMITS;
  for (const { filters, data } of streamsOf(file)) {
    if (filters.filter((filter) => EXPANDING.has(filter)).length > 1) {
      return new Impossible('pdf_too_large', 'The PDF contains a stream that is compressed more than once.', 'size');
    }
    if (!FLATE.has(filters[0] ?? '') || data.length * MAX_DEFLATE_RATIO <= pdfStreamBytes) continue;
    if (await inflatesBeyond(data, pdfStreamBytes)) {
      return new Impossible(
        'pdf_too_large',
        `The PDF contains a stream that unpacks to more than ${pdfStreamBytes} bytes.`,
        'size',
      );
    }
  }
  return undefined;
}

/** Streams that are no images, with the filters that their dictionaries name. */
function* streamsOf(file: Buffer): Generator<{ filters: string[]; data: Buffer }> {
  let from = 0;
  for (let at = file.indexOf('stream', from); at >= 0; at = file.indexOf('stream', from)) {
    from = at + 6;
    const before = file.toString('latin1', Math.max(0, at - MAX_DICTIONARY_BYTES), at);
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1);
    if (!/>>\s*$/.test(dictionary) || /\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const [, list = ''] = /\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+)/.exec(dictionary) ?? [];
    const filters = [...list.matchAll(/\/([^\s/<>[\]()]+)/g)].map(([, name = '']) => unescaped(name));
    const start = from + (file[from] === 0x0d && file[from + 1] === 0x0a ? 2 : 1);
    const end = file.indexOf('endstream', start);
    const data = file.subarray(start, end < 0 ? file.length : end);
    from = start + data.length + (end < 0 ? 0 : 'endstream'.length);
    yield { filters, data };
  }
}

/** Names may write any character by its number (ISO 32000-1, 7.3.5). */
function unescaped(name: string): string {
  return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Counts what comes out and keeps none of it. */
async function inflatesBeyond(data: Buffer, limitBytes: number): Promise<boolean> {
  const inflate = createInflate();
  inflate.end(data);
  let length = 0;
  try {
    for await (const chunk of inflate) {
      length += (chunk as Buffer).length;
      if (length > limitBytes) return true;
    }
  } catch {
    // Broken behind what came out of it: whoever reads the file says so.
  }
  return false;
}
