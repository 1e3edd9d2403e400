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

/** JSON unless HTML or Markdown is wanted strictly more; between those two Markdown wins a tie (RFC 9110 12.5.1). */
export function negotiate(accept: string | undefined): Representation {
  if (accept === undefined) return 'json';
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
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (!/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) continue;
    ranges.push({ type, subtype, quality: Number(weight) });
  }
  return ranges;
}

/** The quality of the most specific range that covers the type; 0 when none does. */
function qualityOf([type, subtype]: readonly [string, string], ranges: readonly Range[]): number {
  const exact = ranges.find((range) => range.type === type && range.subtype === subtype);
  const family = ranges.find((range) => range.type === type && range.subtype === '*');
  const any = ranges.find((range) => range.type === '*' && range.subtype === '*');
  return (exact ?? family ?? any)?.quality ?? 0;
}
