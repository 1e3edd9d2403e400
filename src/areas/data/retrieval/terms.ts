import { isDeed } from './deeds.ts';
import { isMeasure } from './kinds.ts';
import type { QuestionWord } from './question.ts';
import { knownWords, matesOfWord, partsOfCompound, translationsOf } from './synonyms.ts';
import { Vocabulary } from './vocabulary.ts';

/** What one word of a question may stand as in the texts. */
export interface Term {
  readonly word: string;
  /** Each word that may stand for it, with how surely it does. */
  readonly words: ReadonlyMap<string, number>;
  /** How telling it is: rare words weigh more. */
  readonly weight: number;
  readonly isName: boolean;
  /** It only says what kind of thing is asked for. */
  readonly isMeasure: boolean;
  readonly isDeed: boolean;
  /** Whether some text, or the lists of words, has it as it was written. */
  readonly isKnown: boolean;
}

/** What terms weigh together. */
export function weightOf(terms: readonly Term[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** How surely a word stands for another: translated, of the same meaning, or mistyped. */
const TRUST = { own: 1, translated: 0.95, mate: 0.65, guessed: 0.8 };
/** Words of this trust say how rare the term is. */
const TELLING = 0.9;
const LIGHT_WEIGHT = 0.35;
const NAME_WEIGHT = 1.25;

/** Reads the words of a question by the vocabulary of the texts. */
export class TermReader {
  readonly #vocabulary: Vocabulary;
  readonly #texts: number;

  constructor(counts: ReadonlyMap<string, number>, texts: number) {
    this.#vocabulary = new Vocabulary(counts, knownWords());
    this.#texts = texts;
  }

  termsOf(asked: readonly QuestionWord[]): Term[] {
    return asked.flatMap((one) => this.#termOf(one));
  }

  #termOf(asked: QuestionWord): Term[] {
    const { word, isLight } = asked;
    const known = this.#readings(word);
    if (known.size > 0) return [this.#term(asked, known, true)];
    const parts = partsOfCompound(word, (part) => this.#isKnown(part));
    if (parts !== undefined) {
      return parts.map((part) => this.#term({ ...asked, word: part }, this.#readings(part), true));
    }
    if (isLight) return [];
    const guessed = new Map<string, number>();
    for (const near of this.#vocabulary.nearest(word)) put(guessed, this.#readings(near), TRUST.guessed);
    return [this.#term(asked, guessed, false)];
  }

  #isKnown(part: string): boolean {
    return translationsOf(part).length > 0 || (part.length > 3 && this.#vocabulary.count(part) > 0);
  }

  #readings(word: string): Map<string, number> {
    const readings = new Map<string, number>();
    this.#add(readings, word, TRUST.own);
    const translations = translationsOf(word);
    for (const one of translations) this.#add(readings, one, TRUST.translated);
    for (const one of [word, ...translations]) {
      for (const mate of matesOfWord(one)) this.#add(readings, mate, TRUST.mate);
    }
    return readings;
  }

  #add(readings: Map<string, number>, word: string, trust: number): void {
    put(readings, new Map(this.#vocabulary.kin(word).map((kin) => [kin, trust])), 1);
  }

  #term({ word, isName, isLight }: QuestionWord, words: ReadonlyMap<string, number>, isKnown: boolean): Term {
    const measure = isMeasure(word);
    const telling = [...words].filter(([, trust]) => trust >= TELLING);
    const counted = telling.length > 0 ? telling : [...words];
    const most = Math.max(0, ...counted.map(([one]) => this.#vocabulary.count(one)));
    const rarity = Math.log(1 + this.#texts / (most + 0.5));
    const weight = words.size === 0 ? Math.log(1 + this.#texts) : rarity;
    return {
      word,
      words,
      weight: weight * (isLight || measure ? LIGHT_WEIGHT : isName ? NAME_WEIGHT : 1),
      isName,
      isKnown,
      isMeasure: measure,
      isDeed: isDeed(word),
    };
  }
}

function put(into: Map<string, number>, from: ReadonlyMap<string, number>, factor: number): void {
  for (const [word, trust] of from) into.set(word, Math.max(into.get(word) ?? 0, trust * factor));
}
