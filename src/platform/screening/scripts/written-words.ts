import { isBurmese, latinOfBurmese } from './burmese.ts';
import { isEthiopic, latinOfEthiopic } from './ethiopic.ts';
import { latinOfIndic } from './indic.ts';
import { BLOCKS, indicBlock } from './indic-letters.ts';

/** Letters in a row of a script in which a letter alone has no Latin form. */
export interface WrittenWord {
  /** One word, or more where the script writes them together. */
  readonly words: readonly string[];
  readonly isRough: boolean;
  /** How many characters of the text it takes. */
  readonly taken: number;
}

/** Blocks of which nearly all names that were tried are found by their Latin spelling; of the others too many are not. */
const RELIABLE: ReadonlySet<number> = new Set([
  BLOCKS.devanagari,
  BLOCKS.bengali,
  BLOCKS.gurmukhi,
  BLOCKS.gujarati,
  BLOCKS.sinhala,
]);
/** Say how letters join on paper, and nothing of how they are spoken. */
const JOINERS = /[\u200c\u200d]/;

/** The letters from a place on that belong to it, without joiners. */
function rowOf(characters: readonly string[], at: number, belongs: (code: number) => boolean) {
  const letters: string[] = [];
  let end = at;
  for (; end < characters.length; end += 1) {
    const one = characters[end] as string;
    if (JOINERS.test(one)) continue;
    if (!belongs(one.codePointAt(0) as number)) break;
    letters.push(one);
  }
  return { letters, taken: end - at };
}

/**
 * The word that begins at a place of lower-case text; undefined for a letter of any other script. Names are spelt as they
 * are spoken, or in a second way: with vowels that are not spoken, or after English.
 */
export function writtenWordAt(characters: readonly string[], at: number, isSecond: boolean): WrittenWord | undefined {
  const code = (characters[at] as string).codePointAt(0) as number;
  const block = indicBlock(code);
  if (block !== undefined) {
    const { letters, taken } = rowOf(characters, at, (one) => indicBlock(one) === block);
    return { words: [latinOfIndic(letters, block, isSecond)], isRough: !RELIABLE.has(block), taken };
  }
  if (isEthiopic(code)) {
    const { letters, taken } = rowOf(characters, at, isEthiopic);
    return { words: [latinOfEthiopic(letters)], isRough: false, taken };
  }
  if (!isBurmese(code)) return undefined;
  const { letters, taken } = rowOf(characters, at, isBurmese);
  return { words: latinOfBurmese(letters, isSecond), isRough: false, taken };
}
