import type { MarkKind } from '#protocol/attestation/leaf-entry.ts';
import { FADED_WEIGHT, markWeight } from './mark-weight.ts';
import type { Mark } from './mark.ts';

/** What all marks that lack lease or evidence can reach together: below what turns a light red. */
const UNPROVEN_CEILING = 0.5;

/** A mark that still counts, with what it weighs now. */
export interface WeighedMark extends Mark {
  readonly weight: number;
}

/** How much the marks of one kind say, 0 to 1, and how many of them. */
export interface MarkScore {
  readonly score: number;
  readonly marks: number;
}

/** The marks that have not faded, newest first. */
export function weighedMarks(marks: readonly Mark[], nowMs: number): WeighedMark[] {
  return marks
    .map((mark) => ({ ...mark, weight: markWeight(mark, nowMs) }))
    .filter(({ weight }) => weight >= FADED_WEIGHT)
    .toSorted((a, b) => b.seq - a.seq);
}

/**
 * The score of a kind. Of each address the heaviest mark counts, proven ones (lease and evidence) apart from others, so
 * that a later mark never waters down an earlier one. Proven marks multiply up to certainty; all others together stay
 * below the ceiling, whatever names are used.
 */
export function markScore(marks: readonly WeighedMark[], kind: MarkKind): MarkScore {
  const ofKind = marks.filter((mark) => mark.kind === kind);
  if (ofKind.length === 0) return NO_MARKS;
  const unproven = 1 - doubt(ofKind.filter((mark) => !isProven(mark)));
  const score = 1 - (1 - Math.min(UNPROVEN_CEILING, unproven)) * doubt(ofKind.filter(isProven));
  return { score, marks: ofKind.length };
}

const NO_MARKS: MarkScore = { score: 0, marks: 0 };

function doubt(marks: readonly WeighedMark[]): number {
  const heaviest = new Map<string, number>();
  for (const { addressTag, weight } of marks) {
    heaviest.set(addressTag, Math.max(weight, heaviest.get(addressTag) ?? 0));
  }
  // Sorted: a product of fractions depends on the order of its factors, an answer must not.
  return [...heaviest.values()].toSorted((a, b) => a - b).reduce((left, weight) => left * (1 - weight), 1);
}

function isProven({ leased, evidence }: WeighedMark): boolean {
  return leased && evidence !== null;
}
