import { z } from 'zod';
import { type Tools, Unworkable } from '../capability.ts';
import { DECODED_LIMITS } from '../heavy/heavy-limits.ts';
import { type ImageSize, imageSizeOf } from './image-size.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_BASE64 = Math.ceil(MAX_FILE_BYTES / 3) * 4;

export const base64Field = z
  .string()
  .min(4)
  .max(MAX_BASE64)
  .refine(isBase64, 'Must be a base64-encoded file.')
  .meta({ description: 'The file in base64, at most 10 MiB decoded.', contentEncoding: 'base64' });
export const urlField = z
  .string()
  .min(1)
  .max(2_048)
  .meta({ description: 'The https address of the file on a public host. At most 2 MiB. Redirects are not followed.' });

/** A multiple of four characters, and where their bytes go. */
const PIECE_LENGTH = 1_048_576;
const scratch = Buffer.allocUnsafeSlow((PIECE_LENGTH / 4) * 3);

/** By decoding it, which takes a tenth of what a pattern takes: what is not of the alphabet is left out, and lacks. */
function isBase64(text: string): boolean {
  const length = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  if (length % 4 === 1 || text.includes('-') || text.includes('_')) return false;
  let bytes = 0;
  for (let from = 0; from < length; from += PIECE_LENGTH) {
    bytes += scratch.write(text.slice(from, Math.min(from + PIECE_LENGTH, length)), 'base64');
  }
  return bytes === Math.floor((length * 3) / 4);
}

/** The bytes that an input names, by value or by address; `field` holds the value. */
export async function givenFile(
  input: Readonly<Record<string, unknown>>,
  field: string,
  tools: Tools,
): Promise<Uint8Array | Unworkable> {
  const value = input[field];
  if (typeof value === 'string') {
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(value, 'base64'));
    return new Uint8Array(bytes.buffer, 0, bytes.write(value, 'base64'));
  }
  const page = await tools.fetch(String(input['url']));
  if (page instanceof Unworkable) return page;
  if (page.status === 200) return page.body;
  return new Unworkable('work', 'fetch_failed', `The address returned status ${page.status}.`, 'url');
}

/** What keeps an image from being read at all; undefined when nothing does. */
export function imageError(
  bytes: Uint8Array,
  field: string,
  most: ImageSize = DECODED_LIMITS.image,
): Unworkable | undefined {
  const size = imageSizeOf(bytes);
  if (size === null) return new Unworkable('input', 'not_an_image', 'The file is not a readable PNG or JPEG.', field);
  if (size.pixels <= most.pixels && size.bytes <= most.bytes) return undefined;
  const detail = `The image unpacks to ${size.pixels} pixels and ${size.bytes} bytes. The maximum is ${most.pixels} pixels and ${most.bytes} bytes.`;
  return new Unworkable('size', 'image_too_large', detail, field);
}

/** A rule for inputs in which exactly one of the members is given. */
export function exactlyOne(...names: readonly string[]): (input: Readonly<Record<string, unknown>>) => boolean {
  return (input) => names.filter((name) => input[name] !== undefined).length === 1;
}
