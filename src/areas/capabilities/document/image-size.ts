const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Frames of JPEG that state width and height: SOF0 to SOF15 without DHT, JPG and DAC (ITU-T T.81 table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Frames that come in several scans, whose coefficients are kept until the last of them: SOF2, 6, 10 and 14. */
const isProgressive = (marker: number) => (marker & 0x03) === 2;
const COEFFICIENT_BYTES = 2;
/** Samples of a pixel by colour type (PNG, third edition, table 8). Palettes become colours with transparency. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };
const MAX_SAMPLES = 4;

export interface ImageSize {
  readonly pixels: number;
  /** What the samples take once they are unpacked. */
  readonly bytes: number;
}

/** The size that a PNG or JPEG says it has; null for anything else. A small file can unpack to gigabytes. */
export function imageSizeOf(given: Uint8Array): ImageSize | null {
  const file = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (file.length >= 26 && file.toString('hex', 0, 8) === PNG_SIGNATURE) return pngSize(file);
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 10 <= file.length; ) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return null;
    if (isFrame(marker)) return jpegSize(file, at, isProgressive(marker));
    // Filling bytes before a marker have no length.
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  return null;
}

function pngSize(file: Buffer): ImageSize {
  const pixels = file.readUInt32BE(16) * file.readUInt32BE(20);
  const [depth = 0, colourType = 0] = file.subarray(24, 26);
  const samples = PNG_SAMPLES[colourType] ?? MAX_SAMPLES;
  return { pixels, bytes: pixels * samples * (depth > 8 ? 2 : 1) };
}

/** `at` is where the marker of the frame begins. */
function jpegSize(file: Buffer, at: number, hasScans: boolean): ImageSize {
  const pixels = file.readUInt16BE(at + 5) * file.readUInt16BE(at + 7);
  const components = file[at + 9] ?? 0;
  const bytes = pixels * components * ((file[at + 4] ?? 0) > 8 ? 2 : 1);
  if (!hasScans) return { pixels, bytes };
  // Each component has so many samples a block across and down; the largest is as fine as the image.
  const factors = Array.from({ length: components }, (_, index) => file[at + 11 + 3 * index] ?? 0x44);
  const densities = factors.map((factor) => (factor >> 4) * (factor & 0x0f));
  const samples = (pixels * densities.reduce((sum, one) => sum + one, 0)) / Math.max(1, ...densities);
  return { pixels, bytes: Math.max(bytes, COEFFICIENT_BYTES * samples) };
}
