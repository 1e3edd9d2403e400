export const LANGUAGES = ['en', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Words that hold sentences together and that the neighbours of the two languages do not have. */
const FUNCTION_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words(
    'the and of to is that this it for with should not when are be we as if can from or by has have i you my but would will which there after does do must so at no what how its all any need add fix use make please only',
  ),
  nl: words(
    'het een niet van voor moet moeten wordt worden zijn met dat naar bij ook maar als deze dit aan op te er wij ik om uit kan kunnen zou of nog dan je bestaande graag gebruiker geen wel hoe waar zodat door over na alleen toevoegen maken nieuwe pagina u',
  ),
};
const WORD = /[\p{L}\p{M}]{1,200}/gu;
const LAST_LATIN = 0x24f;
/** A shorter text says too little about its language. */
const ENOUGH_WORDS = 10;
const MIN_SHARE = 0.08;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

export interface TextLanguage {
  readonly language: Language;
  /** False for a text of some length that seems to be in neither language. */
  readonly isSupported: boolean;
}

/** Judges by function words; between the two a tie is English. */
export function languageOf(text: string): TextLanguage {
  const found = text.toLowerCase().match(WORD) ?? [];
  const counts = { en: 0, nl: 0, foreign: 0 };
  for (const word of found) {
    if (FUNCTION_WORDS.en.has(word)) counts.en += 1;
    else if (FUNCTION_WORDS.nl.has(word)) counts.nl += 1;
    else if (word.charCodeAt(0) > LAST_LATIN) counts.foreign += 1;
  }
  const isRare = found.length >= ENOUGH_WORDS && counts.en + counts.nl < found.length * MIN_SHARE;
  return { language: counts.nl > counts.en ? 'nl' : 'en', isSupported: !isRare && counts.foreign * 2 <= found.length };
}

const MAX_HEADER_LENGTH = 200;

/** The language to ask in: the first of ours that Accept-Language names, else that of the text. */
export function askingLanguage(acceptLanguage: string | undefined, ofText: Language): Language {
  const named = (acceptLanguage ?? '').slice(0, MAX_HEADER_LENGTH).toLowerCase().split(',');
  const ours = named.map((range) => range.trim().slice(0, 2)).find((code) => LANGUAGES.some((known) => known === code));
  return (ours as Language | undefined) ?? ofText;
}
