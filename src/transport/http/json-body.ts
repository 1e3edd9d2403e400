import { parseExactJson } from '#kernel/exact-json.ts';
import type { ReadBody } from '#kernel/operation.ts';
import { parseQuery } from '#kernel/query-decoder.ts';

export const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Hands the bytes on: what they mean is the operation's to say. */
export function keepBytes(_request: unknown, bytes: Buffer, done: (error: null, body: Buffer) => void): void {
  done(null, bytes);
}

/** Reads the fields of a form as JSON members. */
export function readForm(bytes: Uint8Array): ReadBody {
  return { ok: true, value: parseQuery(Buffer.from(bytes).toString('utf8')), faults: [] };
}

/** Reads a JSON body; invalid UTF-8 is refused instead of being replaced, and members that are given twice are named. */
export function readJson(bytes: Uint8Array): ReadBody {
  try {
    return { ok: true, ...parseExactJson(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}
