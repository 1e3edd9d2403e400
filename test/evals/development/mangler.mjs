// Changes that people and machines make to names, one per kind. For development: not the module that figures are published of.
const VOWELS = Array.from('aeiou');
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const DIGIT_FOR = { o: '0', l: '1', i: '1', e: '3', s: '5', b: '8' };
const FORMS = ['LLC', 'Ltd', 'Limited', 'GmbH', 'JSC', 'Co.', 'Inc.', 'S.A.', 'OOO', 'Company'];
const TITLES = ['Mr.', 'Dr.', 'Sheikh', 'Haji', 'Gen.'];
const SPELLINGS = [
  ['ee', 'i'],
  ['ou', 'u'],
  ['oo', 'u'],
  ['kh', 'h'],
  ['q', 'k'],
  ['ph', 'f'],
  ['y', 'i'],
  ['dh', 'd'],
  ['sh', 'ch'],
  ['j', 'dj'],
  ['w', 'v'],
  ['aa', 'a'],
  ['ei', 'ey'],
  ['ks', 'x'],
  ['c', 'k'],
  ['u', 'ou'],
  ['iy', 'y'],
  ['gh', 'g'],
];
const SHAPES = [
  ['rn', 'm'],
  ['m', 'rn'],
  ['cl', 'd'],
  ['vv', 'w'],
  ['li', 'h'],
  ['nn', 'm'],
  ['u', 'v'],
  ['h', 'b'],
];
const ACCENTS = { a: 'á', e: 'é', i: 'ï', o: 'ö', u: 'ü', n: 'ñ', c: 'ç', s: 'š', z: 'ž' };
const TWINS = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х' };

const below = (random, count) => Math.floor(random() * count);
const pick = (random, items) => items[below(random, items.length)];
const parts = (name) => name.split(/\s+/);

/** Changes one word that has letters enough. */
function inWord(name, random, least, change) {
  const all = parts(name);
  const places = all.map((_, at) => at).filter((at) => new RegExp(`^[A-Za-z'’-]{${least},}$`).test(all[at]));
  if (places.length === 0) return undefined;
  const at = pick(random, places);
  const changed = change(all[at]);
  return changed === undefined ? undefined : all.with(at, changed).join(' ');
}

const put = (word, at, text, taken = 1) => word.slice(0, at) + text + word.slice(at + taken);
const inside = (word, random) => 1 + below(random, word.length - 2);

const replaced = (name, random, pairs) => {
  const lower = name.toLowerCase();
  const fitting = pairs.filter(([from]) => lower.includes(from));
  if (fitting.length === 0) return undefined;
  const [from, to] = pick(random, fitting);
  const places = [...lower.matchAll(new RegExp(from, 'g'))].map(({ index }) => index);
  return put(name, pick(random, places), to, from.length);
};

const typo = (name, random) =>
  inWord(name, random, 5, (word) => put(word, inside(word, random), pick(random, LETTERS)));

const CHANGES = {
  letter_wrong: typo,
  letter_missing: (name, random) => inWord(name, random, 5, (word) => put(word, inside(word, random), '')),
  letter_added: (name, random) =>
    inWord(name, random, 5, (word) => put(word, inside(word, random), pick(random, LETTERS), 0)),
  letter_doubled: (name, random) =>
    inWord(name, random, 4, (word) => {
      const at = inside(word, random);
      return put(word, at, word[at], 0);
    }),
  letters_swapped: (name, random) =>
    inWord(name, random, 5, (word) => {
      const at = inside(word, random);
      return put(word, at, word[at + 1] + word[at], 2);
    }),
  two_typos: (name, random) => {
    const once = typo(name, random);
    return once && typo(once, random);
  },
  first_letter: (name, random) => inWord(name, random, 5, (word) => put(word, 0, pick(random, LETTERS))),
  vowel_wrong: (name, random) =>
    inWord(name, random, 5, (word) => {
      const places = [...word].map((_, at) => at).filter((at) => at > 0 && VOWELS.includes(word[at].toLowerCase()));
      return places.length === 0 ? undefined : put(word, pick(random, places), pick(random, VOWELS));
    }),
  ocr_digit: (name, random) =>
    inWord(name, random, 4, (word) => {
      const places = [...word].map((_, at) => at).filter((at) => DIGIT_FOR[word[at].toLowerCase()] !== undefined);
      if (places.length === 0) return undefined;
      const at = pick(random, places);
      return put(word, at, DIGIT_FOR[word[at].toLowerCase()]);
    }),
  ocr_digits: (name) => name.replace(/[oiles]/gi, (one, at) => (at % 3 === 0 ? DIGIT_FOR[one.toLowerCase()] : one)),
  ocr_shape: (name, random) => replaced(name, random, SHAPES),
  other_spelling: (name, random) => replaced(name, random, SPELLINGS),
  two_spellings: (name, random) => {
    const once = replaced(name, random, SPELLINGS);
    return once && replaced(once, random, SPELLINGS);
  },
  turned: (name) => {
    const all = parts(name);
    return [all.at(-1), ...all.slice(0, -1)].join(' ');
  },
  family_comma: (name) => {
    const all = parts(name);
    return `${all.at(-1).toUpperCase()}, ${all.slice(0, -1).join(' ')}`;
  },
  shuffled: (name, random) =>
    parts(name)
      .map((part) => [random(), part])
      .sort((a, b) => a[0] - b[0])
      .map(([, part]) => part)
      .join(' '),
  joined: (name, random) => {
    const all = parts(name);
    const at = below(random, all.length - 1);
    return [...all.slice(0, at), all[at] + all[at + 1], ...all.slice(at + 2)].join(' ');
  },
  split: (name, random) =>
    inWord(name, random, 7, (word) => {
      const at = 3 + below(random, word.length - 5);
      return `${word.slice(0, at)} ${word.slice(at)}`;
    }),
  hyphens: (name) => name.replaceAll(/\s+/g, '-'),
  no_hyphens: (name) => (/[-'’]/.test(name) ? name.replaceAll(/[-'’]/g, ' ') : undefined),
  middle_left_out: (name, random) => {
    const all = parts(name);
    return all.length < 4 ||
      all.some((part) => FORMS.some((form) => form.toLowerCase().startsWith(part.toLowerCase().slice(0, 3))))
      ? undefined
      : all.toSpliced(1 + below(random, all.length - 2), 1).join(' ');
  },
  middle_initial: (name, random) => {
    const all = parts(name);
    if (all.length < 3) return undefined;
    const at = 1 + below(random, all.length - 2);
    return /^[A-Za-z]{4,}$/.test(all[at]) ? all.with(at, `${all[at][0]}.`).join(' ') : undefined;
  },
  form_added: (name, random) =>
    /\b(?:llc|ltd|limited|gmbh|jsc|co|inc|company|corp)\b/i.test(name) ? undefined : `${name} ${pick(random, FORMS)}`,
  title_added: (name, random) => `${pick(random, TITLES)} ${name}`,
  case: (name, random) => (random() < 0.5 ? name.toLowerCase() : name.toUpperCase()),
  accents: (name, random) =>
    [...name].map((one) => (random() < 0.5 ? (ACCENTS[one.toLowerCase()] ?? one) : one)).join(''),
  twins: (name) => [...name].map((one, at) => (at % 2 === 0 ? (TWINS[one.toLowerCase()] ?? one) : one)).join(''),
  punctuation: (name, random) =>
    parts(name)
      .map((part) => part + pick(random, ['', ',', '.', '-']))
      .join(' '),
};

export const KINDS = Object.keys(CHANGES);

export function mangle(name, kind, random) {
  return CHANGES[kind](name, random);
}
