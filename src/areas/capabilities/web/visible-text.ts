import type { Span } from '../heavy/heavy-tasks.ts';

/** Something found in a text, with the value that it stands for. */
export interface FoundSpan extends Span {
  readonly value: string;
}

/** No reader sees it, so nobody reads a number that it stands in as two. */
const HIDDEN = /[[\p{Cc}--\p{White_Space}]\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/v;
/** Wide forms of the signs of ASCII, as East Asian keyboards write them. */
const WIDE = { first: 0xff01, last: 0xff5e, shift: 0xfee0 } as const;
const NEEDS_NO_WORK = /^[\t\n\r -~]*$/;

/** What a reader sees of a text, and from where in the text each of its characters comes. */
export interface VisibleText {
  readonly shown: string;
  /** The place in the text of a span of what is shown. */
  readonly placeOf: (span: Span) => Span;
}

/** Leaves out what is unseen and writes wide signs as plain ones; everything else stays what it is. */
export function visibleText(text: string): VisibleText {
  if (NEEDS_NO_WORK.test(text)) return { shown: text, placeOf: (span) => span };
  const places: number[] = [];
  const shown: string[] = [];
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const isWide = code >= WIDE.first && code <= WIDE.last;
    if (code < 0x7f ? code >= 0x20 || !HIDDEN.test(character) : !HIDDEN.test(character)) {
      shown.push(isWide ? String.fromCharCode(code - WIDE.shift) : character);
      for (let unit = 0; unit < character.length; unit += 1) places.push(at + unit);
    }
    at += character.length;
  }
  const placeOf = ({ start, end }: Span) => ({ start: places[start] as number, end: (places[end - 1] as number) + 1 });
  return { shown: shown.join(''), placeOf };
}

/** As many signs as may stand between two parts of one number. */
export const MAX_GAP = 16;
const GAP_SIGN = /[\s\p{Pd}./\\_()·•∙⋅․…−]/u;
const gapSigns = new Map<string, boolean>();

/** Blanks and what else people put between the parts of a number. */
export function isGapSign(sign: string): boolean {
  const known = gapSigns.get(sign) ?? GAP_SIGN.test(sign);
  // The signs of a text are few, but nobody promises it.
  if (gapSigns.size < 10_000) gapSigns.set(sign, known);
  return known;
}

/** One for all that overlap: which of them is meant cannot be told. */
export function merged<T extends Span>(spans: readonly T[]): T[] {
  const result: T[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last !== undefined && span.start < last.end) {
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else result.push(span);
  }
  return result;
}
