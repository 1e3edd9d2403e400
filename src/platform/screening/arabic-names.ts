import { editCost } from './edit-cost.ts';
import type { FoldedWord } from './fold.ts';
import { ARABIC_NAME_WORDS } from './arabic-words.ts';
import { MANY_WORDS } from './readings.ts';
import type { Script } from './transliteration.ts';

/** Arabic names are written apart or as one: Abd and a name, a name and Allah or al-Din. Here each has one form. */

const ABD = /^c?abd(?:oul|ou|ul|el|al|ol|il|ur|us|as|ar|er|u|i|e)?$/;
const ABD_PREFIX = /^c?abd(?:oul|ul|el|al|ol|il|ur(?=r)|us(?=s)|ar(?=r)|as(?=s)|i(?=[^aeiou])|u(?=r))?(?=[a-z]{3})/;
/** Abdullah is one name, also with the next word written to it. */
const ABDULLAH = /^c?abd[aeou]{0,3}ll?ah?/;
const NOT_ABD: ReadonlySet<string> = new Set(['abel', 'abul', 'adel', 'abduh', 'abdulah', 'abdula', 'abdulla']);
const ARTICLE = /^(?:al|el|ul|ur|ar|as|es|us|ad|az|an|ol|il|ud|ed|od|id|u|e)$/;
const SERVANT = 'عبد';
const GOD = /^(?:a?u?ll?ah?|llh|allh|o?ll?ah)$/;
const MIN_ARTICLE_WORD = 5;

/** Abdul, also with one letter wrong, missing or doubled, or two swapped. */
function isAbd(text: string): boolean {
  if (ABD.test(text)) return true;
  if (text[0] !== 'a' || text.length < 4 || text.length > 6 || NOT_ABD.has(text)) return false;
  return editCost(text, 'abdul', 1) <= 1 || editCost(text, 'abdel', 1) <= 1;
}

function isArabic({ script }: FoldedWord): boolean {
  return script === 'arabic';
}

const LETTERS_OF_WORDS: ReadonlySet<Script> = new Set(['latin', 'cyrillic', 'greek', 'rough', 'other']);

function isLatinText({ script }: FoldedWord): boolean {
  return LETTERS_OF_WORDS.has(script);
}

/** Removes the Arabic article and gives particles and titles their Latin form. */
function plainArabic(word: FoldedWord): FoldedWord {
  const known = ARABIC_NAME_WORDS.get(word.original);
  if (known !== undefined) return { text: known, script: 'latin', original: known };
  const hasArticle =
    word.original.startsWith('ال') && word.original.length >= MIN_ARTICLE_WORD && word.original !== 'الله';
  return hasArticle ? { ...word, text: word.text.slice(2), original: word.original.slice(2) } : word;
}

/** A name, or the first letter of one. */
function isNextOfServant({ text, script }: FoldedWord): boolean {
  return text.length === 1 ? script === 'latin' && text >= 'a' : text.length > 2 && !ABD.test(text);
}

/** Abd and the name that follows are one name, however they are written. */
function joinServants(given: readonly FoldedWord[]): FoldedWord[] {
  const last = given.at(-1)?.text ?? '';
  const isTurned = given.length > 1 && ABD.test(last) && !ABD.test(given[0]?.text ?? '');
  const words = isTurned ? [given.at(-1) as FoldedWord, ...given.slice(0, -1)] : given;
  const joined: FoldedWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as FoldedWord;
    if (isArabic(word) ? word.original === SERVANT : isAbd(word.text)) {
      const skipsArticle = ARTICLE.test(words[at + 1]?.text ?? '') && words[at + 2] !== undefined;
      const next = words[at + (skipsArticle ? 2 : 1)];
      if (next !== undefined && isNextOfServant(next)) {
        at += skipsArticle ? 2 : 1;
        joined.push(servantOf(isArabic(next) ? plainArabic(next) : next));
        continue;
      }
    }
    if (isArabic(word) && word.original.startsWith(SERVANT) && word.original.length > 5) {
      const rest = plainArabic({ ...word, text: word.text.slice(2), original: word.original.slice(3) });
      joined.push(servantOf(rest));
    } else if (!isArabic(word) && ABD_PREFIX.test(word.text) && !ABDULLAH.test(word.text)) {
      joined.push(servantOf({ ...word, text: word.text.replace(ABD_PREFIX, '') }));
    } else joined.push(word);
  }
  return joined;
}

function servantOf(word: FoldedWord): FoldedWord {
  const isGod = GOD.test(word.text) || word.original === 'الله' || word.original === 'لله';
  if (isArabic(word)) {
    return {
      script: 'arabic',
      text: isGod ? 'bdllh' : `bd${word.text}`,
      original: isGod ? 'عبدله' : SERVANT + word.original,
    };
  }
  return { ...word, text: isGod ? 'abdullah' : `abd${word.text}`, original: isGod ? 'abdullah' : `abd${word.text}` };
}

/** The second half of a name that is written to the first or apart from it. */
interface NameEnding {
  /** As a word of its own; `needsArticle` where it is a name as well. */
  readonly apart: RegExp;
  readonly needsArticle: boolean;
  /** At the end of a word. */
  readonly joined: RegExp;
  readonly latin: string;
  /** As a word of its own in Arabic script. */
  readonly written: ReadonlySet<string>;
  readonly arabic: string;
}

const ENDINGS: readonly NameEnding[] = [
  {
    apart: /^(?:[aou]|ou)ll?ah$/,
    needsArticle: false,
    joined: /(?:ou|[aeou])ll?ah$/,
    latin: 'ullah',
    written: new Set(['الله', 'لله', 'اللہ', 'الل']),
    arabic: 'له',
  },
  {
    apart: /^(?:al|el|ul|ol|ad|ed|ud|od|id|oud)?d(?:in|een|ine|ien)$/,
    needsArticle: true,
    joined: /(?:al|el|ul|ou|[aeiou])dd?(?:in|een|ine|ien)$/,
    latin: 'uddin',
    written: new Set(['الدين', 'الدین', 'دین', 'دين']),
    arabic: 'دين',
  },
  {
    apart: /^zad(?:a|e|eh|ah)$/,
    needsArticle: false,
    joined: /zad(?:a|e|eh|ah)$/,
    latin: 'zada',
    written: new Set(['زاده', 'زادہ']),
    arabic: 'زاده',
  },
];
/** Before these, Allah begins a name: Allah Dad, Allah Bakhsh. */
const AFTER_ALLAH: ReadonlySet<string> = new Set(
  'dad bakhsh buksh baksh bux ditta rakha yar nawaz wasaya noor nur dino dinno داد بخش یار نور نواز'.split(' '),
);
const MIN_FIRST_PART = 3;
const DIN_APART = /^d(?:in|een|ine|ien)$/;

/** A quick look: every ending above ends so. */
const MAY_END = /(?:lah|d(?:in|een|ine|ien)|zad(?:a|e|eh|ah))$/;

function endingOf(word: FoldedWord, hasArticle: boolean): NameEnding | undefined {
  if (!isArabic(word) && !MAY_END.test(word.text)) return undefined;
  return ENDINGS.find(({ apart, needsArticle, written }) => {
    if (isArabic(word))
      return written.has(word.original) && (hasArticle || word.original.startsWith('ا') || !needsArticle);
    return apart.test(word.text) && (!needsArticle || hasArticle || !DIN_APART.test(word.text));
  });
}

/** A first part that can have such an ending: a word of the same script that has none. */
function canBegin(word: FoldedWord | undefined, isEndingArabic: boolean): word is FoldedWord {
  if (word === undefined || isArabic(word) !== isEndingArabic) return false;
  if (isArabic(word)) return word.original.length >= 2 && !ARABIC_NAME_WORDS.has(word.original);
  return (
    word.script === 'latin' && word.text.length >= MIN_FIRST_PART && !ARTICLE.test(word.text) && !/\d/.test(word.text)
  );
}

function withEnding(first: FoldedWord, { latin, arabic }: NameEnding): FoldedWord {
  if (!isArabic(first)) return { ...first, text: first.text + latin, original: first.text + latin };
  const plain = plainArabic(first);
  return { ...plain, text: plain.text + latin, original: plain.original + arabic };
}

/** Gives a word that ends so the one form of its ending. */
function plainEnding(word: FoldedWord): FoldedWord {
  if (!isLatinText(word) || word.text.length < MIN_FIRST_PART + 3 || !MAY_END.test(word.text)) return word;
  for (const { joined, latin } of ENDINGS) {
    const at = word.text.search(joined);
    if (at >= MIN_FIRST_PART && !word.text.startsWith('abd')) {
      const text = word.text.slice(0, at) + latin;
      return { ...word, text, original: text };
    }
  }
  return word;
}

/** X and Allah, X and al-Din, X and Zada are one name, however they are written. */
function joinEndings(words: readonly FoldedWord[]): FoldedWord[] {
  const joined: FoldedWord[] = [];
  let isJoined = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as FoldedWord;
    const next = words[at + 1];
    const hasArticle = next !== undefined && ARTICLE.test(word.text) && joined.length > 0;
    const ending = hasArticle ? (endingOf(next, true) ?? endingOf(word, false)) : endingOf(word, false);
    const isAfterArticle = hasArticle && ending !== undefined && endingOf(next, true) === ending;
    const after = words[at + (isAfterArticle ? 2 : 1)];
    const begins =
      ending?.latin === 'ullah' &&
      after !== undefined &&
      AFTER_ALLAH.has(isArabic(after) ? after.original : after.text);
    const first = joined.at(-1);
    if (ending !== undefined && !isJoined && !begins && canBegin(first, isArabic(isAfterArticle ? next : word))) {
      joined[joined.length - 1] = withEnding(first, ending);
      if (isAfterArticle) at += 1;
      isJoined = true;
      continue;
    }
    isJoined = false;
    joined.push(plainEnding(word));
  }
  return joined;
}

const FATHER = /^(?:abu|abou)(?=[bcdfghjkmnqrstwyz][a-z]{3})/;
const WRITTEN_FATHER = /^[اأ]بو(?=.{3})/;
const NOT_FATHER: ReadonlySet<string> = new Set(['abuja', 'abusaid']);

/** Abu that is written to the name after it. */
function splitFather(word: FoldedWord): FoldedWord[] {
  const { text, original, script } = word;
  if (script === 'latin') {
    if (!FATHER.test(text) || NOT_FATHER.has(text)) return [word];
    const rest = text.replace(FATHER, '');
    return [
      { text: 'abu', script, original: 'abu' },
      { text: rest, script, original: rest },
    ];
  }
  if (script !== 'arabic' || !WRITTEN_FATHER.test(original)) return [word];
  return [
    { text: 'abu', script: 'latin', original: 'abu' },
    { ...word, text: text.slice(2), original: original.slice(3) },
  ];
}

/** The words of a name with each Arabic part in one form; a second time with second halves apart, where there are any. */
export function arabicForms(words: readonly FoldedWord[]): FoldedWord[][] {
  const apart = joinServants(words.flatMap(splitFather));
  const joined = joinEndings(apart);
  const forms = joined.length === apart.length || words.length > MANY_WORDS ? [joined] : [joined, apart];
  return forms.map((form) => form.map((word) => (isArabic(word) ? plainArabic(word) : word)));
}
