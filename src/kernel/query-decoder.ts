import { z } from 'zod';
import { shownStep } from './json-pointer.ts';
import type { InputSchema } from './operation.ts';
import type { FieldError } from './problem.ts';
import { asSentence } from './sentence.ts';

/** Plain decimal notation only: no empty text, hex, exponent, sign, leading zero or blank (zod #2461). */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** More faults than any caller mends at once; without an end a long query would be answered by megabytes. */
const MAX_FAULTS = 20;
/** No call has as many; 30,000 in one query would take 40 ms to look at. */
export const MAX_PARAMETERS = 256;

export type Decoded =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly errors: FieldError[] };
export type RawInput = Record<string, unknown>;

/** Objects of this shape have no prototype members, and unlike Object.create(null) the engine keeps them fast. */
function InputMembers(): void {}
InputMembers.prototype = Object.freeze(Object.create(null) as object);

export function emptyInput(): RawInput {
  return new (InputMembers as unknown as new () => RawInput)();
}

export class MalformedQueryError extends Error {
  override readonly name = 'MalformedQueryError';
}

/** The names of the fields whose text becomes a number before the schema sees it. */
export function numericFields(schema: InputSchema): ReadonlySet<string> {
  const names = Object.entries(schema.shape).filter(([, field]) => {
    const { type } = z.toJSONSchema(field, { io: 'input', reused: 'inline', unrepresentable: 'any' });
    return type === 'number' || type === 'integer';
  });
  return new Set(names.map(([name]) => name));
}

/** The pairs of a query string in an object without prototype; a repeated name becomes a list, which schemas refuse. */
export function parseQuery(query: string): RawInput {
  const pairs = emptyInput();
  // Most queries have nothing to decode; one look at the whole spares two at every part.
  const isPlain = !query.includes('%') && !query.includes('+');
  let parameters = 0;
  for (let from = 0; from < query.length; ) {
    const found = query.indexOf('&', from);
    const to = found === -1 ? query.length : found;
    if (to > from) {
      parameters += 1;
      if (parameters > MAX_PARAMETERS) {
        throw new MalformedQueryError(`The query has more than ${MAX_PARAMETERS} parameters.`);
      }
      addPair(pairs, query.slice(from, to), isPlain);
    }
    from = to + 1;
  }
  return pairs;
}

function addPair(pairs: RawInput, part: string, isPlain: boolean): void {
  const equals = part.indexOf('=');
  const givenName = equals === -1 ? part : part.slice(0, equals);
  const givenValue = equals === -1 ? '' : part.slice(equals + 1);
  const name = isPlain ? givenName : decodePart(givenName);
  const value = isPlain ? givenValue : decodePart(givenValue);
  const before = pairs[name];
  if (before === undefined) pairs[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else pairs[name] = [before, value];
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new MalformedQueryError('The query contains an escape that is not valid UTF-8.');
  }
}

/** Turns the text of numeric fields into numbers where it is plain decimal; any other text stays and is refused. */
export function textToNumbers(raw: RawInput, numeric: ReadonlySet<string>): void {
  for (const name of numeric) {
    const value = raw[name];
    if (typeof value === 'string' && DECIMAL.test(value)) raw[name] = Number(value);
  }
}

const SERVICE_ERROR_CODES = new WeakMap<z.ZodType, string>();

/** The same field, whose faults have a code of their own, whatever is wrong with it. */
export function withFaultCode<T extends z.ZodType>(field: T, code: string): T {
  SERVICE_ERROR_CODES.set(field, code);
  return field;
}

export function decode(schema: InputSchema, raw: unknown): Decoded {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { ok: true, input: parsed.data };
  return {
    ok: false,
    errors: parsed.error.issues.flatMap((issue) => faultsOf(issue, raw, schema)).slice(0, MAX_FAULTS),
  };
}

function faultsOf(issue: z.core.$ZodIssue, raw: unknown, schema: InputSchema): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_FAULTS).map((name) => ({
      pointer: pointerTo([...issue.path, name]),
      code: 'unknown_parameter',
      detail: 'Unknown parameter.',
    }));
  }
  const value = valueAt(raw, issue.path);
  const field = schema.shape[String(issue.path[0])];
  const ownCode = value === undefined || field === undefined ? undefined : SERVICE_ERROR_CODES.get(field);
  const code = ownCode === undefined ? {} : { code: ownCode };
  return [{ pointer: pointerTo(issue.path), ...explain(issue, value), ...code }];
}

function explain(issue: z.core.$ZodIssue, value: unknown): { code: string; detail: string } {
  if (value === undefined && issue.code !== 'custom') return { code: 'missing', detail: 'This field is required.' };
  switch (issue.code) {
    case 'invalid_type':
      return explainType(issue.expected, value);
    case 'invalid_value':
      return {
        code: 'not_allowed',
        detail: `Must be one of ${issue.values.map((one) => String(one) || 'the empty text').join(', ')}.`,
      };
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? { code: 'too_short', detail: `Use at least ${issue.minimum} ${unitOf(issue.origin)}.` }
        : { code: 'too_small', detail: `Must be at least ${issue.minimum}.` };
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? { code: 'too_long', detail: `Use at most ${issue.maximum} ${unitOf(issue.origin)}.` }
        : { code: 'too_large', detail: `Must be at most ${issue.maximum}.` };
    case 'custom':
      return { code: String(issue.params?.['code'] ?? 'invalid'), detail: issue.message };
    case 'invalid_union':
      return { code: 'wrong_format', detail: issue.message === BARE ? eitherOf(issue.errors, value) : issue.message };
    default:
      return { code: 'wrong_format', detail: asSentence(issue.message) };
  }
}

/** What zod says of a field with several forms, which tells nobody what they are. */
const BARE = 'Invalid input';

/** What each form of a field would have taken. */
function eitherOf(forms: readonly (readonly z.core.$ZodIssue[])[], value: unknown): string {
  const wanted = forms.flatMap(([first]) => {
    if (first === undefined) return [];
    const { detail } = explain(first, valueAt(value, first.path));
    return first.path.length === 0 ? detail : `${first.path.join('/')}: ${inSentence(detail)}`;
  });
  const texts = [...new Set(wanted)].map((text) => text.replace(/\.$/, ''));
  const [one, ...others] = texts;
  if (one === undefined) return 'The value does not have the documented form.';
  const isShort = one.startsWith('Must be ');
  const rest = others.map((text) => inSentence(isShort ? text.replace(/^Must be /, '') : text));
  return `${[one, ...rest].join(', or ')}.`;
}

/** As it stands within a sentence. */
function inSentence(text: string): string {
  return text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

function explainType(expected: string, value: unknown): { code: string; detail: string } {
  if (Array.isArray(value)) return { code: 'repeated', detail: 'Give this parameter only once.' };
  if (expected === 'int') return { code: 'not_an_integer', detail: 'Must be a whole number in plain decimal digits.' };
  if (expected === 'number') return { code: 'not_a_number', detail: 'Must be a decimal number.' };
  return { code: 'wrong_type', detail: `Must be of type ${expected}.` };
}

function unitOf(origin: string): string {
  return origin === 'string' ? 'characters' : 'items';
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
  return value;
}

/** A JSON pointer as a URI fragment (RFC 6901 section 6); names come from the caller and are cut. */
function pointerTo(path: readonly PropertyKey[]): string {
  return `#${path.map((step) => shownStep(String(step))).join('')}`;
}
