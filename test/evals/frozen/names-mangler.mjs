// A mangler of Latin-written listed names, the way real life mangles them. No dependencies.
//   mangle(name, kind, random) -> the mangled name, or null where the kind does not apply to this name.
//   `random` returns a number in [0,1). The same sequence of numbers gives the same result.
// A result always differs from the name. Names with letters of another script give null for every kind.
//
// The kinds:
//   typo-neighbour  one letter becomes the key next to it on a QWERTY keyboard (word of 4+ letters)
//   typo-swap       two adjacent, different letters change places (word of 4+ letters)
//   typo-drop       one letter is left out (word of 4+ letters)
//   typo-double     one letter is typed twice (word of 4+ letters)
//   typo-two        two of the four above in different places; only names of 12+ letters
//   ocr-digit       one letter inside a word of 3+ letters is read as a digit: o>0, l/i>1, e>3, s>5, b>8
//   space-lost      two neighbouring words are run together
//   space-added     a word of 6+ letters falls apart into two pieces of 2+ letters each
//   hyphen          a hyphen becomes a space or nothing; without a hyphen, a space becomes a hyphen
//   diacritics      marks are dropped (or German umlauts written ae/oe/ue); null where there are none
//   case            all capitals, all small, or caps lock left on
//   order           family name first, with or without a comma; people only
//   initial         a middle name (or, of two, one of them) becomes its initial; people of 3+ parts, without a comma
//   drop-middle     a middle name is left out; people of 3+ parts ("Abdul Rahman", "bin Saleh", "van der Meer" are one part)
//   title           Mr, Dr, Prof., Haji is put before; people only
//   punctuation     commas, full stops, quotes, apostrophes or double spaces come in, or those there go
//   phonetic        one group of letters becomes another that sounds alike: ph/f, ck/k, y/i, ou/u, sh/ch, ...
//   legal-form      a company's legal form is left out, respelt (LLC / L.L.C. / Limited Liability Company),
//                   put in front, or added where there is none; companies only

export const KINDS = [
  'typo-neighbour',
  'typo-swap',
  'typo-drop',
  'typo-double',
  'typo-two',
  'ocr-digit',
  'space-lost',
  'space-added',
  'hyphen',
  'diacritics',
  'case',
  'order',
  'initial',
  'drop-middle',
  'title',
  'punctuation',
  'phonetic',
  'legal-form',
];

const NEIGHBOURS = {
  a: 'qwsz',
  b: 'vghn',
  c: 'xdfv',
  d: 'serfcx',
  e: 'wsdr',
  f: 'drtgvc',
  g: 'ftyhbv',
  h: 'gyujnb',
  i: 'ujko',
  j: 'huikmn',
  k: 'jiolm',
  l: 'kop',
  m: 'njk',
  n: 'bhjm',
  o: 'iklp',
  p: 'ol',
  q: 'wa',
  r: 'edft',
  s: 'awedxz',
  t: 'rfgy',
  u: 'yhji',
  v: 'cfgb',
  w: 'qase',
  x: 'zsdc',
  y: 'tghu',
  z: 'asx',
};
const OCR = { o: '0', l: '1', i: '1', e: '3', s: '5', b: '8' };
const TITLES = ['Mr', 'Mr.', 'Dr', 'Dr.', 'Prof.', 'Haji'];
// Words that belong to the word after them; with it they are one part of a person's name.
const PARTICLES = new Set(
  (
    'al el ad ar as at az an ul ur abd abdul abdel abdal abdur abu abou umm bin ben ibn bint ould uld ' +
    'van von der den de da do dos das del della di du la le los las st san ter ten af av zu'
  ).split(' '),
);
const FORMS = [
  ['LLC', 'L.L.C.', 'Limited Liability Company'],
  ['Ltd', 'Ltd.', 'Limited'],
  ['Co Ltd', 'Co., Ltd.', 'Company Limited'],
  ['Inc', 'Inc.', 'Incorporated'],
  ['Corp', 'Corp.', 'Corporation'],
  ['Co', 'Co.', 'Company'],
  ['PLC', 'P.L.C.', 'Public Limited Company'],
  ['GmbH', 'G.m.b.H.', 'Gesellschaft mit beschraenkter Haftung'],
  ['AG', 'A.G.', 'Aktiengesellschaft'],
  ['SARL', 'S.A.R.L.', 'Societe a responsabilite limitee'],
  ['SA', 'S.A.', 'Societe Anonyme'],
  ['SRL', 'S.R.L.'],
  ['SpA', 'S.p.A.'],
  ['BV', 'B.V.', 'Besloten Vennootschap'],
  ['NV', 'N.V.'],
  ['OOO', 'O.O.O.', 'Obshchestvo s ogranichennoy otvetstvennostyu'],
  ['OAO', 'O.A.O.'],
  ['ZAO', 'Z.A.O.'],
  ['PAO', 'P.A.O.'],
  ['AO', 'A.O.'],
  ['JSC', 'J.S.C.', 'Joint Stock Company'],
  ['PJSC', 'P.J.S.C.', 'Public Joint Stock Company'],
  ['FZE', 'F.Z.E.', 'Free Zone Establishment'],
  ['FZCO', 'F.Z.C.O.'],
  ['FZC', 'F.Z.C.'],
  ['Pvt Ltd', '(Pvt) Ltd', 'Private Limited'],
];
// Words of firms: no person, and a legal form may be added.
const FIRM_WORDS = new Set(
  (
    'trading shipping company bank group holding holdings industries industry industrial services service enterprise ' +
    'enterprises factory plant corporation technologies technology engineering construction transport logistics aviation airlines airways ' +
    'marine maritime petroleum oil gas energy chemical exchange import export international investment investments insurance trade ' +
    'electronics systems metals mining steel cargo lines agencies'
  ).split(' '),
);
// Words of other bodies: no person, but they have no legal form either.
const BODY_WORDS = new Set(
  (
    'establishment foundation institute organization organisation association university center centre agency bureau ' +
    'committee council ministry party movement front army brigade battalion unit network fund trust line school society union league forces'
  ).split(' '),
);

const pick = (list, random) => list[Math.floor(random() * list.length)];
const letters = (s) => s.replace(/[^\p{L}]/gu, '');
const isUpper = (c) => c !== c.toLowerCase();
const like = (model, c) => (isUpper(model) ? c.toUpperCase() : c.toLowerCase());
const plain = (s) =>
  s
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .replace(/ +/g, ' ')
    .trim();
const wordsOf = (name) => name.trim().split(/\s+/);

/** Runs of letters of at least `min`, as {start, text}. */
function runs(name, min) {
  return [...name.matchAll(/[\p{L}\p{M}]+/gu)]
    .filter((m) => letters(m[0]).length >= min)
    .map((m) => ({ start: m.index, text: m[0] }));
}

/** The legal form at the end or the beginning of the name: {forms, rest}, the longest one; or null. */
function legalForm(name) {
  const words = wordsOf(name);
  let best = null;
  FORMS.forEach((forms) =>
    forms.forEach((form) => {
      const n = wordsOf(form).length,
        p = plain(form);
      if (words.length <= n) return;
      const size = n * 100 + p.length;
      if (plain(words.slice(-n).join(' ')) === p && (!best || size > best.size))
        best = { size, forms, rest: words.slice(0, -n) };
      if (plain(words.slice(0, n).join(' ')) === p && (!best || size > best.size))
        best = { size, forms, rest: words.slice(n) };
    }),
  );
  if (best) {
    best.rest = best.rest.join(' ').replace(/[,;\s-]+$/, '');
  }
  return best;
}
const has = (name, set) => wordsOf(name).some((w) => set.has(plain(w)));
const isFirm = (name) => legalForm(name) !== null || has(name, FIRM_WORDS) || has(name, BODY_WORDS);

/** Parts of a person's name: particles stay with the word after them. */
function parts(name) {
  const out = [];
  let held = [];
  for (const w of wordsOf(name)) {
    held.push(w);
    if (!PARTICLES.has(plain(w))) {
      out.push(held.join(' '));
      held = [];
    }
  }
  if (held.length) {
    if (out.length) out[out.length - 1] += ' ' + held.join(' ');
    else out.push(held.join(' '));
  }
  return out;
}

function typo(name, how, random, keepAway = -9) {
  const at = [];
  for (const { start, text } of runs(name, 4))
    for (let i = 0; i < text.length; i++) {
      const c = text[i].toLowerCase(),
        next = text[i + 1]?.toLowerCase(),
        before = text[i - 1]?.toLowerCase();
      if (Math.abs(start + i - keepAway) < 3 || !/\p{L}/u.test(c)) continue;
      if (how === 'typo-neighbour' && !NEIGHBOURS[c]) continue;
      if (how === 'typo-swap' && (!next || next === c || !/\p{L}/u.test(next))) continue;
      if (how === 'typo-double' && (next === c || before === c)) continue; // a third equal letter is no usual slip
      at.push(start + i);
    }
  if (!at.length) return null;
  const i = pick(at, random),
    c = name[i];
  const head = name.slice(0, i),
    tail = name.slice(i + 1);
  let text;
  if (how === 'typo-neighbour') text = head + like(c, pick([...NEIGHBOURS[c.toLowerCase()]], random)) + tail;
  else if (how === 'typo-swap') text = head + like(c, tail[0]) + like(tail[0], c) + tail.slice(1);
  else if (how === 'typo-drop') {
    const first = i === 0 || !/\p{L}/u.test(name[i - 1]);
    text = head + (first && tail ? like(c, tail[0]) + tail.slice(1) : tail); // the next letter takes over the capital
  } else text = head + c + c.toLowerCase() + tail;
  if (how === 'typo-double' && name === name.toUpperCase()) text = head + c + c + tail;
  return { text, at: i };
}

const TYPOS = ['typo-neighbour', 'typo-swap', 'typo-drop', 'typo-double'];

// [from, to, condition on what stands before, on what stands after]; one is applied at one place.
const SOUNDS = [
  ['ph', 'f'],
  ['f', 'ph', /[^f]$|^$/, /^[^f]/],
  ['ck', 'k'],
  ['k', 'ck', /[aeiou]$/, /^($|[^haeiouk])/],
  ['y', 'i'],
  ['i', 'y', /./],
  ['ou', 'u'],
  ['u', 'ou', /[^aeou]$/, /^[^aeiou]|^$/],
  ['oo', 'u'],
  ['u', 'oo', /[^aeouq]$/, /^[^aeiou]/],
  ['ee', 'i'],
  ['i', 'ee', /[^aeiou]$/, /^[^aeiouy]/],
  ['sh', 'ch'],
  ['ch', 'sh', /[^ts]$|^$/],
  ['q', 'k', null, /^[^u]/],
  ['k', 'q', null, /^[aou]/],
  ['k', 'c', null, /^[aou]/],
  ['c', 'k', null, /^[aou]/],
  ['w', 'v'],
  ['v', 'w'],
  ['dj', 'j'],
  ['j', 'dj', /[^d]$|^$/],
  ['dh', 'd'],
  ['th', 't'],
  ['gh', 'g'],
  ['kh', 'h'],
  ['x', 'ks', /./],
  ['ai', 'ay'],
  ['ay', 'ai'],
  ['ei', 'ey'],
  ['ey', 'ei'],
  ['z', 's'],
  ['tsch', 'ch'],
  ['tch', 'ch'],
  ['aa', 'a'],
  ['e', 'i', /[^aeiou]$/, /^[^aeiou]/],
  ['o', 'u', /[^aeiou]$/, /^[^aeiou]/],
  ['mm', 'm'],
  ['ss', 's'],
  ['ll', 'l'],
  ['nn', 'n'],
  ['dd', 'd'],
  ['tt', 't'],
  ['rr', 'r'],
  ['bb', 'b'],
];

function phonetic(name, random) {
  const places = new Map();
  for (const { start, text } of runs(name, 4)) {
    const low = text.toLowerCase();
    if (low.length !== text.length) continue;
    SOUNDS.forEach(([from, to, before, after], n) => {
      for (let i = low.indexOf(from); i >= 0; i = low.indexOf(from, i + 1)) {
        if (before && !before.test(low.slice(0, i))) continue;
        if (after && !after.test(low.slice(i + from.length))) continue;
        if (from.length === 1 && (low[i - 1] === from || low[i + 1] === from)) continue; // not half of a double letter
        if (!places.has(n)) places.set(n, []);
        places.get(n).push([start + i, from, to]);
      }
    });
  }
  if (!places.size) return null;
  const [i, from, to] = pick(places.get(pick([...places.keys()], random)), random); // first the rule, then the place
  const old = name.slice(i, i + from.length);
  const written =
    name === name.toUpperCase() ? to.toUpperCase() : isUpper(old[0]) ? to[0].toUpperCase() + to.slice(1) : to;
  return name.slice(0, i) + written + name.slice(i + from.length);
}

const SPECIAL = {
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ß: 'ss',
  ı: 'i',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  ʻ: '',
  ʿ: '',
  ʾ: '',
};
function bare(name, umlauts) {
  let s = name;
  if (umlauts)
    s = s
      .replace(/[äöü]/g, (c) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[c])
      .replace(/[ÄÖÜ]/g, (c) => ({ Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' })[c]);
  return s
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/./gu, (c) => SPECIAL[c] ?? c)
    .normalize('NFC');
}

const KIND = {
  'typo-two'(name, random) {
    if (letters(name).length < 12) return null;
    const one = typo(name, pick(TYPOS, random), random);
    if (!one) return null;
    const two = typo(one.text, pick(TYPOS, random), random, one.at);
    return two ? two.text : null;
  },
  'ocr-digit'(name, random) {
    const at = [];
    for (const { start, text } of runs(name, 3))
      for (let i = 0; i < text.length; i++) {
        if (text[i] === 'L') continue; // a capital L does not look like a 1
        if (OCR[text[i].toLowerCase()]) at.push(start + i);
      }
    if (!at.length) return null;
    const i = pick(at, random);
    return name.slice(0, i) + OCR[name[i].toLowerCase()] + name.slice(i + 1);
  },
  'space-lost'(name, random) {
    const words = wordsOf(name);
    if (words.length < 2) return null;
    const i = Math.floor(random() * (words.length - 1));
    const second = words[i + 1];
    const joined =
      words[i] +
      (random() < 0.5 || second === second.toUpperCase() ? second : second[0].toLowerCase() + second.slice(1));
    return [...words.slice(0, i), joined, ...words.slice(i + 2)].join(' ');
  },
  'space-added'(name, random) {
    const long = runs(name, 6);
    if (!long.length) return null;
    const { start, text } = pick(long, random);
    const cuts = [];
    for (let i = 2; i <= text.length - 2; i++) if (!/\p{M}/u.test(text[i])) cuts.push(i);
    const i = start + pick(cuts, random);
    return name.slice(0, i) + ' ' + name.slice(i);
  },
  hyphen(name, random) {
    const at = [...name.matchAll(/(?<=\p{L})-(?=\p{L})/gu)].map((m) => m.index);
    if (at.length) {
      const i = pick(at, random);
      return name.slice(0, i) + (random() < 0.5 ? ' ' : '') + name.slice(i + 1);
    }
    const gaps = [...name.matchAll(/(?<=\p{L}) (?=\p{L})/gu)].map((m) => m.index);
    if (!gaps.length) return null;
    const i = pick(gaps, random);
    return name.slice(0, i) + '-' + name.slice(i + 1);
  },
  diacritics: (name, random) => bare(name, /[äöüÄÖÜ]/.test(name.normalize('NFC')) && random() < 0.5),
  case(name, random) {
    const locked = name.replace(/\p{L}/gu, (c) => (isUpper(c) ? c.toLowerCase() : c.toUpperCase()));
    const title = name.toLowerCase().replace(/(^|[\s-])(\p{L})/gu, (_, a, b) => a + b.toUpperCase());
    const ways = [name.toUpperCase(), name.toLowerCase(), name.toUpperCase() === name ? title : locked].filter(
      (s) => s !== name,
    );
    return ways.length ? pick(ways, random) : null;
  },
  order(name, random) {
    if (isFirm(name) || name.includes(',')) return null;
    const p = parts(name);
    if (p.length < 2) return null;
    const rest = p.slice(0, -1).join(' '),
      last = p[p.length - 1];
    return random() < 0.5 ? `${last}, ${rest}` : `${last} ${rest}`;
  },
  initial(name, random) {
    if (isFirm(name) || name.includes(',')) return null;
    const p = parts(name);
    const can = p
      .map((_, i) => i)
      .slice(1, -1)
      .filter((i) => letters(p[i]).length > 1);
    if (!can.length) return null;
    const i = pick(can, random);
    p[i] = letters(p[i])[0].toUpperCase() + (random() < 0.5 ? '.' : '');
    return p.join(' ');
  },
  'drop-middle'(name, random) {
    if (isFirm(name) || name.includes(',')) return null;
    const p = parts(name);
    if (p.length < 3) return null;
    p.splice(1 + Math.floor(random() * (p.length - 2)), 1);
    return p.join(' ');
  },
  title(name, random) {
    if (isFirm(name) || wordsOf(name).length < 2 || TITLES.some((t) => plain(t) === plain(wordsOf(name)[0])))
      return null;
    return `${pick(TITLES, random)} ${name}`;
  },
  punctuation(name, random) {
    const words = wordsOf(name);
    const ways = [`"${name}"`, `${name}.`, words.join('  ')];
    if (words.length > 1) {
      const i = Math.floor(random() * (words.length - 1));
      ways.push(
        words.map((w, n) => (n === i ? `${w},` : w)).join(' '),
        words.map((w, n) => (n === i ? `${w}.` : w)).join(' '),
        words.join('_'),
        words.slice(0, -1).join(' ') + ` (${words.at(-1)})`,
      );
    }
    if (/\p{L}{5,}/u.test(name)) ways.push(name.replace(/(\p{L}{2}[aeiou])(\p{L}{2,})/u, "$1'$2"));
    if (/[.,'’`"()]/.test(name))
      ways.push(name.replace(/[.,'’`"()]/g, ''), name.replace(/[.,'’`"()]/g, '').replace(/\s+/g, ' '));
    const others = [...new Set(ways)].filter((s) => s !== name);
    return others.length ? pick(others, random) : null;
  },
  phonetic,
  'legal-form'(name, random) {
    const found = legalForm(name);
    if (!found) {
      if (!has(name, FIRM_WORDS) || has(name, BODY_WORDS)) return null;
      return random() < 0.5
        ? `${name} ${pick(['LLC', 'Ltd', 'Co.', 'Limited', 'JSC'], random)}`
        : `${name}, ${pick(['LLC', 'Ltd.', 'Inc.'], random)}`;
    }
    const rest = found.rest;
    const ways = found.forms.map((f) => `${rest} ${f}`);
    ways.push(`${found.forms[0]} ${rest}`);
    if (wordsOf(rest).length > 1) ways.push(rest, rest, rest); // left out: half of the time or so
    const others = ways.filter((s) => s !== name);
    return others.length ? pick(others, random) : null;
  },
};

export function mangle(name, kind, random) {
  if (
    typeof name !== 'string' ||
    !/\p{Script=Latin}/u.test(name) ||
    /(?!\p{Script=Latin})\p{L}/u.test(name.replace(/[ʻʼʿʾ]/gu, ''))
  )
    return null;
  if (!KINDS.includes(kind)) throw new Error(`unknown kind: ${kind}`);
  const clean = name.normalize('NFC').trim();
  const out = TYPOS.includes(kind) ? (typo(clean, kind, random)?.text ?? null) : KIND[kind](clean, random);
  return out === null || out === clean || out.trim().length < 2 ? null : out;
}
