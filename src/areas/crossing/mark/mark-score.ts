import type { MarkKind } from '#protocol/attestation/leaf-entry.ts';
import { FADED_WEIGHT, markWeight } from './mark-weight.ts';
import type { Mark } from './mark.ts';

/** What all marks that lack lease or evidence can reach together: below what turns a light red. */
const UNPROVEN_CEILING = 0.5;

/** What of a mark others are shown, or a light depends on. */
export type SpeakingMark = Omit<Mark, 'key' | 'rev'>;

/** A mark that still counts, with what it weighs now. */
export interface WeighedMark {
  readonly mark: SpeakingMark;
  readonly weight: number;
}

/** How much the marks of one kind say, 0 to 1, and how many of them. */
export interface MarkScore {
  readonly score: number;
  readonly marks: number;
}

/** The marks that have not faded, newest first. */
export function weighedMarks(marks: readonly SpeakingMark[], nowMs: number): WeighedMark[] {
  const weighed: WeighedMark[] = [];
  for (const mark of marks) {
    const weight = markWeight(mark, nowMs);
    if (weight >= FADED_WEIGHT) weighed.push({ mark, weight });
  }
  return weighed.sort((a, b) => b.mark.seq - a.mark.seq);
}

/**
 * The scores of the kinds that are there. Of each address the heaviest mark of a kind counts, proven ones (lease and
 * evidence) apart from others, so that a later mark never waters down an earlier one. Proven marks multiply up to
 * certainty; all others together stay below the ceiling, whatever names are used.
 */
export function markScores(marks: readonly WeighedMark[]): ReadonlyMap<MarkKind, MarkScore> {
  const kinds = Map.groupBy(marks, ({ mark }) => mark.kind);
  const scores = new Map<MarkKind, MarkScore>();
  for (const [kind, ofKind] of kinds) {
    const unproven = 1 - doubt(ofKind.filter(({ mark }) => !isProven(mark)));
    const score = 1 - (1 - Math.min(UNPROVEN_CEILING, unproven)) * doubt(ofKind.filter(({ mark }) => isProven(mark)));
    scores.set(kind, { score, marks: ofKind.length });
  }
  return scores;
}

function doubt(marks: readonly WeighedMark[]): number {
  if (marks.length < 2) return 1 - (marks[0]?.weight ?? 0);
  const heaviest = new Map<string, number>();
  for (const { mark, weight } of marks) {
    heaviest.set(mark.addressTag, Math.max(weight, heaviest.get(mark.addressTag) ?? 0));
  }
  // Sorted: a product of fractions depends on the order of its factors, an answer must not.
  return [...heaviest.values()].sort((a, b) => a - b).reduce((left, weight) => left * (1 - weight), 1);
}

function isProven({ leased, evidence }: SpeakingMark): boolean {
  return leased && evidence !== null;
}
