import { parseExactJson } from '#kernel/exact-json.ts';
import { malformed } from './ap2-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A number that is not a plain safe integer, by its digits: no float ever decides an amount. */
export class NumberText {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Of a number, its sign, its digits without zeros around them, and the exponent of ten: one text for one value. */
function exactText(digits: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(digits) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  const significant = all.slice(0, end).replace(/^0+/, '');
  return significant === '' ? '0' : `${sign}${significant}e${BigInt(exponent) + BigInt(whole.length - end)}`;
}

function digitsOf(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.digits;
  return typeof value === 'number' ? String(value) : undefined;
}

/** The digits of a `NumberText` that was kept as JSON. */
function keptDigits(value: unknown): string | undefined {
  const { digits, ...others } = isObject(value) ? value : {};
  const isNumber = typeof digits === 'string' && NUMBER.test(digits) && Object.keys(others).length === 0;
  return isNumber ? digits : undefined;
}

/**
 * True for one value in JSON, however its numbers are written and its members are ordered.
 * @param kept may have been stored since it was read
 */
export function isSameValue(kept: unknown, given: unknown): boolean {
  const digits = digitsOf(given);
  if (digits !== undefined) {
    const before = digitsOf(kept) ?? keptDigits(kept);
    return before !== undefined && exactText(before) === exactText(digits);
  }
  if (Array.isArray(kept) && Array.isArray(given)) {
    return kept.length === given.length && kept.every((item, at) => isSameValue(item, given[at]));
  }
  if (!isObject(kept) || !isObject(given)) return kept === given;
  const names = Object.keys(kept);
  return (
    names.length === Object.keys(given).length &&
    names.every((name) => Object.hasOwn(given, name) && isSameValue(kept[name], given[name]))
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** The bytes of canonical base64url without padding; undefined for any other text. */
export function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : undefined;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_DEPTH = 32;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

const exactNumbers: Reviver = (_name, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value;
  return INTEGER.test(source) && Number.isSafeInteger(value) ? value : new NumberText(source);
};

/** The JSON in a part of a token; every member once, numbers by their digits. */
export function jsonOfPart(part: string, place: string): unknown {
  const bytes = fromBase64url(part); // attacker-controlled
  if (bytes === undefined) throw malformed(`${place} is not base64url.`);
  let text: string;
  let read: ReturnType<typeof parseExactJson>;
  try {
    text = UTF8.decode(bytes);
    read = parseExactJson(text);
  } catch {
    throw malformed(`${place} is not JSON.`);
  }
  if (read.faults.length > 0) throw malformed(`${place} has a member twice.`);
  if (isDeeper(read.value, MAX_DEPTH)) throw malformed(`${place} is nested too deeply.`);
  return JSON.parse(text, exactNumbers as never) as unknown;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
