import { NewestMap } from '#kernel/newest-map.ts';

export type Representation = 'json' | 'html' | 'markdown';

const TYPES: Readonly<Record<Representation, readonly [string, string]>> = {
  json: ['application', 'json'],
  html: ['text', 'html'],
  markdown: ['text', 'markdown'],
};
const MAX_RANGES = 32;

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/** A few dozen texts make up nearly all Accept headers; one of any length could fill the memory. */
const MAX_KNOWN = 256;
const MAX_KNOWN_LENGTH = 256;
const known = new NewestMap<string, Representation>(MAX_KNOWN);

/** JSON unless HTML or Markdown is wanted strictly more; between those two Markdown wins a tie (RFC 9110 12.5.1). */
export function negotiate(accept: string | undefined): Representation {
  if (accept === undefined) return 'json';
  const before = known.get(accept);
  if (before !== undefined) return before;
  const form = wantedForm(accept);
  if (accept.length <= MAX_KNOWN_LENGTH) known.set(accept, form);
  return form;
}

function wantedForm(accept: string): Representation {
  const ranges = parseAccept(accept);
  const json = qualityOf(TYPES.json, ranges);
  const html = qualityOf(TYPES.html, ranges);
  const markdown = qualityOf(TYPES.markdown, ranges);
  if (markdown > json && markdown >= html) return 'markdown';
  return html > json ? 'html' : 'json';
}

/** The first of the media types, unless another one is wanted strictly more. */
export function chooseMedia(accept: string | undefined, types: readonly string[]): string {
  const [first = '', ...others] = types;
  if (accept === undefined || others.length === 0) return first;
  const ranges = parseAccept(accept);
  const rated = types.map((media) => ({ media, quality: qualityOf(splitMedia(media), ranges) }));
  return rated.reduce((best, one) => (one.quality > best.quality ? one : best)).media;
}

function splitMedia(media: string): readonly [string, string] {
  const [type = '', subtype = ''] = media.replace(/;.*/, '').split('/');
  return [type, subtype];
}

function parseAccept(accept: string): Range[] {
  const ranges: Range[] = [];
  for (const part of accept.split(',', MAX_RANGES)) {
    const [media = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const [type, subtype, ...rest] = media.split('/');
    if (type === undefined || subtype === undefined || rest.length > 0) continue;
    const quality = weightOf(parameters);
    if (quality !== undefined) ranges.push({ type, subtype, quality });
  }
  return ranges;
}

/** What `q=` says, 1 where nothing does; undefined where it is no weight. */
function weightOf(parameters: readonly string[]): number | undefined {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : undefined;
}

/** The quality of the most specific range that covers the type; 0 when none does. */
function qualityOf([type, subtype]: readonly [string, string], ranges: readonly Range[]): number {
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype);
  const family = ranges.find((range) => range.type === type && range.subtype === '*');
  const any = ranges.find((range) => range.type === '*' && range.subtype === '*');
  return (exact ?? family ?? any)?.quality ?? 0;
}

/** Content codings in which large documents are offered, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];
/** An old name of gzip (RFC 9110, 8.4.1.3). */
const OLD_GZIP = 'x-gzip';

/** The coding that is wanted most; undefined where none is named, or where the bytes as they are are wanted more. */
export function chooseCoding(acceptEncoding: string | undefined): Coding | undefined {
  const weights = parseAcceptEncoding(acceptEncoding ?? '');
  const any = weights.get('*') ?? 0;
  const rated = CODINGS.map((coding) => ({ coding, quality: weights.get(coding) ?? any }));
  const best = rated.reduce((first, one) => (one.quality > first.quality ? one : first));
  // Without a word about it, identity is accepted and wanted least (RFC 9110, 12.5.3).
  const identity = weights.get('identity') ?? any;
  return best.quality > 0 && best.quality >= identity ? best.coding : undefined;
}

function parseAcceptEncoding(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',', MAX_RANGES)) {
    const [given = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const coding = given === OLD_GZIP ? 'gzip' : given;
    const quality = weightOf(parameters);
    if (quality !== undefined && !weights.has(coding)) weights.set(coding, quality);
  }
  return weights;
}
