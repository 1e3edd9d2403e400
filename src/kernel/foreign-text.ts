/**
 * What no reader sees and a program may still obey: control characters, default-ignorable ones (zero-width, bidi, tags,
 * variation selectors; joined emoji fall apart, which is accepted), interlinear marks, and what is no character at all
 * (lone surrogates, noncharacters: RFC 7493 section 2.1). White space is not among it: it becomes a space.
 */
const UNSEEN =
  /[[\p{Cc}--\p{White_Space}]\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\p{Cs}\p{Noncharacter_Code_Point}]+/gv;
const WHITE_SPACE = /\p{White_Space}+/gu;
/** UAX #15 stream-safe text: 30 marks on one letter. Sorting a longer run takes time in the square of its length. */
const EXCESS_MARKS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;
const NOTHING_TO_CLEAN = /^[!-~]+(?: [!-~]+)*$/;

/** Returns text of others as it may be stored and shown: NFKC, nothing unseen, single spaces. It can be longer. */
export function cleanText(text: string): string {
  return clean(text, 'NFKC');
}

/** Returns the text of a key: as `cleanText`, but NFC, so that different characters stay different keys. */
export function cleanKeyText(text: string): string {
  return clean(text, 'NFC');
}

const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;
const BLANK_IN_LINE = /[\p{White_Space}--\n]+/gv;

/** As `cleanText`, with its lines kept and nothing behind `longest`: for text whose form says something. */
export function cleanLines(text: string, longest: number): string {
  return visible(text, 'NFKC', longest).replace(LINE_END, '\n').replace(BLANK_IN_LINE, ' ').trim();
}

function clean(text: string, form: 'NFC' | 'NFKC'): string {
  if (NOTHING_TO_CLEAN.test(text)) return text;
  return visible(text, form).replace(WHITE_SPACE, ' ').trim();
}

function visible(text: string, form: 'NFC' | 'NFKC', longest = Number.POSITIVE_INFINITY): string {
  // Unseen ones go before normalising: a letter and its accent may meet only then, and cleaning twice must change
  // nothing. Marks are cut again after it because one mark can become two.
  const normal = text.replace(UNSEEN, '').replace(EXCESS_MARKS, '$1').normalize(form);
  return normal.slice(0, longest).toWellFormed().replace(EXCESS_MARKS, '$1');
}
