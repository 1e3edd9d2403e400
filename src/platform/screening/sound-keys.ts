import { type Script, VOWELLESS } from './transliteration.ts';

const DIGRAPHS: readonly (readonly [string, string])[] = [
  ['shch', 'S'],
  ['tsch', 'S'],
  ['sch', 'S'],
  ['dzh', 'j'],
  ['tch', 'S'],
  ['sh', 'S'],
  ['ch', 'S'],
  ['kh', 'h'],
  ['gh', 'g'],
  ['ph', 'f'],
  ['th', 't'],
  ['dh', 'd'],
  ['zh', 'j'],
  ['dj', 'j'],
  ['ck', 'k'],
  ['ts', 'c'],
  ['tz', 'c'],
  ['ks', 'x'],
  ['ou', 'u'],
  ['oo', 'u'],
  ['ie', 'i'],
  ['ee', 'i'],
  ['ei', 'i'],
  ['ey', 'i'],
  ['iy', 'i'],
  ['yi', 'i'],
  ['ij', 'i'],
  ['ay', 'ai'],
  ['ya', 'ia'],
  ['yu', 'iu'],
  ['ye', 'i'],
  ['je', 'i'],
  ['ju', 'iu'],
  ['ja', 'ia'],
];
const DIGRAPHS_BY_CODE = Array.from({ length: 128 }, (_, code) =>
  DIGRAPHS.filter(([letters]) => letters.charCodeAt(0) === code),
);
const SINGLES: Readonly<Record<string, string>> = {
  q: 'k',
  c: 'k',
  w: 'v',
  o: 'u',
  y: 'i',
  e: 'i',
  '0': 'u',
  '1': 'i',
};
const VOWELS = new Set('aiu');
/** Greek writes b, d and g at the start of a word with two letters. */
const FIRST_SOUNDS: Readonly<Record<string, string>> = { mp: 'b', nt: 'd', gk: 'g' };
const SOFT = 'eiy';
const ANY_VOWEL = 'aeiou';

/** A letter alone: a c before e or i is soft, a j after a vowel and before none is an i, as in Zajcev. */
function soundOfLetter(text: string, at: number, one: string): string {
  const next = text[at + 1];
  if (one === 'c' && next !== undefined && SOFT.includes(next)) return 's';
  if (
    one === 'j' &&
    at > 0 &&
    ANY_VOWEL.includes(text[at - 1] as string) &&
    (next === undefined || !ANY_VOWEL.includes(next))
  )
    return 'i';
  return SINGLES[one] ?? one;
}

/** Words that sound alike have the same key. Made of a-z and S; doubled letters are merged. */
export function soundKey(text: string): string {
  let key = '';
  let last = '';
  const first = FIRST_SOUNDS[text.slice(0, 2)];
  if (first !== undefined) key = last = first;
  for (let at = first === undefined ? 0 : 2; at < text.length; ) {
    const one = text[at] as string;
    let sound = soundOfLetter(text, at, one);
    let taken = 1;
    for (const [letters, heard] of DIGRAPHS_BY_CODE[text.charCodeAt(at)] ?? []) {
      if (letters.charCodeAt(1) !== text.charCodeAt(at + 1)) continue;
      if (!text.startsWith(letters, at)) continue;
      sound = heard;
      taken = letters.length;
      break;
    }
    at += taken;
    if (sound[0] !== last) key += sound;
    else if (sound.length === 2) key += sound[1];
    last = sound[sound.length - 1] as string;
  }
  return key.length > 2 && key.endsWith('h') ? key.slice(0, -1) : key;
}

/** The consonants of a sound key; a vowel at the start is kept as one sign. */
export function soundSkeleton(key: string): string {
  let skeleton = VOWELS.has(key[0] as string) ? 'a' : '';
  for (const one of key) if (!VOWELS.has(one) && skeleton[skeleton.length - 1] !== one) skeleton += one;
  return skeleton;
}

const LATIN_CONSONANT_PAIRS: Readonly<Record<string, string>> = {
  kh: 'k',
  ck: 'k',
  sh: 's',
  ch: 's',
  th: 't',
  dh: 'd',
  gh: 'g',
  zh: 'z',
  ph: 'f',
  dj: 'j',
  dz: 'z',
  ts: 's',
};
const LATIN_CONSONANTS: Readonly<Record<string, string>> = {
  x: 'k',
  q: 'k',
  c: 'k',
  p: 'b',
  v: 'f',
  a: '',
  e: '',
  i: '',
  o: '',
  u: '',
  y: '',
  w: '',
};
const MAX_VARIANTS = 8;

/** The consonants of a Latin word as a script without vowels would write them. */
export function consonantKey(text: string): string {
  let key = '';
  for (let at = 0; at < text.length; ) {
    const isSch = text.startsWith('sch', at);
    const pair = isSch ? 's' : LATIN_CONSONANT_PAIRS[text.slice(at, at + 2)];
    const one = text[at] as string;
    const sound = pair ?? LATIN_CONSONANTS[one] ?? one;
    at += isSch ? 3 : pair === undefined ? 1 : 2;
    if (sound !== '' && key[key.length - 1] !== sound) key += sound;
  }
  return key.length > 1 && key.endsWith('h') ? key.slice(0, -1) : key;
}

/** Letters that are heard in more than one way; the first is the usual one. */
const ARABIC_SOUNDS: Readonly<Record<string, readonly string[]>> = {
  ث: ['t', 's'],
  ة: ['', 't'],
  ذ: ['d', 'z'],
  ظ: ['z', 'd'],
  ض: ['d', 'z'],
  ق: ['k', 'g'],
  ج: ['j', 'g'],
  و: ['', 'f'],
  غ: ['g', 'k'],
  چ: ['s', 'k'],
  ב: ['b', 'f'],
  פ: ['b', 'f'],
  ף: ['b', 'f'],
  ו: ['', 'f'],
  צ: ['s', 'z'],
  ץ: ['s', 'z'],
  ח: ['k', 'h'],
  ג: ['g', 'j'],
  พ: ['b', 'f'],
  ภ: ['b', 'f'],
  ผ: ['b', 'f'],
  จ: ['s', 'j'],
  ช: ['s', 'j'],
  ว: ['', 'f'],
};

/** Consonant keys of a word in Arabic or Hebrew script, from its Latin letters and its own. */
export function consonantKeys(original: string, text: string, script: Script): string[] {
  if (!VOWELLESS.has(script)) return [consonantKey(text)];
  let keys = [''];
  const letters = Array.from(original);
  for (const [place, letter] of letters.entries()) {
    const sounds = ARABIC_SOUNDS[letter] ?? [consonantOf(letter, place === letters.length - 1)];
    const grown = keys.flatMap((key) =>
      sounds.map((sound) => (sound === '' || key.endsWith(sound) ? key : key + sound)),
    );
    keys = [...new Set(grown)].slice(0, MAX_VARIANTS);
  }
  return keys;
}

const PLAIN_CONSONANTS = new Map<string, string>();
for (const row of 'b بپ|t تطٹת|t ט|h حهہھ|k خكکקכך|d دڈד|r رڑר|z زژז|s سشصשס|g گ|f ف|l لל|m مמם|n نںנן|f ڤۋฝฟ|k กขฃคฅฆ|ng ง|s ฉซฌศษส|d ฎด|t ฏฐฑฒตถทธ|n ณน|b บป|m มำ|r รฤ|l ลฬ|h หฮ'.split(
  '|',
)) {
  const [sound = '', letters = ''] = row.split(' ');
  for (const letter of letters) PLAIN_CONSONANTS.set(letter, sound);
}

function consonantOf(letter: string, isLast: boolean): string {
  if (isLast && 'هةہۀה'.includes(letter)) return '';
  if (letter === 'ה') return 'h';
  return PLAIN_CONSONANTS.get(letter) ?? '';
}

/** One sign per Korean sound, the same for southern and northern spelling. */
export function koreanKey(text: string): string {
  return text
    .replace(/ch/g, 'j')
    .replace(/[kg]+/g, 'k')
    .replace(/[td]+/g, 't')
    .replace(/[pb]+/g, 'p')
    .replace(/[rl]+/g, 'l')
    .replace(/s+h?/g, 's')
    .replace(/eo|ou|oh|ŏ/g, 'o')
    .replace(/eu|oo|woo/g, 'u')
    .replace(/yo/g, 'o')
    .replace(/ae|ay/g, 'e')
    .replace(/ee|ui|yi/g, 'i');
}

/** A bit per letter or digit, for cheap comparison of what two words are made of. */
export function letterMask(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) mask |= 1 << (text.charCodeAt(at) % 31);
  return mask;
}

export function bitCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
