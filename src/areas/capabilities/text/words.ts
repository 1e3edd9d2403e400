import type { Span } from '../heavy/heavy-tasks.ts';

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
/** Words that say nothing about a text, in Dutch, English and German. */
const STOP_WORDS = new Set(
  `de het een en van in op te dat die is was zijn met voor aan er om door over als bij uit naar niet ook maar of dan wat
  wie hoe waar welke the a an and of to in on at that which is was are were be been with for by from as it this these
  those not but or if then what who how where when does do did has have had will would can der die das ein eine einen
  und von zu im auf mit den dem des ist war sind nicht auch aber oder als bei aus nach für wie wer was wo wann hat haben`.split(
    /\s+/,
  ),
);

/** The words of a text in lower case that may tell it from others. */
export function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}

const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|\n\s*\n|\n(?=\s*[-*•\d])/g;
/** A full stop after these, or after one letter, ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Za-z]|bv|bijv|nr|no|dr|mr|mrs|ms|drs|ir|prof|st|art|blz|ca|vs|etc|inc|ltd|e\.g|i\.e|d\.h|z\.B|o\.a|d\.w\.z)\.$/i;

/** The sentences of a text as spans without the blanks around them. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  const take = (to: number) => {
    const raw = text.slice(from, to);
    const start = from + (raw.length - raw.trimStart().length);
    const end = from + raw.trimEnd().length;
    if (end > start) spans.push({ start, end });
    from = to;
  };
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const isAbbreviation = match[0] === '.' && ABBREVIATION.test(text.slice(Math.max(from, end - 12), end));
    if (!isAbbreviation) take(end);
  }
  take(text.length);
  return spans;
}

const K1 = 1.2;
const B = 0.75;

/** BM25 of each document for the words of a question: 0 where they share none. */
export function bm25(question: readonly string[], documents: readonly (readonly string[])[]): number[] {
  const counts = documents.map((words) => {
    const count = new Map<string, number>();
    for (const word of words) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const average = documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length) || 1;
  const asked = [...new Set(question)].map((word) => {
    const having = counts.filter((count) => count.has(word)).length;
    return { word, idf: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) };
  });
  return counts.map((count, index) => {
    const length = (documents[index]?.length ?? 0) / average;
    return asked.reduce((sum, { word, idf }) => {
      const times = count.get(word) ?? 0;
      return sum + (idf * times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
    }, 0);
  });
}
