import { parseExactJson, valuesIn } from '#kernel/exact-json.ts';
import type { ReadBody } from '#kernel/operation.ts';
import { parseQuery } from '#kernel/query-decoder.ts';

export const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded';
/** Members and items of a body, over all its depths: with more, looking at them would hold up other calls. */
const MAX_VALUES = 20_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** To hand an object from thread to thread takes microseconds for each of its values: ten times as long as to parse its text. */
const MAX_VALUES_HANDED_OVER = 1_000;

/** What was read in another thread, or the text of it, which was found to be good. */
export type HandedBody = ReadBody | { readonly text: string };

/** A body that was read before its operation asks for it. */
export class JsonRead {
  readonly read: ReadBody;

  constructor(read: ReadBody) {
    this.read = read;
  }
}

export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').toLowerCase().split(';', 1)[0]?.trim() ?? '';
}

export function isJsonMedia(contentType: string | undefined): boolean {
  return ['', 'application/json'].includes(mediaTypeOf(contentType));
}

/** Reads the fields of a form as JSON members. */
export function readForm(bytes: Uint8Array): ReadBody {
  return { ok: true, value: parseQuery(Buffer.from(bytes).toString('utf8')), faults: [] };
}

/** Reads a JSON body; invalid UTF-8 is refused instead of being replaced, and members that are given twice are named. */
export function readJsonBody(bytes: Uint8Array): ReadBody {
  if (valuesIn(bytes, MAX_VALUES) > MAX_VALUES) {
    const detail = `The body has more than ${MAX_VALUES} members and items. Send fewer, or send a long list as one text.`;
    return { ok: true, value: null, faults: [{ pointer: '#', code: 'too_many_values', detail }] };
  }
  try {
    return { ok: true, ...parseExactJson(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

/** Reads a JSON body for another thread. */
export function readForHandover(bytes: Uint8Array): HandedBody {
  const read = readJsonBody(bytes);
  const isGood = read.ok && read.faults.length === 0;
  return isGood && valuesIn(bytes, MAX_VALUES_HANDED_OVER) > MAX_VALUES_HANDED_OVER
    ? { text: utf8.decode(bytes) }
    : read;
}

export function handedOver(body: HandedBody): ReadBody {
  return 'text' in body ? { ok: true, value: JSON.parse(body.text) as unknown, faults: [] } : body;
}

/** What the body of a request says: it was read already, is read now, or there is none. */
export function bodyOf(body: unknown, read: (bytes: Uint8Array) => ReadBody = readJsonBody): ReadBody | undefined {
  if (body instanceof JsonRead) return body.read;
  return body instanceof Uint8Array ? read(body) : undefined;
}
