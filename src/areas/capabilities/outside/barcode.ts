import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Impossible, type HeavyResults } from '../heavy/heavy-tasks.ts';

const MAX_CODES = 50;
let isPrepared = false;

export async function readCodes(bytes: Uint8Array): Promise<HeavyResults['barcode_read'] | Impossible> {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader');
  if (!isPrepared) {
    // From the package: by itself it would load the file over the network.
    const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
    const wasmBinary = new Uint8Array(file).buffer;
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
    isPrepared = true;
  }
  const found = await readBarcodes(bytes, { tryHarder: true, maxNumberOfSymbols: MAX_CODES });
  if (found.some(({ error }) => error.includes('load image'))) {
    return new Impossible('not_an_image', 'The file is not a readable PNG or JPEG.');
  }
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => ({ format, text: text.toWellFormed() }));
}

export async function writeQr(
  text: string,
  output: 'png' | 'svg',
): Promise<HeavyResults['barcode_write'] | Impossible> {
  const { default: qrcode } = await import('qrcode');
  try {
    if (output === 'svg') return { image_base64: null, svg: await qrcode.toString(text, { type: 'svg' }) };
    return { image_base64: (await qrcode.toBuffer(text)).toString('base64'), svg: null };
  } catch {
    return new Impossible('too_long', 'The text is too long for a QR code.');
  }
}
