import { addressGroups } from '#kernel/ip-prefix.ts';
import type { Span } from '../heavy/heavy-tasks.ts';
import { isGapSign, MAX_GAP, merged } from '../web/visible-text.ts';

/** The surer of two kinds comes first. */
const NUMBER_KINDS = ['card', 'bsn', 'phone'] as const;
type NumberKind = (typeof NUMBER_KINDS)[number];

/** Digits in a row. */
interface Group extends Span {
  readonly digits: string;
  /** What stands between it and the group before. */
  readonly gap: string;
  readonly hasPlus: boolean;
}
/** Groups with nothing but gaps between them: one number, several, or a table. */
type Run = readonly Group[];

const MAX_DIGITS = 19;

function passesElevenTest(digits: string): boolean {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (index === 8 ? -1 : 9 - index),
    0,
  );
  return sum % 11 === 0 && Number(digits) > 0;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** First digits of the networks; of those with 2, Mastercard has 2221 to 2720, so that years are no cards. */
const CARD = /^(?=[3-6]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))\d{13,19}$/;
const NATIONAL_PHONE = /^0[1-9]\d{7,12}$/;
const FOREIGN_PHONE = /^(?:31|32|49)\d{7,12}$/;

const CHECKS: Readonly<Record<NumberKind, (digits: string, hasPlus: boolean) => boolean>> = {
  // A plus says what it is.
  card: (digits, hasPlus) => CARD.test(digits) && passesLuhn(digits) && !(hasPlus && FOREIGN_PHONE.test(digits)),
  bsn: (digits, hasPlus) => digits.length === 9 && passesElevenTest(digits) && !(hasPlus && FOREIGN_PHONE.test(digits)),
  phone: (digits, hasPlus) =>
    NATIONAL_PHONE.test(digits) ||
    (hasPlus && FOREIGN_PHONE.test(digits)) ||
    (digits.startsWith('00') && FOREIGN_PHONE.test(digits.slice(2))),
};

/** Lengths of groups in which people write such numbers; taken among other numbers too. */
const SHAPES: Readonly<Record<'card' | 'bsn', ReadonlySet<string>>> = {
  card: new Set(['4-4-4-4', '4-4-4-4-3', '4-6-5', '4-6-4', '4-4-4-1', '4-4-5', '8-8']),
  bsn: new Set(['3-3-3', '4-2-3', '2-2-2-3', '4-5', '6-3', '3-6']),
};

const MAX_GROUPS = 5;

type Numbers = (Span & { readonly kind: NumberKind })[];

/** Cards, citizen and phone numbers of the kinds asked for, in any spacing, where no other digits stand beside them. */
export function numbersAlone(shown: string, kinds: readonly string[]): Numbers {
  const asked = NUMBER_KINDS.filter((kind) => kinds.includes(kind));
  return runsOf(shown).flatMap((run) => {
    const span = spanOf(run);
    const isOther = isFraction(shown, span) || addressGroups(shown.slice(span.start, span.end)) !== null;
    return isOther ? [] : (coverOf(run, asked) ?? []);
  });
}

/** The same among other numbers, where only whole groups and usual shapes can be told from a table. */
export function numbersAmong(shown: string, kinds: readonly string[]): Numbers {
  const asked = NUMBER_KINDS.filter((kind) => kinds.includes(kind));
  return runsOf(shown).flatMap((run) =>
    asked.flatMap((kind) => {
      const found = kind === 'phone' ? phonesAmong(run, shown) : checkedAmong(run, kind, shown);
      return merged(found).map((span) => ({ ...span, kind }));
    }),
  );
}

/** No gap. */
const FAR = '|';
const DAY = /(?<!\d|\d[-./])(?:\d{4}-\d{2}-\d{2}|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d{2})(?![-./]?\d)/g;

function runsOf(shown: string): Run[] {
  // Days of the calendar are no part of a number.
  const text = shown.replace(DAY, (day) => FAR.repeat(day.length));
  const runs: Group[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const match of text.matchAll(/\d+/g)) {
    const start = match.index;
    const between = start - end <= MAX_GAP ? text.slice(end, start) : FAR;
    end = start + match[0].length;
    if (isCode(text, start)) {
      end = Number.NEGATIVE_INFINITY;
      continue;
    }
    const group = { ...groupOf(text, start, match[0]), gap: between };
    if (Array.from(between).every((sign) => sign === '+' || isGapSign(sign))) runs.at(-1)?.push(group);
    else runs.push([group]);
  }
  return runs;
}

function groupOf(text: string, start: number, digits: string): Omit<Group, 'gap'> {
  const end = start + digits.length;
  const isBracketed = text[start - 1] === '(' && text[end] === ')';
  // The zero of `+31 (0)6` is not dialled from abroad.
  const isTrunk = isBracketed && digits === '0';
  let before = start - 1;
  while (before >= start - MAX_GAP && isGapSign(text[before] ?? FAR)) before -= 1;
  const hasPlus = text[before] === '+';
  const shownFrom = hasPlus ? before : isBracketed ? start - 1 : start;
  return { start: shownFrom, end, digits: isTrunk ? '' : digits, hasPlus };
}

/** Digits behind other digits with nothing but capitals or hexadecimal letters between: the rest of a code or a digest. */
function isCode(text: string, start: number): boolean {
  return /\d(?:[A-Z]{1,15}|[a-f]{1,15})$/.test(text.slice(Math.max(0, start - 16), start));
}

/** The numbers that a run consists of, when it consists of nothing else. */
function coverOf(run: Run, kinds: readonly NumberKind[]): Numbers | undefined {
  const ways = new Map<number, { from: number; kind: NumberKind }>();
  for (let from = 0; from < run.length; from += 1) {
    if (from > 0 && !ways.has(from)) continue;
    let digits = '';
    for (let to = from; to < run.length; to += 1) {
      const group = run[to] as Group;
      if (to > from && group.hasPlus) break;
      digits += group.digits;
      if (digits.length > MAX_DIGITS) break;
      if (ways.has(to + 1)) continue;
      const kind = kinds.find((one) => isWhole(one, digits, run[from] as Group));
      if (kind !== undefined) ways.set(to + 1, { from, kind });
    }
  }
  const found: Numbers = [];
  for (let to = run.length; to > 0; ) {
    const way = ways.get(to);
    if (way === undefined) return undefined;
    found.push({ start: run[way.from]?.start as number, end: run[to - 1]?.end as number, kind: way.kind });
    to = way.from;
  }
  return found.toReversed();
}

function isWhole(kind: NumberKind, digits: string, first: Group): boolean {
  // Lists of small numbers begin with 0 too.
  if (kind === 'phone' && first.digits === '0' && !digits.startsWith('00') && digits.length !== 10) return false;
  return CHECKS[kind](digits, first.hasPlus);
}

/** Single groups and usual shapes among other numbers. */
function checkedAmong(run: Run, kind: 'card' | 'bsn', shown: string): Span[] {
  const found: Span[] = [];
  for (const [from, first] of run.entries()) {
    let [digits, shape] = ['', ''];
    for (let to = from; to < Math.min(run.length, from + MAX_GROUPS); to += 1) {
      const group = run[to] as Group;
      if (to > from && (group.hasPlus || !isSameGap(group.gap, run[from + 1]?.gap as string))) break;
      digits += group.digits;
      shape += `${to > from ? '-' : ''}${group.digits.length}`;
      const isShaped = to === from || SHAPES[kind].has(shape);
      const span = { start: first.start, end: group.end };
      if (isShaped && CHECKS[kind](digits, first.hasPlus) && !isFraction(shown, span)) found.push(span);
    }
  }
  return found;
}

function isSameGap(gap: string, first: string): boolean {
  return gap === first && gap.length === 1 && !/[\n\r\t]/.test(gap);
}

/** Decimals, or a number that has some; a comma between the fields of a table is none. */
function isFraction(shown: string, { start, end }: Span): boolean {
  return (
    /(?<![\d.,;])\d[.,]$/.test(shown.slice(Math.max(0, start - 3), start)) ||
    /^[.,]\d{2}(?:$|\s|[.,;:!?)](?:$|\s))/.test(shown.slice(end, end + 5))
  );
}

function spanOf(run: Run): Span {
  return { start: run[0]?.start as number, end: run.at(-1)?.end as number };
}

/** From each group that can begin a phone number as far as it can go; the next that can begin one ends it. */
function phonesAmong(run: Run, shown: string): Span[] {
  const found: Span[] = [];
  for (let from = 0; from < run.length; from += 1) {
    const first = run[from] as Group;
    if (!beginsPhone(first) || isFraction(shown, { start: first.start, end: first.start })) continue;
    let [digits, last] = ['', -1];
    for (let to = from; to < run.length && digits.length <= MAX_DIGITS; to += 1) {
      const group = run[to] as Group;
      if (to > from && (group.hasPlus || (digits.length >= 9 && beginsPhone(group)))) break;
      digits += group.digits;
      if (CHECKS.phone(digits, first.hasPlus)) last = to;
      if (last === from) break;
    }
    if (last < 0) continue;
    found.push({ start: first.start, end: run[last]?.end as number });
    from = last;
  }
  return found;
}

function beginsPhone({ digits, hasPlus }: Group): boolean {
  return hasPlus || /^0\d/.test(digits);
}
