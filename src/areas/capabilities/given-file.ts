import { z } from 'zod';
import { type Tools, Unworkable } from './capability.ts';
import { pixelsOf } from './image-size.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_BASE64 = Math.ceil(MAX_FILE_BYTES / 3) * 4;

export const base64Field = z
  .string()
  .min(4)
  .max(MAX_BASE64)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64 of a file')
  .meta({ description: 'The file, in base64; at most 10 MiB decoded' });
export const urlField = z
  .string()
  .min(1)
  .max(2_048)
  .meta({ description: 'https address of the file on a public host; at most 2 MiB, redirects are not followed' });

/** The bytes that an input names, by value or by address; `field` holds the value. */
export async function givenFile(
  input: Readonly<Record<string, unknown>>,
  field: string,
  tools: Tools,
): Promise<Uint8Array | Unworkable> {
  const value = input[field];
  if (typeof value === 'string') return Uint8Array.from(Buffer.from(value, 'base64'));
  const page = await tools.fetch(String(input['url']));
  if (page instanceof Unworkable) return page;
  if (page.status === 200) return page.body;
  return new Unworkable('work', 'fetch_failed', `the address answered with status ${page.status}`, 'url');
}

const MAX_PIXELS = 40_000_000;

/** What keeps an image from being read at all; undefined when nothing does. */
export function imageFault(bytes: Uint8Array, field: string): Unworkable | undefined {
  const pixels = pixelsOf(bytes);
  if (pixels === null) return new Unworkable('input', 'not_an_image', 'is no readable PNG or JPEG', field);
  if (pixels <= MAX_PIXELS) return undefined;
  return new Unworkable('input', 'image_too_large', `has more than ${MAX_PIXELS} pixels`, field);
}

/** A rule for inputs in which exactly one of the members is given. */
export function exactlyOne(...names: readonly string[]): (input: Readonly<Record<string, unknown>>) => boolean {
  return (input) => names.filter((name) => input[name] !== undefined).length === 1;
}
