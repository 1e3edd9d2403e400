import type { Clause, Sentence } from './clauses.ts';
import { isNone, type Mask, maskOf, meets, NONE, without } from './masks.ts';
import type { Pattern, RuleRow } from './rule-table.ts';
import type { Term } from './reading.ts';

/** Of the first and the last term of what breaks a rule. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const NOT = maskOf('not');
const OR = maskOf('or');
const TELLING = maskOf('said', 'mention');
const SPEAKER = maskOf('i', 'we', 'but', 'then');
const QUESTION = maskOf('question');
const HEAD = maskOf('head');
const ROLE = maskOf('founder', 'boss');
const AVOUCH = maskOf('avouch');
const OF = maskOf('of');
const THEIRS = maskOf('theirs');
const BARE = maskOf('bare');
/** How far a guard reaches in a clause without end. */
const REACH_BEFORE = 16;
const REACH_BEHIND = 5;
const RIGHT_BEHIND = 1;
/** What the border of two clauses counts in a distance. */
const BORDER = 3;

/** The first words of a sentence that break a rule; null when none do. */
export function breach({ terms, clauses, mask }: Sentence, row: RuleRow): Span | null {
  if (!meets(mask, row.core)) return null;
  const patterns = row.patterns.filter(({ steps }) => steps.every((step) => meets(mask, step.mask)));
  if (patterns.length === 0) return null;
  const places = placed(terms, clauses);
  const masks = terms.map((_, index) => meaning(terms, index, places, row));
  const cleared = clearedClauses(masks, clauses, row);
  for (const pattern of patterns) {
    for (const span of matches(pattern, masks, places)) {
      if (!isCleared(span, masks, places, cleared, row)) return span;
    }
  }
  return null;
}

interface Places {
  /** Distances count clause borders. */
  readonly at: readonly number[];
  readonly clause: readonly number[];
}

function placed(terms: readonly Term[], clauses: readonly Clause[]): Places {
  const clause = clauses.flatMap(({ from, to }, index) => Array.from({ length: to - from }, () => index));
  return { clause, at: terms.map((_, index) => index + BORDER * (clause[index] ?? 0)) };
}

/** The classes of a term, without those that its neighbours take from it. */
function meaning(terms: readonly Term[], index: number, { clause }: Places, { nouns, weakened }: RuleRow): Mask {
  const mask = terms[index]?.mask ?? NONE;
  const near = (step: number): Mask | undefined =>
    clause[index + step] === clause[index] ? terms[index + step]?.mask : undefined;
  if (meets(mask, nouns)) {
    const before = near(-1);
    const isWeakened =
      (before !== undefined && meets(before, weakened)) ||
      meets(near(1) ?? NONE, HEAD) ||
      (meets(near(-2) ?? NONE, weakened) && before !== undefined && isNone(before));
    return isWeakened ? without(mask, nouns) : mask;
  }
  return meets(mask, ROLE) && isOfAnother(terms, index, near) ? without(mask, ROLE) : mask;
}

/** The founder of something else, or somebody else's. */
function isOfAnother(terms: readonly Term[], index: number, near: (step: number) => Mask | undefined): boolean {
  const isHere = [1, 2, 3, 4].some((step) => meets(near(step) ?? NONE, AVOUCH));
  const isBefore = [-1, -2, -3].some((step) => meets(near(step) ?? NONE, AVOUCH));
  if (isHere || isBefore) return false;
  const next = near(1);
  if (next !== undefined && meets(next, OF)) return true;
  if (next !== undefined && isNone(next) && meets(terms[index]?.mask ?? NONE, BARE)) return true;
  return meets(near(-1) ?? NONE, THEIRS) || terms[index - 1]?.text === 's';
}

/** Clauses that say nothing of their own: quoted, told by somebody, forbidden before, or a question. */
function clearedClauses(masks: readonly Mask[], clauses: readonly Clause[], row: RuleRow): boolean[] {
  const has = ({ from, to }: Clause, mask: Mask) => masks.slice(from, to).some((one) => meets(one, mask));
  const startsAsking = clauses.at(-1)?.isAsking === true && meets(masks[0] ?? NONE, QUESTION);
  const lastChoice = clauses.findLastIndex((clause) => has(clause, OR));
  let isTold = false;
  let isForbidden = false;
  return clauses.map((clause, index) => {
    const before = clauses[index - 1];
    const starts = masks[clause.from] ?? NONE;
    if (before !== undefined) {
      // Speech that a colon announces goes on to the end of the sentence.
      isTold ||= before.isAnnouncing && has(before, TELLING);
      // "Do not, ever, …" and "Do not …, … or …" forbid all of it.
      const isDangling = before.to - before.from > 1 && meets(masks[before.to - 1] ?? NONE, NOT);
      const isListed = index <= lastChoice && has(before, NOT);
      isForbidden = (isForbidden || isDangling || isListed) && !meets(starts, SPEAKER);
    }
    const isQuestion = row.asksFreely && (clause.isAsking || startsAsking);
    return isTold || isForbidden || isQuestion || clause.isQuoted;
  });
}

/** All places where the terms of a pattern follow each other, in one pass: a step takes the nearest one before it. */
function* matches({ steps, after }: Pattern, masks: readonly Mask[], { at }: Places): Generator<Span> {
  const last = steps.length - 1;
  const reached: { at: number; from: number }[] = [];
  let isAfter = after === null;
  for (const [index, mask] of masks.entries()) {
    const place = at[index] ?? 0;
    for (let step = last; step >= 0; step -= 1) {
      const wanted = steps[step];
      if (wanted === undefined || !meets(mask, wanted.mask) || !meets(mask, wanted.also)) continue;
      const before = step === 0 ? { at: place, from: index } : reached[step - 1];
      if (before === undefined || (step === 0 && !isAfter) || place - before.at > (step === 0 ? 0 : wanted.gap))
        continue;
      reached[step] = { at: place, from: before.from };
      if (step === last) yield { from: before.from, to: index };
    }
    isAfter ||= after !== null && meets(mask, after);
  }
}

function isCleared(
  { from, to }: Span,
  masks: readonly Mask[],
  { clause }: Places,
  cleared: readonly boolean[],
  { guard, guardBefore }: RuleRow,
): boolean {
  const first = clause[from] ?? 0;
  const last = clause[to] ?? 0;
  for (let index = first; index <= last; index += 1) if (cleared[index] === true) return true;
  for (let index = Math.max(0, from - REACH_BEFORE); index <= to + REACH_BEHIND; index += 1) {
    const mask = masks[index];
    const at = clause[index];
    if (mask === undefined || at === undefined || at < first || at > last) continue;
    if (meets(mask, guard) || (index <= to + RIGHT_BEHIND && meets(mask, guardBefore))) return true;
  }
  return false;
}
