const PNG_SIGNATURE = '89504e470d0a1a0a';
/** Frames of JPEG that state width and height: SOF0 to SOF15 without DHT, JPG and DAC (ITU-T T.81 table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** How many pixels a PNG or JPEG says it has; null for anything else. A small file can unpack to gigabytes. */
export function pixelsOf(bytes: Uint8Array): number | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length >= 24 && file.toString('hex', 0, 8) === PNG_SIGNATURE) {
    return file.readUInt32BE(16) * file.readUInt32BE(20);
  }
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= file.length; ) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return null;
    if (isFrame(marker)) return file.readUInt16BE(at + 5) * file.readUInt16BE(at + 7);
    // Filling bytes before a marker have no length.
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  return null;
}
