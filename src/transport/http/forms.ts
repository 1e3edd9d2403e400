import type { IncomingMessage } from 'node:http';
import type { Operation, Site } from '#kernel/operation.ts';
import type { FieldError } from '#kernel/problem.ts';
import type { RawInput } from '#kernel/query-decoder.ts';
import { FORM_MEDIA_TYPE, mediaTypeOf } from './json-body.ts';
import { negotiate, type Representation } from './negotiation.ts';

/** What `?format=` may say on a path that has pages. */
const FORMATS: Readonly<Record<string, Representation>> = { json: 'json', html: 'html', md: 'markdown' };

export const PAGE_MEDIA = { html: 'text/html; charset=utf-8', markdown: 'text/markdown; charset=utf-8' } as const;

const PAGE_HEADERS = [
  'content-security-policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
  'permissions-policy',
  'camera=(), geolocation=(), microphone=(), payment=()',
];
/** Production is reached over https only. */
const LIVE_PAGE_HEADERS = [...PAGE_HEADERS, 'strict-transport-security', 'max-age=31536000; includeSubDomains'];

export function pageHeaders({ sandbox }: Site): readonly string[] {
  return sandbox ? PAGE_HEADERS : LIVE_PAGE_HEADERS;
}

/** A call, and the form that was chosen for its answer. */
interface Formed {
  readonly request: IncomingMessage;
  form: Representation | undefined;
}

/** Takes `format` out of the input of a call with pages: it chooses the form and is no field of the operation. */
export function takeFormat({ pages, input }: Operation, raw: RawInput, exchange: Formed): FieldError[] {
  const isTaken = pages !== undefined && exchange.request.method !== 'POST' && 'format' in raw;
  if (!isTaken || 'format' in input.shape) return [];
  const form = Object.hasOwn(FORMATS, String(raw['format'])) ? FORMATS[String(raw['format'])] : undefined;
  delete raw['format'];
  if (form === undefined)
    return [{ pointer: '#/format', code: 'not_allowed', detail: 'Must be one of json, html, md.' }];
  exchange.form = form;
  return [];
}

/** As `formOf`, before the input of the call is read. */
export function formAsked(query: string, exchange: Formed): Representation {
  const format = new URLSearchParams(query).get('format') ?? '';
  return Object.hasOwn(FORMATS, format) ? (FORMATS[format] as Representation) : formOf(exchange);
}

const MAX_PAGE_FIELD_LENGTH = 400;

/** Takes the fields that only pages and their forms send out of the input; undefined for any other call. */
export function takePageFields(
  { pages, pageFields = [], input }: Operation,
  raw: RawInput,
  exchange: Readonly<Formed>,
): Readonly<Record<string, string>> | undefined {
  if (pages === undefined) return undefined;
  const { method, headers } = exchange.request;
  const isPage =
    method === 'POST' ? mediaTypeOf(headers['content-type']) === FORM_MEDIA_TYPE : formOf(exchange) === 'html';
  if (!isPage) return undefined;
  const taken: Record<string, string> = {};
  for (const name of pageFields.filter((field) => field in raw && !(field in input.shape))) {
    const value = raw[name];
    if (typeof value === 'string' && value.length <= MAX_PAGE_FIELD_LENGTH) taken[name] = value;
    delete raw[name];
  }
  return taken;
}

/** The path said it, the query said it, or else Accept does. */
export function formOf({ form, request }: Readonly<Formed>): Representation {
  return form ?? negotiate(request.headers.accept);
}
