/** Deep enough for every document of the service, and far from the end of the stack. */
const MAX_DEPTH = 64;

/** A value that has no canonical form: the caller must not hash, sign or store it. */
export class CanonicalJsonError extends TypeError {
  override readonly name = 'CanonicalJsonError';
}

/** Returns the one JSON text of a value (RFC 8785, JCS), whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** Levels that are left for what a value is put into before it is hashed. */
const LEVELS_AROUND = 4;

/** Whether a value from outside has a canonical form, also as a part of another one. */
export function hasCanonicalForm(value: unknown): boolean {
  try {
    write(value, LEVELS_AROUND);
    return true;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return false;
    throw error;
  }
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (typeof value !== 'object') throw new CanonicalJsonError(`A value of type ${typeof value} is not JSON.`);
  if (depth === MAX_DEPTH)
    throw new CanonicalJsonError(`The value is nested deeper than ${MAX_DEPTH} levels or contains a cycle.`);
  return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1);
}

/** RFC 8785 section 3.2.2.3 is ECMAScript's own number text. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new CanonicalJsonError(`${value} is not a JSON number.`);
  return String(value);
}

/** From here on a look by pattern takes longer than writing. */
const LONG = 4_096;
// oxlint-disable-next-line no-control-regex
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** RFC 8785 section 3.2.2.2 escapes as JSON.stringify does, which however lets lone surrogates through. */
function writeString(text: string): string {
  if (text.length < LONG && !NEEDS_CARE.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new CanonicalJsonError('A lone surrogate is not Unicode text.');
  return JSON.stringify(text);
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += write(items[i], depth);
  }
  return `${text}]`;
}

function writeObject(value: object, depth: number): string {
  if (!isPlain(value)) throw new CanonicalJsonError('Only plain objects and arrays are JSON.');
  let text = '{';
  for (const name of sortedNames(value)) {
    if (text !== '{') text += ',';
    text += `${writeString(name)}:${write(value[name], depth)}`;
  }
  return `${text}}`;
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** RFC 8785 section 3.2.3 orders by UTF-16 code units, as strings compare. What is in order is not sorted. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value);
  for (let i = 1; i < names.length; i++) {
    if ((names[i - 1] ?? '') > (names[i] ?? '')) return names.sort();
  }
  return names;
}
