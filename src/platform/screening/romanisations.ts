import { HAN_SYLLABLES } from './han-syllables.ts';

/** Older and other ways to write Chinese, Korean and Japanese names in Latin letters. */

/** Syllables of Mandarin as they are written today. */
export const PINYIN: ReadonlySet<string> = new Set(HAN_SYLLABLES.values());

const WADE_GILES_INITIALS: readonly (readonly [string, string])[] = [
  ['zh', 'ch'],
  ['ch', "ch'"],
  ['sh', 'sh'],
  ['b', 'p'],
  ['p', "p'"],
  ['d', 't'],
  ['t', "t'"],
  ['g', 'k'],
  ['k', "k'"],
  ['j', 'ch'],
  ['q', "ch'"],
  ['x', 'hs'],
  ['z', 'ts'],
  ['c', "ts'"],
  ['r', 'j'],
];
/** Syllables that do not follow from initial and final. */
const WADE_GILES_WHOLE: Readonly<Record<string, string>> = {
  zhi: 'chih',
  chi: "ch'ih",
  shi: 'shih',
  ri: 'jih',
  zi: 'tzu',
  ci: "tz'u",
  si: 'szu',
  er: 'erh',
  ye: 'yeh',
  yan: 'yen',
  yong: 'yung',
  yue: 'yueh',
  yi: 'i',
  you: 'yu',
  ge: 'ko',
  ke: "k'o",
  he: 'ho',
  gui: 'kuei',
  kui: "k'uei",
};
const WADE_GILES_FINALS: Readonly<Record<string, string>> = {
  ie: 'ieh',
  ue: 'ueh',
  ian: 'ien',
  ong: 'ung',
  iong: 'iung',
};
/** Initials after which -uo is written -o. */
const SHORT_O = 'dtlnzcsr';

function wadeGiles(pinyin: string): string {
  const whole = WADE_GILES_WHOLE[pinyin];
  if (whole !== undefined) return whole;
  const [initial, shown] = WADE_GILES_INITIALS.find(([one]) => pinyin.startsWith(one)) ?? ['', ''];
  const rest = pinyin.slice(initial.length);
  if (rest === 'uo' && (SHORT_O.includes(initial[0] ?? 'x') || initial === 'zh')) return `${shown}o`;
  const own = initial === '' ? (/^[^aeiou]{1,2}/.exec(rest)?.[0] ?? '') : '';
  const final = rest.slice(own.length);
  if (own !== '' && SHORT_O.includes(own) && final === 'uo') return `${own}o`;
  return shown + own + (WADE_GILES_FINALS[final] ?? final);
}

/** With the sign of breath, and without: many leave it out, and the form without breath is the likelier one. */
const FROM_WADE_GILES = new Map<string, string>();
const LIKELIER: Readonly<Record<string, string>> = {
  chang: 'zhang',
  chou: 'zhou',
  cheng: 'zheng',
  chao: 'zhao',
  chu: 'zhu',
  chung: 'zhong',
  tsai: 'cai',
  tsao: 'cao',
  tsui: 'cui',
  chiu: 'qiu',
  tien: 'tian',
  chiao: 'qiao',
  chin: 'jin',
  hsu: 'xu',
  lee: 'li',
  ssu: 'si',
};
for (const pinyin of PINYIN) FROM_WADE_GILES.set(wadeGiles(pinyin), pinyin);
for (const pinyin of PINYIN) {
  const bare = wadeGiles(pinyin).replace("'", '');
  if (!FROM_WADE_GILES.has(bare)) FROM_WADE_GILES.set(bare, pinyin);
}

const BREATH = /['’‘ʻʼ`´]/g;
const PARTS = /[\s,.-]{1,9}/;
const MAX_PARTS = 4;
const NO_SYLLABLE = /[^a-z'üû]/;

/** A quick look at the first word of a name, without the sign of breath. */
export function mayBeWadeGiles(word: string): boolean {
  return FROM_WADE_GILES.has(word) || LIKELIER[word] !== undefined;
}

/** The name in today's letters, where each word is a syllable of Wade and Giles and one is none of today's. */
export function fromWadeGiles(name: string): string | undefined {
  const parts = name
    .toLowerCase()
    .normalize('NFC')
    .replace(BREATH, "'")
    .split(PARTS)
    .filter((part) => part !== '');
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const hasBreath = parts.some((part) => part.includes("'"));
  let isOld = false;
  const read: string[] = [];
  for (const part of parts) {
    if (part.length > 7 || NO_SYLLABLE.test(part)) return undefined;
    const plain = part.replace(/[üû]/g, 'u');
    const found = hasBreath
      ? FROM_WADE_GILES.get(plain)
      : (LIKELIER[plain] ?? (PINYIN.has(plain) ? plain : FROM_WADE_GILES.get(plain)));
    if (found === undefined) return undefined;
    if (!PINYIN.has(plain)) isOld = true;
    read.push(found);
  }
  return isOld ? read.join(' ') : undefined;
}

const KOREAN_FAMILIES: ReadonlySet<string> = new Set(
  'kim gim lee yi ri rhee i li park pak bak choi choe chue jung jeong jong chong chung cho jo kang gang yun yoon youn chang jang im lim rim han o oh so seo suh sin shin kwon gwon hwang an ahn song ryu yu yoo you hong chon jeon chun jun ko go koh mun moon yang son sohn pae bae paek baek ho heo huh hur nam sim shim no roh ro noh ha kwak gwak sung seong cha chu ju joo u woo ku gu koo min chin jin na ra om eom won chae pang bang kong gong hyon hyun ham byun byeon pyon ryang ryom tae to do mo'.split(
    ' ',
  ),
);
const KOREAN_SYLLABLE =
  /^(kk|tt|pp|ss|jj|ch|sh|rh|k|g|n|d|t|r|l|m|b|p|s|j|h)?(y|w)?(eui|eo|eu|ae|ai|ay|oe|oi|ee|oo|ou|ui|a|e|i|o|u)h?(ng|ck|k|g|n|m|l|rk|r|p|b|t)?(?![aeiou])/;
const KOREAN_INITIALS: Readonly<Record<string, string>> = {
  kk: 'k',
  g: 'k',
  tt: 't',
  d: 't',
  pp: 'p',
  b: 'p',
  ss: 's',
  sh: 's',
  jj: 'j',
  ch: 'j',
  r: 'l',
  rh: 'l',
};
const KOREAN_VOWELS: Readonly<Record<string, string>> = {
  eo: 'o',
  ou: 'o',
  eu: 'u',
  oo: 'u',
  ae: 'e',
  ai: 'e',
  ay: 'e',
  oi: 'oe',
  ee: 'i',
  ui: 'i',
  eui: 'i',
};
const KOREAN_FINALS: Readonly<Record<string, string>> = { ck: 'k', g: 'k', rk: 'k', r: 'l', b: 'p' };
/** Spellings for English ears: u for the sound between o and u. */
const KOREAN_WHOLE: Readonly<Record<string, string>> = {
  sung: 'song',
  jung: 'jong',
  jul: 'jol',
  pum: 'pom',
  tuk: 'tok',
  kun: 'kon',
  li: 'i',
  yi: 'i',
  wu: 'u',
  lo: 'no',
  lim: 'im',
  lyu: 'yu',
  jue: 'joe',
};
const MAX_KOREAN_SYLLABLES = 4;

function koreanSyllables(word: string): string[] | undefined {
  const found: string[] = [];
  for (let rest = word; rest !== ''; ) {
    const match = KOREAN_SYLLABLE.exec(rest);
    if (match === null || found.length === MAX_KOREAN_SYLLABLES) return undefined;
    const [all, initial = '', glide = '', vowel = '', final = ''] = match;
    const last = KOREAN_FINALS[final] ?? final;
    const heard = KOREAN_VOWELS[vowel] ?? vowel;
    const isEnglish = glide === 'y' && heard === 'u' && last !== '' && initial !== '';
    const middle = glide === 'w' && heard === 'u' ? 'u' : glide + (isEnglish ? 'o' : heard);
    const syllable = (KOREAN_INITIALS[initial] ?? initial) + middle + last;
    found.push(KOREAN_WHOLE[syllable] ?? syllable);
    rest = rest.slice(all.length);
  }
  return found;
}

/** The syllables of a name that may be Korean, the same for southern, northern and English spelling. */
export function koreanReading(words: readonly string[]): string[] | undefined {
  if (words.length < 2 || words.length > MAX_KOREAN_SYLLABLES) return undefined;
  if (!KOREAN_FAMILIES.has(words[0] as string) && !KOREAN_FAMILIES.has(words.at(-1) as string)) return undefined;
  const read: string[] = [];
  for (const word of words) {
    if (word.length > 10) return undefined;
    const syllables = koreanSyllables(word);
    if (syllables === undefined) return undefined;
    read.push(...syllables);
  }
  return read.length <= MAX_KOREAN_SYLLABLES ? read : undefined;
}

const JAPANESE_END = /[aeioun]$/;
const JAPANESE_WORD =
  /^(?:(?:sh|ch|ts|[kgnhbpmrszdt]y|[kgsztdnhbpmrwyjf])?[aeiou]{1,2}|n(?![aeiou])|(?:kk|ss|tt|pp)[aeiou]){2,9}$/;
/** Letters of the older Japanese way, and of Hepburn's. */
const OLD_JAPANESE: readonly (readonly [RegExp, string])[] = [
  [/sy(?=[auo])/g, 'sh'],
  [/ty(?=[auo])/g, 'ch'],
  [/zy(?=[auo])/g, 'j'],
  [/si/g, 'shi'],
  [/ti/g, 'chi'],
  [/tu/g, 'tsu'],
  [/hu/g, 'fu'],
  [/zi/g, 'ji'],
];
const IS_OLD_JAPANESE = /(?<![cs])hu|[sz]i|[tsz]y|t[iu]/;

/** The words in Hepburn's letters, where all may be Japanese and one is written the older way. */
export function fromOldJapanese(words: readonly string[]): string[] | undefined {
  if (words.length < 2 || words.length > 3 || !words.some((word) => IS_OLD_JAPANESE.test(word))) return undefined;
  if (!words.every((word) => word.length <= 14 && JAPANESE_END.test(word))) return undefined;
  if (!words.every((word) => JAPANESE_WORD.test(word))) return undefined;
  return words.map((word) => OLD_JAPANESE.reduce((text, [old, now]) => text.replace(old, now), word));
}
