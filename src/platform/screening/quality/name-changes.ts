import type { Dice } from './common-names.ts';

export const PLANTED_FORMS = 'LLC Ltd GmbH B.V. N.V. OOO JSC Co. Inc. S.A. FZE'.split(' ');
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const VARIANTS: readonly (readonly [string, string])[] = [
  ['kh', 'h'],
  ['h', 'kh'],
  ['sh', 'ch'],
  ['ou', 'u'],
  ['u', 'ou'],
  ['oo', 'u'],
  ['ee', 'i'],
  ['iy', 'y'],
  ['ei', 'ey'],
  ['ey', 'ei'],
  ['q', 'k'],
  ['k', 'q'],
  ['w', 'v'],
  ['v', 'w'],
  ['ph', 'f'],
  ['y', 'i'],
  ['i', 'y'],
  ['zh', 'j'],
  ['x', 'ks'],
  ['ks', 'x'],
  ['dj', 'j'],
  ['ss', 's'],
  ['mm', 'm'],
  ['aa', 'a'],
  ['e', 'i'],
  ['o', 'u'],
  ['ts', 'tz'],
  ['c', 'k'],
];
const FORM_WORD =
  /^(?:llc|ltd|limited|gmbh|ag|s\.?a\.?|inc\.?|corp\.?|co\.?|company|ooo|oao|jsc|bv|b\.v\.|n\.v\.|fze|sarl|s\.a\.r\.l\.|ltda|plc|pjsc)[.,]?$/i;

type Mangle = (parts: string[], dice: Dice) => string[] | undefined;

/** Changes one letter-bearing word of four letters or more. */
function inWord(change: (word: string, at: number, dice: Dice) => string): Mangle {
  return (parts, dice) => {
    const long = parts.map((_, at) => at).filter((at) => /^[a-z]{5,}$/i.test(parts[at] as string));
    if (long.length === 0) return undefined;
    const at = dice.of(long);
    const word = parts[at] as string;
    return parts.with(at, change(word, 1 + dice.below(word.length - 2), dice));
  };
}

const MANGLES: Readonly<Record<string, Mangle>> = {
  typo: inWord((word, at, dice) => word.slice(0, at) + dice.of(LETTERS) + word.slice(at + 1)),
  missing: inWord((word, at) => word.slice(0, at) + word.slice(at + 1)),
  doubled: inWord((word, at) => word.slice(0, at) + word[at] + word.slice(at)),
  swapped: inWord((word, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)),
  reordered: (parts) => (parts.length < 2 ? undefined : [parts.at(-1) as string, ...parts.slice(0, -1)]),
  joined: (parts, dice) => {
    if (parts.length < 2) return undefined;
    const at = dice.below(parts.length - 1);
    return [...parts.slice(0, at), `${parts[at]}${parts[at + 1]}`, ...parts.slice(at + 2)];
  },
  split: (parts, dice) => {
    const long = parts.map((_, at) => at).filter((at) => (parts[at] as string).length >= 7);
    if (long.length === 0) return undefined;
    const at = dice.of(long);
    const cut = 3 + dice.below((parts[at] as string).length - 5);
    return [
      ...parts.slice(0, at),
      (parts[at] as string).slice(0, cut),
      (parts[at] as string).slice(cut),
      ...parts.slice(at + 1),
    ];
  },
  dropped_middle: (parts, dice) =>
    parts.length < 3 || parts.some((part) => FORM_WORD.test(part))
      ? undefined
      : parts.toSpliced(1 + dice.below(parts.length - 2), 1),
  initial: (parts, dice) => {
    if (parts.length < 3 || parts.some((part) => FORM_WORD.test(part))) return undefined;
    const at = dice.below(parts.length - 1);
    return parts.with(at, `${(parts[at] as string)[0]}.`);
  },
  spelling: (parts, dice) => {
    const text = parts.join(' ').toLowerCase();
    const usable = VARIANTS.filter(([from]) => text.slice(1).includes(from));
    if (usable.length === 0) return undefined;
    const [from, to] = dice.of(usable);
    const at = text.indexOf(from, 1);
    return (text.slice(0, at) + to + text.slice(at + from.length)).split(' ');
  },
  form_changed: (parts, dice) => {
    const at = parts.findIndex((part) => FORM_WORD.test(part));
    return at === -1 || parts.length < 2
      ? undefined
      : dice.chance(0.5)
        ? parts.toSpliced(at, 1)
        : [...parts, dice.of(PLANTED_FORMS)];
  },
  case_and_marks: (parts) => [parts.join('-').toUpperCase()],
};

/** One change that people make to a name, and its kind. */
export function mangled(name: string, dice: Dice): { text: string; kind: string } {
  const parts = name
    .replace(/,/g, ' ')
    .split(/\s+/)
    .filter((part) => part !== '');
  const kinds = Object.keys(MANGLES);
  const first = dice.below(kinds.length);
  for (let turn = 0; turn < kinds.length; turn += 1) {
    const kind = kinds[(first + turn) % kinds.length] as string;
    const changed = MANGLES[kind]?.(parts, dice);
    if (changed !== undefined) return { text: changed.join(' '), kind };
  }
  return { text: name, kind: 'none' };
}

function cellsOf(table: string): (readonly [string, string])[] {
  const cells = table.split(' ');
  return cells.flatMap((cell, at) => (at % 2 === 0 ? [[cell, cells[at + 1] as string] as const] : []));
}

const TO_CYRILLIC = cellsOf(
  'shch щ kh х zh ж ch ч sh ш ts ц yu ю ya я ye е yo ё iy ий ay ай ey ей oy ой x кс a а b б c к d д e е f ф g г h х i и j дж k к l л m м n н o о p п q к r р s с t т u у v в w в y ы z з',
);
const TO_ARABIC = cellsOf(
  'kh خ sh ش th ث dh ذ gh غ zh ژ ch چ ou و oo و ee ي aa ا ai ي ay ي ei ي aw و b ب c ك d د f ف g غ h ه j ج k ك l ل m م n ن p پ q ق r ر s س t ت v ف w و x كس y ي z ز',
);
const KNOWN_ARABIC: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  'muhammad محمد mohammed محمد mohammad محمد mohamed محمد ahmad أحمد ahmed أحمد ali علي hassan حسن hasan حسن hussein حسين husayn حسين hossein حسين khalid خالد khaled خالد ibrahim إبراهيم abdullah عبدالله abdallah عبدالله omar عمر umar عمر uthman عثمان othman عثمان osman عثمان yusuf يوسف youssef يوسف mustafa مصطفى mahmoud محمود mahmud محمود salim سالم salih صالح saleh صالح said سعيد saeed سعيد jamal جمال nasir ناصر nasser ناصر karim كريم rahman رحمن aziz عزيز rashid رشيد hamid حامد abbas عباس jafar جعفر qasim قاسم sharif شريف tariq طارق fatima فاطمة maryam مريم ismail إسماعيل isa عيسى musa موسى dawud داود sulayman سليمان yahya يحيى bakr بكر reza رضا mehdi مهدي mahdi مهدي akbar أكبر amin أمين malik مالك parviz پرویز faraj فرج iraqi عراقي tikriti تكريتي masri مصري libi ليبي tunisi تونسي'
    .split(' ')
    .flatMap((cell, at, all) => (at % 2 === 0 ? [[cell, all[at + 1]]] : [])),
);
const ARABIC_ALTERNATIVES: Readonly<Record<string, string>> = {
  t: 'تط',
  s: 'سص',
  d: 'دض',
  h: 'هح',
  k: 'كق',
  z: 'زظ',
  g: 'غج',
};

/** A Latin name as Russian would write it. */
export function inCyrillic(name: string): string {
  let text = '';
  const latin = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z\s-]/g, '');
  for (let at = 0; at < latin.length; ) {
    const found = TO_CYRILLIC.find(([from]) => latin.startsWith(from, at));
    text += found?.[1] ?? latin[at];
    at += found?.[0].length ?? 1;
  }
  return text.replace(/([аеиоуы])ы/g, '$1й').replace(/\bе/g, 'э');
}

function arabicWord(latin: string, dice: Dice): string {
  const known = KNOWN_ARABIC[latin];
  if (known !== undefined) return known;
  let text = '';
  for (let at = 0; at < latin.length; ) {
    const found = TO_ARABIC.find(([from]) => latin.startsWith(from, at));
    const one = latin[at] as string;
    if (found !== undefined) {
      if (latin[at - 1] !== one || found[0].length > 1)
        text +=
          found[0].length === 1 && ARABIC_ALTERNATIVES[one] !== undefined
            ? dice.of(Array.from(ARABIC_ALTERNATIVES[one]))
            : found[1];
    } else if (at === 0) text += dice.of(['ا', 'ع', 'ا']);
    else if (one === 'a') text += dice.chance(0.4) || at === latin.length - 1 ? 'ا' : '';
    else if (one === 'i') text += dice.chance(0.5) || at === latin.length - 1 ? 'ي' : '';
    else if (one === 'u' || one === 'o') text += dice.chance(0.5) || at === latin.length - 1 ? 'و' : '';
    at += found?.[0].length ?? 1;
  }
  return text;
}

/** A Latin name of Arabic or Persian origin as its own script would write it. */
export function inArabic(name: string, dice: Dice): string {
  const parts = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/['’`]/g, '')
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
  const shown: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as string;
    const isArticle = /^(al|el)$/.test(part) && parts[at + 1] !== undefined;
    if (isArticle) shown.push(`ال${arabicWord(parts[(at += 1)] as string, dice)}`);
    else if (/^abd(ul|el|al)?$/.test(part) && parts[at + 1] !== undefined) {
      const next = parts[at + 1] === 'al' && parts[at + 2] !== undefined ? 2 : 1;
      at += next;
      shown.push(`عبد ال${arabicWord(parts[at] as string, dice)}`);
    } else if (/^(bin|ben|ibn)$/.test(part)) shown.push('بن');
    else if (/^(abu|abou)$/.test(part)) shown.push('أبو');
    else shown.push(arabicWord(part, dice));
  }
  return shown.join(' ');
}
