import type { Span } from '../heavy/heavy-tasks.ts';
import { contentWords, sentencesOf } from './words.ts';

const DAMPING = 0.85;
const ROUNDS = 30;
/** Sentences behind these are not ranked: the table of likeness grows in the square. */
const MAX_RANKED = 2_500;
/** How much the place of a sentence counts beside its rank: texts say first what they are about. */
const LEAD_WEIGHT = 0.3;

/** The sentences that the others have most in common with (TextRank), in the order of the text. */
export function keySentences(text: string, count: number): Span[] {
  const spans = sentencesOf(text).slice(0, MAX_RANKED);
  if (spans.length <= count) return spans;
  const words = spans.map(({ start, end }) => new Set(contentWords(text.slice(start, end))));
  const ranks = rank(words);
  const highest = Math.max(...ranks);
  const scored = spans.map((span, index) => ({
    span,
    score: (ranks[index] ?? 0) / highest + LEAD_WEIGHT * (1 - index / spans.length),
  }));
  const chosen = scored.toSorted((a, b) => b.score - a.score || a.span.start - b.span.start).slice(0, count);
  return chosen.map(({ span }) => span).toSorted((a, b) => a.start - b.start);
}

function rank(words: readonly ReadonlySet<string>[]): Float64Array {
  const size = words.length;
  const likeness = new Float32Array(size * size);
  const totals = new Float64Array(size);
  const holders = new Map<string, number[]>();
  for (const [index, set] of words.entries()) {
    for (const word of set) {
      const earlier = holders.get(word) ?? [];
      for (const other of earlier) {
        likeness[index * size + other] = (likeness[index * size + other] ?? 0) + 1;
      }
      holders.set(word, [...earlier, index].slice(-200));
    }
  }
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < row; column += 1) {
      const shared = likeness[row * size + column] ?? 0;
      if (shared === 0) continue;
      const value = shared / (Math.log(1 + (words[row]?.size ?? 0)) + Math.log(1 + (words[column]?.size ?? 0)));
      likeness[row * size + column] = value;
      likeness[column * size + row] = value;
      totals[row] = (totals[row] ?? 0) + value;
      totals[column] = (totals[column] ?? 0) + value;
    }
  }
  let ranks = new Float64Array(size).fill(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(size).fill(1 - DAMPING);
    for (let from = 0; from < size; from += 1) {
      const total = totals[from] ?? 0;
      if (total === 0) continue;
      const share = (DAMPING * (ranks[from] ?? 0)) / total;
      for (let to = 0; to < size; to += 1) {
        next[to] = (next[to] ?? 0) + share * (likeness[from * size + to] ?? 0);
      }
    }
    ranks = next;
  }
  return ranks;
}
