import type { Span } from '../heavy/heavy-tasks.ts';
import { MAX_GAP, merged } from '../web/visible-text.ts';

const LOCAL_SIGN = /[\p{L}\p{M}\p{N}._%+'-]/u;
const LABEL_SIGN = /[\p{L}\p{M}\p{N}-]/u;
const BLANK = /\s/;
const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
/** A name that ends an address; what follows it in the same word belongs to the sentence. */
const TOP = /^(?:xn--[a-z0-9-]*[a-z0-9]|[\p{L}\p{M}]{2,63})/iu;

/** Every mail address, with or without blanks at its sign, and at its dots where there are some at the sign. */
export function emails(shown: string): Span[] {
  const found: Span[] = [];
  for (let sign = shown.indexOf('@'); sign >= 0; sign = shown.indexOf('@', sign + 1)) {
    const domain = skip(shown, sign + 1, 1);
    const local = skip(shown, sign - 1, -1);
    const isSpaced = domain > sign + 1 || local < sign - 1;
    const start = localStart(shown, local, isSpaced);
    const end = domainEnd(shown, domain, isSpaced);
    if (start !== undefined && end !== undefined) found.push({ start, end });
  }
  return merged(found);
}

/** The first place in a direction that is no blank; where there are too many, the one asked for. */
function skip(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (BLANK.test(text[at] ?? '') && Math.abs(at - from) < MAX_GAP) at += step;
  return at;
}

function localStart(text: string, last: number, isSpaced: boolean): number | undefined {
  let start = last + 1;
  const least = last - MAX_LOCAL_LENGTH;
  while (start > 0 && start - 1 > least) {
    const before = start - 1;
    if (LOCAL_SIGN.test(text[before] as string) || isLowSurrogate(text, before)) start = before;
    else if (isSpaced && text[start] !== '.' && isSpacedDot(text, skip(text, before, -1))) {
      start = skip(text, skip(text, before, -1) - 1, -1) + 1;
    } else break;
  }
  while (start <= last && text[start] === "'") start += 1;
  return start <= last ? start : undefined;
}

/** Letters beyond the first 65,536 are two units; either is taken along. */
function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdfff;
}

function isSpacedDot(text: string, at: number): boolean {
  return text[at] === '.' && BLANK.test(text[at - 1] ?? '') && BLANK.test(text[at + 1] ?? '');
}

function domainEnd(text: string, first: number, isSpaced: boolean): number | undefined {
  let end: number | undefined;
  let labels = 0;
  for (let at = first; at - first < MAX_DOMAIN_LENGTH; ) {
    const start = at;
    while (LABEL_SIGN.test(text[at] ?? '') || isLowSurrogate(text, at)) at += 1;
    if (at === start) break;
    labels += 1;
    const top = TOP.exec(text.slice(start, Math.min(at, start + 64)))?.[0];
    if (labels > 1 && top !== undefined) end = start + top.length;
    const dot = skip(text, at, 1);
    if (text[at] === '.') at += 1;
    else if ((isSpaced || labels === 1) && isSpacedDot(text, dot)) at = skip(text, dot + 1, 1);
    else break;
  }
  return end;
}
