// Small files that are made in the moment: a PDF, a barcode and a picture of text.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';

/** A PDF of one page with lines of text. */
export function pdfOf(lines: readonly string[]): Buffer {
  return pdfOfStream(`BT /F1 12 Tf 72 720 Td 14 TL\n${lines.map((line) => `(${line}) Tj T*`).join('\n')}\nET`);
}

/** A PDF of one page whose contents are the bytes, packed as the entries of their dictionary say. */
export function pdfOfStream(stream: string | Buffer, entries = ''): Buffer {
  return pdfOfStreams([Buffer.from(stream)], entries);
}

/** A PDF of a page for each of the contents. */
export function pdfOfStreams(streams: readonly Buffer[], entries = ''): Buffer {
  const pageOf = (index: number) => 4 + 2 * index;
  const kids = streams.map((_, index) => `${pageOf(index)} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${streams.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.flatMap((data, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${pageOf(index) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${data.length} ${entries}>>\nstream\n${data.toString('latin1')}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}

/** An EAN code as a PNG. */
export async function barcodeOf(text: string): Promise<Buffer> {
  const { prepareZXingModule, writeBarcode } = await import('zxing-wasm/writer');
  const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer }, fireImmediately: true });
  const { image } = await writeBarcode(text, { format: 'EAN13', scale: 3 });
  assert.ok(image !== null);
  return Buffer.from(await image.arrayBuffer());
}

/** Letters of five by seven dots, a row a number. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  T: [31, 4, 4, 4, 4, 4, 4],
  O: [14, 17, 17, 17, 17, 17, 14],
  A: [14, 17, 17, 31, 17, 17, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 2, 4, 8, 31],
  ' ': [0, 0, 0, 0, 0, 0, 0],
};
const DOT = 6;

/** A text printed in black on white, as a PNG (8-bit grey). */
export function pictureOf(text: string): Buffer {
  const [width, height] = [(text.length * 7 + 6) * DOT, 15 * DOT];
  const isInk = (x: number, y: number) => {
    const [column, row] = [Math.floor(x / DOT) - 4, Math.floor(y / DOT) - 4];
    const glyph = GLYPHS[text[Math.floor(column / 7)] ?? ' '];
    const bit = column % 7;
    return column >= 0 && bit < 5 && (((glyph?.[row] ?? 0) >> (4 - bit)) & 1) === 1;
  };
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (__, x) => (isInk(x, y) ? 0 : 255))]),
  );
  return pngOf({ width, height, depth: 8, colourType: 0 }, Buffer.concat(lines));
}

/** A PNG that says what it is, with those bytes before they are packed. */
export function pngOf(
  { width, height, depth, colourType }: { width: number; height: number; depth: number; colourType: number },
  samples: Buffer,
): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(depth, 8);
  header.writeUInt8(colourType, 9);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(samples)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
