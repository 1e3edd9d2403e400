import { hash } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { pointerStep } from '#kernel/json-pointer.ts';

/**
 * What a receipt signs of its answer, by JSON Pointers (RFC 6901): one value, whose canonical JSON is hashed, or several,
 * hashed as one array in this order.
 */
export type Covers = string | readonly string[];

/** The two members with which a receipt says what it signs of an answer. */
export type SignedPart = { readonly covers: Covers; readonly result_sha256: string };

const MAX_POINTERS = 64;
const MAX_CHARS = 256;
const POINTER = /^(?:\/(?:[^/~]|~[01])+){1,4}$/;
/** Said by the receipt too: they are compared with it and not hashed. */
const SAID_TWICE = ['kind', 'sandbox'];

type Fields = Readonly<Record<string, unknown>>;

/** All of an answer, unless only a part of it is named. */
export function signedPart(answer: object, covers?: Covers): SignedPart {
  if (covers === undefined) {
    const result_sha256 = sha256(canonicalJson(Object.values(answer)));
    return { covers: Object.keys(answer).map(pointerStep), result_sha256 };
  }
  const digest = coveredSha256(answer, covers);
  if (digest === undefined) throw new Error('the answer lacks what its receipt covers');
  return { covers, result_sha256: digest };
}

/** The members of an answer, each as canonical JSON. */
export function canonicalTexts(answer: object): Record<string, string> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, canonicalJson(value)]));
}

/** As `signedPart`, of members whose canonical JSON is already there. */
export function signedTexts(texts: Readonly<Record<string, string>>): SignedPart {
  return { covers: Object.keys(texts).map(pointerStep), result_sha256: sha256(`[${Object.values(texts).join(',')}]`) };
}

/** The digest of what is covered; undefined when the answer lacks a part of it. */
export function coveredSha256(answer: unknown, covers: Covers): string | undefined {
  const values = (typeof covers === 'string' ? [covers] : covers).map((pointer) => valueAt(answer, pointer));
  if (values.includes(undefined)) return undefined;
  return sha256(canonicalJson(typeof covers === 'string' ? values[0] : values));
}

/** What a receipt says that it covers; undefined when it says nothing that can be read. */
export function readCovers(said: unknown): Covers | undefined {
  if (isPointer(said)) return said;
  if (!Array.isArray(said) || said.length === 0 || said.length > MAX_POINTERS) return undefined;
  return said.every(isPointer) && new Set(said).size === said.length ? said : undefined;
}

/** Whether what an answer says beside the receipt is what the receipt says, and the receipt in it, if any, is that one. */
export function agrees(answer: Fields, receipt: Fields): boolean {
  const { receipt: own } = answer;
  if (Object.hasOwn(answer, 'receipt') && canonicalJson(own) !== canonicalJson(receipt)) return false;
  return SAID_TWICE.every((name) => !Object.hasOwn(answer, name) || answer[name] === receipt[name]);
}

/** The parts of an answer that nobody signed. */
export function uncovered(answer: Fields, covers: Covers): string[] {
  const { receipt: _, ...rest } = answer;
  const signed = typeof covers === 'string' ? [covers] : covers;
  return unsigned(rest, '', [...signed, ...SAID_TWICE.map(pointerStep)]);
}

function unsigned(value: object, at: string, covered: readonly string[]): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = at + pointerStep(name);
    if (covered.includes(here)) return [];
    const isInPart = covered.some((pointer) => pointer.startsWith(`${here}/`));
    return isInPart && isObject(inner) ? unsigned(inner, here, covered) : [here];
  });
}

function valueAt(answer: unknown, pointer: string): unknown {
  const names = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), answer);
}

function isPointer(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CHARS && POINTER.test(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
