import { HAN_SYLLABLES } from './han-syllables.ts';
import { letterTable } from './scripts/letter-table.ts';

/** Writing systems that are compared by rules of their own; `rough` ones are read, but too far from how names are spelt. */
export type Script =
  | 'latin'
  | 'cyrillic'
  | 'greek'
  | 'arabic'
  | 'hebrew'
  | 'han'
  | 'hangul'
  | 'kana'
  | 'thai'
  | 'rough'
  | 'other';

const CYRILLIC =
  'а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю yu я ya і i ї yi є ye ґ g ў u ј j љ lj њ nj ћ c ђ dj џ dz ѓ g ќ k ѕ dz ә a ғ g қ k ң n ө o ұ u ү u һ h җ j ҳ h ҷ j ӣ i ӯ u ѐ e ѝ i ӏ - ҙ z ҡ k ҫ s ҕ gh ҥ ng ҟ k ҝ g ҹ ch ҽ ch ҿ ch ӌ ch ӡ dz ҵ ts ҭ t ԥ p ҧ p ҩ o ӷ gh ӄ k ӈ n ӕ a ѣ e ѳ f ѵ i';
const GREEK = 'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o';
const PAIRS: Readonly<Record<string, string>> = {
  дж: 'j',
  ου: 'ou',
  γγ: 'ng',
  μπ: 'b',
  ντ: 'd',
  γκ: 'g',
  αυ: 'av',
  ευ: 'ev',
};
const ARMENIAN =
  'ա a բ b գ g դ d ե e զ z է e ը e թ t ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch մ m յ y ն n շ sh ո o չ ch պ p ջ j ռ r ս s վ v տ t ր r ց ts ւ v փ p ք k օ o ֆ f և ev';
const GEORGIAN =
  'ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h';
const ARABIC =
  'ا a أ a إ a آ a ٱ a ب b پ p ت t ث th ة h ج j ح h خ kh چ ch د d ذ dh ر r ز z ژ zh س s ش sh ص s ض d ط t ظ z ع - غ gh ف f ق q ك k ک k گ g ل l م m ن n ه h ہ h ھ h ۀ h و w ؤ w ي y ی y ى a ئ y ء - ٹ t ڈ d ڑ r ں n ے y ڤ v ۋ v ـ -' +
  // Pashto, Kurdish, Uyghur, Sindhi and Punjabi.
  ' ټ t ډ d ړ r ږ zh ښ sh ڼ n ځ z څ ts ګ g ۍ y ې y ۆ w ێ y ە a ۇ w ۈ w ڕ r ڵ l ڭ n ۃ h ݨ n ڻ n ڄ j ڃ n ڇ ch ڦ f ڪ k ڳ g ڱ n ڀ b ٺ t ٽ t ٿ t ڌ d ڏ d ڊ d ڍ d ڙ r ٲ a';
const HEBREW =
  'א a ב b ג g ד d ה h ו w ז z ח kh ט t י y כ k ך k ל l מ m ם m נ n ן n ס s ע - פ p ף p צ ts ץ ts ק k ר r ש sh ת t װ w ױ y ײ y';
const LATIN =
  'ß ss æ ae œ oe ø o đ d ð d þ th ł l ı i ŋ n ħ h ə a ʻ - ʼ - ĸ k ŧ t ſ s ƒ f ɣ g ɔ o ɛ e ɓ b ɗ d ɖ d ƙ k ƴ y ɲ ny ʋ v ɨ i ʉ u ǝ e ɩ i ʊ u ɑ a ʒ z ʃ sh ɠ g ǥ g ƶ z ƀ b ɍ r ꞌ -';
const KANA =
  'ア a イ i ウ u エ e オ o カ ka キ ki ク ku ケ ke コ ko ガ ga ギ gi グ gu ゲ ge ゴ go サ sa シ shi ス su セ se ソ so ザ za ジ ji ズ zu ゼ ze ゾ zo タ ta チ chi ツ tsu テ te ト to ダ da ヂ ji ヅ zu デ de ド do ナ na ニ ni ヌ nu ネ ne ノ no ハ ha ヒ hi フ fu ヘ he ホ ho バ ba ビ bi ブ bu ベ be ボ bo パ pa ピ pi プ pu ペ pe ポ po マ ma ミ mi ム mu メ me モ mo ヤ ya ユ yu ヨ yo ャ ya ュ yu ョ yo ラ ra リ ri ル ru レ re ロ ro ワ wa ヲ o ン n ッ - ー - ァ a ィ i ゥ u ェ e ォ o ヴ v ヰ i ヱ e ヮ wa ヵ ka ヶ ke';
/** Vowels before and above a letter are left out: a name is compared by its consonants. */
const THAI =
  'ก k ข kh ฃ kh ค kh ฅ kh ฆ kh ง ng จ ch ฉ ch ช ch ซ s ฌ ch ญ y ฎ d ฏ t ฐ th ฑ th ฒ th ณ n ด d ต t ถ th ท th ธ th น n บ b ป p ผ p ฝ f พ p ฟ f ภ p ม m ย y ร r ล l ว w ศ s ษ s ส s ห h ฬ l อ - ฮ h ะ a า a ำ m เ - แ - โ - ไ - ใ - ฤ r ฦ l ๅ - ๆ -';
const TABLES: readonly (readonly [Script, string])[] = [
  ['cyrillic', CYRILLIC],
  ['greek', GREEK],
  ['other', ARMENIAN],
  ['other', GEORGIAN],
  ['arabic', ARABIC],
  ['hebrew', HEBREW],
  ['latin', LATIN],
  ['kana', KANA],
  ['thai', THAI],
];

/** Scripts of one character per syllable, each a word of its own. */
export const SYLLABIC: ReadonlySet<Script> = new Set(['han', 'hangul']);
/** Scripts that write few vowels: compared with Latin letters by consonants. */
export const VOWELLESS: ReadonlySet<Script> = new Set(['arabic', 'hebrew', 'thai']);

const LETTERS = new Map<string, { readonly latin: string; readonly script: Script }>();
for (const [script, table] of TABLES) {
  for (const [letter, latin] of letterTable(table)) LETTERS.set(letter, { latin, script });
}
const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const LEADS = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const TAILS = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

function hangulSyllable(code: number): string {
  const offset = code - HANGUL_FIRST;
  const parts = [LEADS[Math.floor(offset / 588)], VOWELS[Math.floor((offset % 588) / 28)], TAILS[offset % 28]];
  return parts.filter((part) => part !== '-').join('');
}

export interface LatinForm {
  readonly latin: string;
  readonly script: Script;
  /** Each Han or Hangul character is a word of its own. */
  readonly isSyllable: boolean;
  /** How many characters of the text it stands for. */
  readonly taken: number;
}

const KATAKANA_OFFSET = 0x60;

/** Small letters that are read with the one before. */
const GLIDES: Readonly<Record<string, string>> = { ャ: 'ya', ュ: 'yu', ョ: 'yo' };

function katakana(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  return code >= 0x3041 && code <= 0x3096 ? String.fromCodePoint(code + KATAKANA_OFFSET) : one;
}

/** The Latin form of the character at a place of lower-case text, or undefined when it is no letter of a known script. */
export function latinFormAt(characters: readonly string[], at: number): LatinForm | undefined {
  const one = characters[at] as string;
  const code = one.codePointAt(0) as number;
  if (code < 0x80) return undefined;
  const pair = PAIRS[one + (characters[at + 1] ?? '')];
  if (pair !== undefined)
    return { latin: pair, script: one === 'д' ? 'cyrillic' : 'greek', isSyllable: false, taken: 2 };
  if (code >= HANGUL_FIRST && code <= HANGUL_LAST) {
    return { latin: hangulSyllable(code), script: 'hangul', isSyllable: true, taken: 1 };
  }
  const han = HAN_SYLLABLES.get(one);
  if (han !== undefined) return { latin: han, script: 'han', isSyllable: true, taken: 1 };
  const letter = LETTERS.get(katakana(one));
  const glide = letter?.script === 'kana' ? GLIDES[katakana(characters[at + 1] ?? '')] : undefined;
  if (letter !== undefined && glide !== undefined && letter.latin.endsWith('i')) {
    const sound = letter.latin.slice(0, -1);
    const latin = /^(?:sh|ch|j)$/.test(sound) ? sound + glide.slice(1) : sound + glide;
    return { latin, script: 'kana', isSyllable: false, taken: 2 };
  }
  return letter === undefined ? undefined : { ...letter, isSyllable: false, taken: 1 };
}
