import { BLOCKS, indicSign } from './indic-letters.ts';

/** Consonants and the vowel after them. `isInherent`: the vowel is not written, but spoken unless a rule leaves it out. */
interface Unit {
  readonly consonants: string[];
  vowel: string;
  isInherent: boolean;
}

/** What a dot below makes of a consonant. */
const DOTTED: Readonly<Record<string, string>> = { k: 'q', g: 'gh', j: 'z', d: 'r', dh: 'rh', ph: 'f', s: 'sh' };
/** In the east a j; with a dot, and after another consonant, the y that it is elsewhere. */
const EASTERN_YA: ReadonlySet<string> = new Set(['য', 'ଯ']);
/** After another consonant of Bengali a w. */
const BENGALI_BA = 'ব';
const INHERENT = 'a';
const LABIAL = /^[pbm]/;

/** Reads the characters of a word in their order. */
class UnitReader {
  readonly units: Unit[] = [];
  #joinsNext = false;
  #doublesNext = false;
  #previous = '';

  add(one: string, next: string | undefined): void {
    const sign = indicSign(one);
    const last = this.units.at(-1);
    if (sign.kind === 'consonant') this.#addConsonant(one, sign.latin, true);
    else if (sign.kind === 'bare') this.#addConsonant(one, sign.latin, false);
    else if (sign.kind === 'vowel') this.units.push({ consonants: [], vowel: sign.latin, isInherent: false });
    else if (sign.kind === 'double') this.#doublesNext = true;
    else if (last !== undefined) this.#change(last, one, next);
    this.#previous = one;
  }

  #addConsonant(one: string, latin: string, hasVowel: boolean): void {
    const last = this.units.at(-1);
    const joined = this.#joinsNext && last !== undefined ? last : undefined;
    const consonant = joined === undefined ? latin : EASTERN_YA.has(one) ? 'y' : one === BENGALI_BA ? 'w' : latin;
    const unit = joined ?? { consonants: [], vowel: '', isInherent: false };
    unit.consonants.push(this.#doublesNext ? (consonant[0] as string) + consonant : consonant);
    unit.vowel = hasVowel ? INHERENT : '';
    unit.isInherent = hasVowel;
    if (joined === undefined) this.units.push(unit);
    this.#joinsNext = false;
    this.#doublesNext = false;
  }

  /** A sign above, below or beside the last letter. */
  #change(last: Unit, one: string, next: string | undefined): void {
    const sign = indicSign(one);
    if (sign.kind === 'sign') {
      last.vowel = sign.latin;
      last.isInherent = false;
    } else if (sign.kind === 'virama') {
      last.vowel = '';
      last.isInherent = false;
      this.#joinsNext = true;
    } else if (sign.kind === 'nasal') {
      const after = next === undefined ? undefined : indicSign(next);
      last.vowel += after?.kind === 'consonant' && LABIAL.test(after.latin) ? 'm' : 'n';
    } else if (sign.kind === 'dot') {
      const consonant = last.consonants.pop() ?? '';
      last.consonants.push(EASTERN_YA.has(this.#previous) ? 'y' : (DOTTED[consonant] ?? consonant));
    }
  }
}

const isDroppable = ({ isInherent, vowel, consonants }: Unit) =>
  isInherent && vowel === INHERENT && consonants.length === 1;
/** A nasal and a stop, or the same consonant twice. */
const EASY_END = /^(?:[nm](?:[kgtdpb]|ch|j)h?|([kgtdpbnmlrs])\1h?)$/;

/** Govind, Bhatt, Mishra: the last vowel is spoken only after consonants that are hard to end with; in the east after any two. */
function dropLastVowel(units: readonly Unit[], isEastern: boolean): void {
  const last = units.at(-1);
  if (last === undefined || units.length === 1) return;
  const isEasy = !isEastern && last.isInherent && last.vowel === INHERENT && EASY_END.test(last.consonants.join(''));
  if (isDroppable(last) || isEasy) last.vowel = '';
}

/** Kamla: between two spoken syllables the vowel is not, from the end of the word on. */
function dropInnerVowels(units: readonly Unit[]): void {
  for (let at = units.length - 2; at > 0; at -= 1) {
    const unit = units[at] as Unit;
    if (isDroppable(unit) && units[at - 1]?.vowel !== '' && units[at + 1]?.vowel !== '') unit.vowel = '';
  }
}

const TAMIL_VOICED: Readonly<Record<string, string>> = { k: 'g', ch: 's', t: 'd', p: 'b' };

/** Tamil has one letter for k and g: voiced are those between vowels and after a nasal. */
function voiceTamil(units: readonly Unit[]): void {
  for (const [at, { consonants }] of units.entries()) {
    for (const [place, consonant] of consonants.entries()) {
      const voiced = TAMIL_VOICED[consonant];
      if (voiced === undefined) continue;
      const before = consonants[place - 1];
      const isDoubled = before === consonant || consonants[place + 1] === consonant;
      const isFirst = at === 0 && place === 0;
      if (before === 'n' || before === 'm') consonants[place] = consonant === 'ch' ? 'j' : voiced;
      else if (consonant === 'ch' ? !isDoubled : !isDoubled && !isFirst && before === undefined)
        consonants[place] = voiced;
    }
  }
}

/** In Bengal y only colours the vowel after most consonants, ph is f, and oya a w; bh may be a v. */
function bengaliSpelling(latin: string, isSpelt: boolean): string {
  const plain = latin
    .replaceAll('ph', 'f')
    .replaceAll('oya', 'wa')
    .replaceAll(/(?<=[bcdgjklmnprst]|[cgk]h)ya/g, 'a');
  return isSpelt ? plain.replaceAll('bh', 'v') : plain;
}

/** Blocks of languages in which vowels that are not written are left out at the end and inside of a word. */
const DROPPING: ReadonlySet<number> = new Set([
  BLOCKS.devanagari,
  BLOCKS.bengali,
  BLOCKS.gurmukhi,
  BLOCKS.gujarati,
  BLOCKS.odia,
]);

/** A word in Latin letters. Some names are spelt with vowels that are not spoken inside: `isSpelt` keeps those. */
export function latinOfIndic(letters: readonly string[], block: number, isSpelt: boolean): string {
  const reader = new UnitReader();
  for (const [at, letter] of letters.entries()) reader.add(letter, letters[at + 1]);
  const { units } = reader;
  if (block === BLOCKS.tamil) voiceTamil(units);
  if (DROPPING.has(block)) dropLastVowel(units, block === BLOCKS.bengali || block === BLOCKS.odia);
  if (DROPPING.has(block) && !isSpelt) dropInnerVowels(units);
  const latin = units
    .map(({ consonants, vowel }) => consonants.join('') + vowel)
    .join('')
    .replaceAll('jñ', 'gy')
    .replaceAll('ñ', 'n');
  if (block === BLOCKS.gujarati && isSpelt) return latin.replaceAll('jh', 'z');
  return block === BLOCKS.bengali ? bengaliSpelling(latin, isSpelt) : latin;
}
