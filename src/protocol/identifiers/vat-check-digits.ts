/** The digits and what they are weighed with; letters have no part in it. */
function weighed(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}

/** As `weighed`, with the digits of each product added up. */
function weighedDigitSums(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => {
    const product = weight * Number(digits[i]);
    return sum + Math.floor(product / 10) + (product % 10);
  }, 0);
}

/** Weights that count down or up by one, both ends included. */
function run(from: number, to: number): number[] {
  const step = from < to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + i * step);
}

const last = (digits: string) => Number(digits.at(-1));
const positive = (value: number, modulus: number) => ((value % modulus) + modulus) % modulus;

/** ISO 7064 mod 11,10: the pure system with one check digit. */
function iso7064Mod11And10(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === last(digits);
}

function luhn(digits: string): boolean {
  const weights = Array.from(digits, (_, i) => ((digits.length - i) % 2 === 0 ? 2 : 1));
  return weighedDigitSums(digits, weights) % 10 === 0;
}

/** ISO 7064 mod 97-10 over letters and digits (A is 10). */
function mod97(text: string): number {
  return Array.from(text).reduce((rest, character) => {
    const value = Number.parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
}

const MAX_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDayOfYear(month: number, day: number): boolean {
  return day >= 1 && day <= (MAX_MONTH[month - 1] ?? 0);
}

/** A birth number writes the month with something added that tells sex or century. */
function monthWithout(month: number, additions: readonly number[]): number {
  return additions.map((addition) => month - addition).find((rest) => rest >= 1 && rest <= 12) ?? 0;
}

const pair = (digits: string, at: number) => Number(digits.slice(at, at + 2));

function bulgarian(digits: string): boolean {
  if (digits.length === 9) {
    const first = weighed(digits, run(1, 8)) % 11;
    const rest = first === 10 ? (weighed(digits, run(3, 10)) % 11) % 10 : first;
    return rest === last(digits);
  }
  const isBirthDay = isDayOfYear(monthWithout(pair(digits, 2), [0, 20, 40]), pair(digits, 4));
  const personal = (weighed(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10;
  const foreigner = weighed(digits, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10;
  const other = (11 - (weighed(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return (isBirthDay && personal === last(digits)) || foreigner === last(digits) || other === last(digits);
}

const CYPRIOT_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

function cypriot(number: string): boolean {
  const sum = Array.from(number.slice(0, 8), Number).reduce(
    (total, digit, i) => total + (i % 2 === 0 ? (CYPRIOT_ODD[digit] as number) : digit),
    0,
  );
  return number.charCodeAt(8) - 65 === sum % 26;
}

const CZECH_LAST_YEAR_WITHOUT_CHECK = 53;
const CZECH_FIRST_YEAR_BEFORE_1900 = 80;
const CZECH_FIRST_YEAR_WITHOUT_EXCEPTION = 85;

function czech(digits: string): boolean {
  if (digits.length === 8) {
    const check = 11 - (weighed(digits, run(8, 2)) % 11);
    return (check === 10 ? 0 : check === 11 ? 1 : check) === last(digits);
  }
  if (digits.length === 9 && digits.startsWith('6')) {
    const rest = weighed(digits.slice(1), run(8, 2)) % 11;
    return positive(8 - (positive(10 - rest, 11) % 11), 10) === last(digits);
  }
  const isBirthDay = isDayOfYear(monthWithout(pair(digits, 2), [0, 20, 50, 70]), pair(digits, 4));
  const year = pair(digits, 0);
  const isBefore1954 = year <= CZECH_LAST_YEAR_WITHOUT_CHECK || year >= CZECH_FIRST_YEAR_BEFORE_1900;
  if (digits.length === 9) return isBirthDay && isBefore1954;
  const isOldException =
    Number(digits.slice(0, 9)) % 11 === 10 &&
    last(digits) === 0 &&
    year > CZECH_LAST_YEAR_WITHOUT_CHECK &&
    year < CZECH_FIRST_YEAR_WITHOUT_EXCEPTION;
  return isBirthDay && (Number(digits) % 11 === 0 || isOldException);
}

const SPANISH_PERSON_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

function spanish(number: string): boolean {
  const [first, middle, control] = [number[0] as string, number.slice(1, 8), number[8] as string];
  const front = { X: '0', Y: '1', Z: '2', K: '', L: '', M: '' }[first] ?? (/\d/.test(first) ? first : undefined);
  if (front !== undefined) return SPANISH_PERSON_LETTERS[Number(front + middle) % 23] === control;
  const check = (10 - (weighedDigitSums(middle, [2, 1, 2, 1, 2, 1, 2]) % 10)) % 10;
  return control === String(check) || control === 'JABCDEFGHI'[check];
}

const FRENCH_KEY = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

function french(number: string): boolean {
  const [key, siren] = [number.slice(0, 2), Number(number.slice(2))];
  if (/^\d\d$/.test(key)) return (12 + 3 * (siren % 97)) % 97 === Number(key);
  const [c1, c2] = [FRENCH_KEY.indexOf(key[0] as string), FRENCH_KEY.indexOf(key[1] as string)];
  const k = c1 < 10 ? 24 * c1 + c2 - 10 : 34 * c1 + c2 - 100;
  return (siren + 1 + Math.floor(k / 11)) % 11 === positive(k, 11);
}

const IRISH_LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV';

function irish(number: string): boolean {
  const isOld = !/^\d{7}/.test(number);
  const digits = isOld ? `0${number.slice(2, 7)}${number[0]}` : number.slice(0, 7);
  const second = isOld ? '' : (number[8] ?? '');
  const sum = weighed(digits, run(8, 2)) + 9 * Math.max(0, second === '' ? 0 : IRISH_LETTERS.indexOf(second));
  return IRISH_LETTERS[sum % 23] === number[7];
}

const ITALIAN_OFFICES = new Set([...run(1, 100), 120, 121, 888, 999]);

function lithuanian(digits: string): boolean {
  const [first, second] =
    digits.length === 9
      ? [run(1, 8), [...run(3, 9), 1]]
      : [
          [...run(1, 9), 1, 2],
          [...run(3, 9), ...run(1, 4)],
        ];
  const rest = weighed(digits, first) % 11;
  return (rest === 10 ? (weighed(digits, second) % 11) % 10 : rest) === last(digits);
}

function latvian(digits: string): boolean {
  if (Number(digits[0]) > 3) return positive(3 - weighed(digits, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6]), 11) === last(digits);
  if (digits.startsWith('32')) return true; // codes issued since 2017 hold neither date nor check digit
  const check = ((1 + weighed(digits, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10;
  return isDayOfYear(pair(digits, 2), pair(digits, 0)) && check === last(digits);
}

function dutch(number: string): boolean {
  const rest = weighed(number, run(9, 2)) % 11;
  return rest === Number(number[8]) || mod97(`NL${number}`) === 1;
}

function romanian(digits: string): boolean {
  if (digits.length === 13) {
    const rest = weighed(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
    return isDayOfYear(pair(digits, 3), pair(digits, 5)) && (rest === 10 ? 1 : rest) === last(digits);
  }
  const body = digits.slice(0, -1).padStart(9, '0');
  return ((10 * weighed(body, [7, 5, 3, 2, 1, 7, 5, 3, 2])) % 11) % 10 === last(digits);
}

function northernIrish(number: string): boolean {
  if (number.startsWith('GD')) return Number(number.slice(2)) < 500;
  if (number.startsWith('HA')) return Number(number.slice(2)) >= 500;
  const sum = weighed(number, run(8, 2)) + pair(number, 7);
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
}

/** Whether the check digits of a number fit, by country; the number has the form of its country already. */
export const VAT_CHECKS: Readonly<Record<string, (number: string) => boolean>> = {
  AT: (number) => {
    const digits = number.slice(1);
    return (10 - ((weighedDigitSums(digits, [1, 2, 1, 2, 1, 2, 1]) + 4) % 10)) % 10 === last(digits);
  },
  BE: (digits) => 97 - (Number(digits.slice(0, 8)) % 97) === pair(digits, 8),
  BG: bulgarian,
  CY: cypriot,
  CZ: czech,
  DE: iso7064Mod11And10,
  DK: (digits) => weighed(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (digits) => (10 - (weighed(digits, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10 === last(digits),
  EL: (digits) => (weighed(digits, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === last(digits),
  ES: spanish,
  FI: (digits) => {
    const rest = weighed(digits, [7, 9, 10, 5, 8, 4, 2]) % 11;
    return rest !== 1 && (11 - rest) % 11 === last(digits);
  },
  FR: french,
  HR: iso7064Mod11And10,
  HU: (digits) => (10 - (weighed(digits, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === last(digits),
  IE: irish,
  IT: (digits) => luhn(digits) && ITALIAN_OFFICES.has(Number(digits.slice(7, 10))),
  LT: lithuanian,
  LU: (digits) => Number(digits.slice(0, 6)) % 89 === pair(digits, 6),
  LV: latvian,
  MT: (digits) => (weighed(digits, [3, 4, 6, 7, 8, 9]) + pair(digits, 6)) % 37 === 0,
  NL: dutch,
  PL: (digits) => weighed(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(digits),
  PT: (digits) => {
    const check = 11 - (weighed(digits, run(9, 2)) % 11);
    return (check > 9 ? 0 : check) === last(digits);
  },
  RO: romanian,
  SE: (digits) => luhn(digits.slice(0, 10)),
  SI: (digits) => {
    const check = 11 - (weighed(digits, run(8, 2)) % 11);
    return check !== 11 && check % 10 === last(digits);
  },
  SK: (digits) => Number(digits) % 11 === 0,
  XI: northernIrish,
};
