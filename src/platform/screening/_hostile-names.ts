// Names that are made to be expensive, and a list on which they find the most: for tests and the bench.
import type { ListedEntity, SanctionsList } from './fsf-list.ts';
import { Dice, words } from './quality/common-names.ts';

/** As long as a caller's name may be. */
const LETTERS = 120;

export const COMMON = words(
  'Muhammad Ahmad Ali Hassan Hussein Omar Khan Ibrahim Ismail Yusuf Mustafa Abdullah Mahmoud Salim',
);
export const PARTICLES = words('al abu bin ibn de el van');
const OTHERS = words('Trading Shipping Bank Group Company Ltd A M S Islamic of the');
const MANY_WORDS = 24;

/** Names of one to five words, most of them common: the list on which hostile names find the most. */
export function crowdedList(count: number, seed: number): SanctionsList {
  const dice = new Dice(seed);
  const rare = () => Array.from({ length: 5 }, () => dice.of(Array.from('abdefghiklmnorstu'))).join('');
  const word = () => dice.of([dice.of(COMMON), dice.of(COMMON), rare(), dice.of(PARTICLES), dice.of(OTHERS)]);
  const entities = Array.from(
    { length: count },
    (_, at): ListedEntity => ({
      id: `id${at}`,
      subjectType: null,
      programme: null,
      country: null,
      names: [{ name: [rare(), ...Array.from({ length: dice.below(5) }, word)].join(' '), isWeak: false }],
    }),
  );
  return { generationDate: null, entities };
}

function filled(text: string): string {
  return `${text} `.repeat(LETTERS).slice(0, LETTERS).trim();
}

export const HOSTILE: Readonly<Record<string, string>> = {
  'the same particles': filled('al abu bin'),
  'the same common words': filled('muhammad ahmad ali hassan'),
  'particles and common words': filled('abd al rahman bin muhammad abu ali ibn hassan al'),
  'spellings of one name':
    'muhammad mohammed mohamed mahmoud mehmet mohammad muhamad mohamad muhammed mahmud mohamud ahmed',
  'common words, each once': filled(COMMON.join(' ')),
  'short words': filled('ali alia aliy alih ally ale ala hali kali wali vali bali sali mali dali tali'),
  firms: filled('general trading company bank group shipping islamic ltd of the'),
  initials: filled('a m s ali a m s muhammad bank'),
  'Arabic script': filled('محمد احمد علي حسن بن ال عبد'),
  'Devanagari script': filled('मुहम्मद अहमद अली हसन खान बिन'),
  'Burmese script': filled('အောင်မင်းလှိုင်မောင်စိုး').replaceAll(' ', ''),
  'Ethiopic script': filled('መሐመድ አሊ አህመድ ሀሰን'),
  'Chinese script': filled('李王张刘陈杨黄赵周吴').replaceAll(' ', ''),
  'the same name again and again': filled('muhammad ali aka'),
  'many names': filled('ali aka omar aka khan aka hassan aka'),
};

/** As many words as fit, which half the list has. */
export function crowdedName(dice: Dice): string {
  return filled(Array.from({ length: MANY_WORDS }, () => dice.of([...COMMON, ...PARTICLES, ...OTHERS])).join(' '));
}
