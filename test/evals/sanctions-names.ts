// Names for the sanctions evaluation: tables per region and script, a fictional list, innocents, and what people do to names.
import type { ListedEntity, SanctionsList } from '#screening/fsf-list.ts';

/** A small seeded generator (mulberry32): the same seed gives the same names. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

interface Region {
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly middle?: readonly string[];
}

const words = (text: string) => text.split(' ');

export const US: Region = {
  given: words(
    'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Christopher Karen Charles Lisa Daniel Nancy Matthew Sandra Anthony Ashley Mark Emily Donald Kimberly Steven Donna Andrew Michelle Paul Carol Joshua Amanda Kenneth Melissa Kevin Deborah Brian Stephanie Timothy Rebecca Ronald Sharon Jason Laura Edward Cynthia Jeffrey Dorothy Ryan Amy Jacob Kathleen Nicholas Angela Gary Shirley Eric Emma Jonathan Brenda Stephen Pamela Larry Nicole Justin Anna Scott Samantha Brandon Katherine Tyler Megan Austin Hannah Logan Madison Dylan Brooke Jordan Alexis Caleb Morgan Ethan Chloe',
  ),
  family: words(
    'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez',
  ),
  middle: words('A. B. C. D. E. F. G. H. J. K. L. M. N. P. R. S. T. W. Lynn Marie Lee Ann Ray James Allen Jean'),
};

export const GLOBAL: readonly Region[] = [
  {
    given: words(
      'Hans Ingrid Jürgen Sabine Klaus Petra Wolfgang Ursula Matthias Annika Stefan Katrin Lukas Lena Björn Heike',
    ),
    family: words(
      'Müller Schneider Fischer Weber Becker Hoffmann Schäfer Koch Richter Wolf Neumann Schwarz Zimmermann Krüger Hartmann Lange Vogel Winkler',
    ),
  },
  {
    given: words('Pieter Sanne Daan Femke Joost Marijke Willem Anouk Bram Lotte Ruben Eline'),
    family: words(
      'Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Dijkstra Vermeulen Hoekstra Willems Claes Maes Wouters',
    ),
  },
  {
    given: words('Pierre Camille Julien Amélie Thierry Océane Mathieu Élodie Laurent Manon Olivier Céline'),
    family: words(
      'Dubois Moreau Laurent Lefebvre Leroy Roux Fournier Girard Bonnet Lambert Fontaine Rousseau Chevalier Gauthier Perrin Marchand',
    ),
  },
  {
    given: words('Giulia Marco Francesca Alessandro Chiara Matteo Valentina Lorenzo Federica Davide'),
    family: words(
      'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Mancini Costa',
    ),
  },
  {
    given: words(
      'Jakub Zuzanna Kacper Agnieszka Wojciech Katarzyna Marcin Małgorzata Tomáš Jana Petr Lenka László Katalin',
    ),
    family: words(
      'Nowak Kowalski Wiśniewski Wójcik Kamiński Lewandowski Zieliński Novák Svoboda Dvořák Černý Nagy Kovács Tóth Szabó Horváth',
    ),
  },
  {
    given: words('Erik Astrid Lars Freja Anders Sigrid Mikko Aino Magnus Solveig Søren Mette'),
    family: words(
      'Andersson Johansson Karlsson Nilsson Hansen Olsen Larsen Pedersen Berg Haugen Korhonen Virtanen Mäkinen Nielsen Rasmussen',
    ),
  },
  {
    given: words('João Beatriz Thiago Larissa Camila Diego Valeria Andrés Paola Joaquín Ximena Rodrigo Renata'),
    family: words(
      'Silva Santos Oliveira Souza Pereira Ferreira Carvalho Gomes Ribeiro Rojas Contreras Silvestre Quispe Mamani Fuentes Sepúlveda Araya',
    ),
  },
  {
    given: words('Arjun Priya Rohan Ananya Vikram Deepika Sanjay Kavya Rahul Meera Suresh Lakshmi'),
    family: words(
      'Sharma Verma Gupta Iyer Reddy Nair Patel Mehta Chatterjee Banerjee Kulkarni Desai Joshi Menon Rao Pillai',
    ),
  },
  {
    given: words('Emre Elif Burak Zeynep Cem Ayşe Kerem Defne Onur Selin Tolga Ebru'),
    family: words('Yılmaz Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Koç Kurt'),
  },
  {
    given: words('Chinedu Ngozi Kwame Ama Thabo Naledi Wanjiru Kamau Tendai Chipo Adebayo Folake Okello Achieng'),
    family: words(
      'Okafor Adeyemi Mensah Owusu Nkosi Dlamini Mwangi Otieno Moyo Ndlovu Balogun Eze Boateng Kariuki Zulu',
    ),
  },
  {
    given: words('Haruto Yui Sota Aoi Ren Hina Takumi Sakura Kenji Naoko Hiroshi Emi'),
    family: words(
      'Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto',
    ),
  },
  {
    given: words('Minh Linh Thao Duc Huong Quang Trang Tuan Siti Budi Dewi Agus Nur Somchai Anong'),
    family: words('Nguyen Tran Le Pham Hoang Vu Dang Bui Do Wijaya Santoso Susanto Kusuma Saetang Chaiyasit'),
  },
  {
    given: words('Layla Karim Nadia Samir Yasmin Rami Huda Fadi Rania Ziad Lina Tarek Dina Bassam'),
    family: words(
      'Haddad Khoury Nassar Mansour Farouk Sabbagh Zayed Qureshi Shaheen Barakat Fakhoury Sayegh Halabi Najjar',
    ),
  },
  {
    given: words('Ekaterina Maksim Olga Artyom Svetlana Kirill Polina Denis Irina Roman Tatiana Ilya'),
    family: words(
      'Smirnova Kuznetsov Popova Sokolov Lebedeva Kozlov Novikova Morozov Volkova Pavlov Semyonova Golubev Vinogradova',
    ),
  },
];

export const ARABIC_INNOCENT: Region = {
  given: words(
    'ليلى كريم نادية سمير ياسمين رامي هدى فادي رانيا زياد لينا طارق دينا بسام محمد أحمد علي حسن فاطمة مريم يوسف سارة خالد نور عمر هالة سعيد منى وليد سلمى',
  ),
  family: words(
    'حداد الخوري نصار منصور فاروق الصباغ زايد القرشي شاهين بركات فاخوري الصايغ الحلبي النجار العتيبي الشمري القحطاني الدوسري الغامدي الزهراني المالكي البلوشي الحربي المطيري',
  ),
  middle: words('محمد أحمد علي حسن إبراهيم يوسف سالم فهد ماجد سامي'),
};
export const CYRILLIC_INNOCENT: Region = {
  given: words(
    'Екатерина Максим Ольга Артём Светлана Кирилл Полина Денис Ирина Роман Татьяна Илья Анна Сергей Мария Алексей Наталья Дмитрий Елена Андрей',
  ),
  family: words(
    'Смирнов Кузнецов Попов Соколов Лебедев Козлов Новиков Морозов Волков Павлов Семёнов Голубев Виноградов Шевченко Бойко Ткаченко Кравченко Коваленко Бондаренко Олейник',
  ),
  middle: words(
    'Александрович Сергеевич Иванович Петрович Николаевич Владимирович Викторович Андреевич Юрьевич Михайлович',
  ),
};
export const GREEK_INNOCENT: Region = {
  given: words('Γιώργος Μαρία Νίκος Ελένη Δημήτρης Κατερίνα Κώστας Σοφία'),
  family: words('Παπαδόπουλος Παππάς Καραγιάννης Νικολάου Ιωάννου Αντωνίου Οικονόμου Δημητρίου'),
};
export const HEBREW_INNOCENT: Region = {
  given: words('נועה דוד יעל אורי תמר איתי מיכל רון'),
  family: words('כהן לוי מזרחי פרץ ביטון אברהם פרידמן שפירא'),
};
export const HAN_INNOCENT: Region = {
  given: words('伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 涛 明 超 秀英 霞 平 刚 桂英 建华 晓明 志强'),
  family: words('王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 高 林 罗'),
};
export const HANGUL_INNOCENT: Region = {
  given: words('민준 서연 도윤 하은 지호 수아 예준 지우 현우 유진 성민 은지'),
  family: words('김 이 박 최 정 강 조 윤 장 임 한 오'),
};

const SYLLABLES = words(
  'bra dor fen gul hav jor kel lum mar nev pol quin ras sil tav ulm vor wen zar thal khar shen bek dun fir gor hul',
);
const ENDINGS = words('ov ski enko adze ani zai bek ez son berg ian escu oglu uddin a i un ema');
const FIRM_WORDS = words(
  'Trading Shipping Petrochemical Bank Industries Engineering Investment Foundation Logistics Energy Exchange Aviation Holding',
);
const FORMS = words('LLC Ltd GmbH B.V. N.V. OOO JSC Co. Inc. S.A. FZE');

function inventedWord(dice: Dice): string {
  const text = dice.of(SYLLABLES) + dice.of(SYLLABLES) + (dice.chance(0.6) ? dice.of(ENDINGS) : '');
  return text[0]?.toUpperCase() + text.slice(1);
}

const LISTED_GIVEN = words(
  'Muhammad Ahmad Ali Hassan Hussein Ibrahim Khalid Mustafa Omar Yusuf Mahmoud Salim Sergei Aleksandr Vladimir Dmitry Andrei Igor Oleg Viktor Luis Carlos Jorge Miguel Kim Pak Abdul Reza Tariq Walid',
);

/** A list of invented persons and firms in the mix of a real one. */
export function fictionalList(count: number, seed: number): SanctionsList {
  const dice = new Dice(seed);
  const entities = Array.from({ length: count }, (_, number): ListedEntity => {
    const isPerson = dice.chance(0.65);
    const base = isPerson
      ? [dice.of(LISTED_GIVEN), ...(dice.chance(0.6) ? [inventedWord(dice)] : []), inventedWord(dice)]
      : [inventedWord(dice), ...(dice.chance(0.4) ? [inventedWord(dice)] : []), dice.of(FIRM_WORDS), dice.of(FORMS)];
    const names = [{ name: base.join(' '), isWeak: false }];
    for (let alias = dice.below(6); alias > 0; alias -= 1)
      names.push({ name: mangled(base.join(' '), dice).text, isWeak: dice.chance(0.1) });
    return {
      id: `EU.${number + 1}.${number % 97}`,
      subjectType: isPerson ? 'person' : 'enterprise',
      programme: 'TEST',
      country: null,
      names,
    };
  });
  return { generationDate: '2026-01-01T00:00:00.000Z', entities };
}

export function innocent(region: Region, dice: Dice, joint = ' '): string {
  const parts = [dice.of(region.given)];
  if (region.middle !== undefined && dice.chance(0.5)) parts.push(dice.of(region.middle));
  const family = dice.of(region.family);
  return (joint === '' ? [family, ...parts] : [...parts, family]).join(joint);
}

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
        : [...parts, dice.of(FORMS)];
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

const TO_CYRILLIC =
  'shch щ kh х zh ж ch ч sh ш ts ц yu ю ya я ye е yo ё iy ий ay ай ey ей oy ой x кс a а b б c к d д e е f ф g г h х i и j дж k к l л m м n н o о p п q к r р s с t т u у v в w в y ы z з';
const TO_ARABIC =
  'kh خ sh ش th ث dh ذ gh غ zh ژ ch چ ou و oo و ee ي aa ا ai ي ay ي ei ي aw و b ب c ك d د f ف g غ h ه j ج k ك l ل m م n ن p پ q ق r ر s س t ت v ف w و x كس y ي z ز';
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

function cellsOf(table: string): (readonly [string, string])[] {
  const cells = table.split(' ');
  return cells.flatMap((cell, at) => (at % 2 === 0 ? [[cell, cells[at + 1] as string] as const] : []));
}

/** A Latin name as Russian would write it. */
export function inCyrillic(name: string): string {
  const table = cellsOf(TO_CYRILLIC);
  let text = '';
  const latin = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z\s-]/g, '');
  for (let at = 0; at < latin.length; ) {
    const found = table.find(([from]) => latin.startsWith(from, at));
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
    const found = cellsOf(TO_ARABIC).find(([from]) => latin.startsWith(from, at));
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
