import { isLight, phraseAt, splitVerbAt } from './synonyms.ts';
import { type AskedWord, askedWords, isStopWord } from './words.ts';

const MAX_TERMS = 32;

export interface QuestionWord extends AskedWord {
  readonly isLight: boolean;
}

/** What a question is about: its words without those that only ask, each once; phrases and split verbs as one word. */
export function questionWords(question: string): QuestionWord[] {
  const asked = askedWords(question);
  const plain = asked.map(({ word }) => word);
  const words = new Map<string, QuestionWord>();
  for (let place = 0; place < asked.length; place += 1) {
    const phrase = phraseAt(plain, place);
    const { word: own = '', isName = false } = asked[place] ?? {};
    const word = phrase?.word ?? splitVerbAt(plain, place) ?? own;
    if (phrase !== undefined) place += phrase.length - 1;
    if (isStopWord(word) || words.has(word)) continue;
    words.set(word, { word, isName: phrase === undefined && isName, isLight: isLight(word) });
  }
  return [...words.values()].slice(0, MAX_TERMS);
}
