import { parseBase64 } from '#protocol/log-text.ts';

/** A bare item of RFC 8941. */
type Bare =
  | { readonly kind: 'string' | 'token'; readonly value: string }
  | { readonly kind: 'integer' | 'decimal'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'boolean'; readonly value: boolean };

type Parameters = ReadonlyMap<string, Bare>;

export interface Item {
  readonly bare: Bare;
  readonly parameters: Parameters;
}

export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

/** The value of a member of a dictionary. */
export type Member = Item | InnerList;

/** Values that a header may have where it is not broken; everything longer is refused unread. */
const MAX_FIELD_CHARS = 8_192;

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y;
const STRING = /"((?:[ !#-[\]-~]|\\["\\])*)"/y;
const TOKEN = /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y;
const BYTES = /:([A-Za-z0-9+/]*={0,2}):/y;
const BOOLEAN = /\?([01])/y;
const SPACES = / */y;
const BLANKS = /[ \t]*/y;

class Malformed extends Error {}

/**
 * The members of a dictionary in their order; undefined for a text that is not one. Of a name that comes twice, the last
 * value counts, here and among parameters (RFC 8941, 4.2.2 and 4.2.3.2).
 */
export function parseDictionary(text: string): ReadonlyMap<string, Member> | undefined {
  return parsed(text, (reader) => reader.dictionary());
}

/** The one item that a text is; undefined for any other text. */
export function parseItem(text: string): Item | undefined {
  return parsed(text, (reader) => reader.item());
}

function parsed<T>(text: string, read: (reader: Reader) => T): T | undefined {
  // attacker-controlled
  if (text.length > MAX_FIELD_CHARS) return undefined;
  const reader = new Reader(text);
  try {
    reader.take(SPACES);
    const value = read(reader);
    reader.take(SPACES);
    return reader.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** The item as RFC 8941, 4.1 writes it. */
export function serializeItem({ bare, parameters }: Item): string {
  return `${serializeBare(bare)}${serializeParameters(parameters)}`;
}

export function serializeMember(member: Member): string {
  if (!('items' in member)) return serializeItem(member);
  return `(${member.items.map(serializeItem).join(' ')})${serializeParameters(member.parameters)}`;
}

export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function serializeParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([name, bare]) => (bare.kind === 'boolean' && bare.value ? `;${name}` : `;${name}=${serializeBare(bare)}`))
    .join('');
}

function serializeBare(bare: Bare): string {
  switch (bare.kind) {
    case 'string':
      return quoted(bare.value);
    case 'token':
      return bare.value;
    case 'integer':
      return String(bare.value);
    case 'decimal':
      return Number.isInteger(bare.value) ? `${bare.value}.0` : String(bare.value);
    case 'bytes':
      return `:${Buffer.from(bare.value).toString('base64')}:`;
    case 'boolean':
      return bare.value ? '?1' : '?0';
  }
}

const TRUE: Bare = { kind: 'boolean', value: true };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** What the sticky pattern finds here, with its first group; undefined where it finds nothing. */
  take(pattern: RegExp): { readonly text: string; readonly group: string } | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return { text: found[0], group: found[1] ?? '' };
  }

  dictionary(): Map<string, Member> {
    const members = new Map<string, Member>();
    while (!this.isAtEnd) {
      const name = this.#key();
      members.set(name, this.#eat('=') ? this.#member() : { bare: TRUE, parameters: this.#parameters() });
      this.take(BLANKS);
      if (this.isAtEnd) return members;
      if (!this.#eat(',')) throw new Malformed();
      this.take(BLANKS);
      if (this.isAtEnd) throw new Malformed();
    }
    return members;
  }

  item(): Item {
    const bare = this.#bare();
    return { bare, parameters: this.#parameters() };
  }

  #member(): Member {
    if (!this.#eat('(')) return this.item();
    const items: Item[] = [];
    for (;;) {
      const gap = this.take(SPACES)?.text ?? '';
      if (this.#eat(')')) return { items, parameters: this.#parameters() };
      if (items.length > 0 && gap === '') throw new Malformed();
      items.push(this.item());
    }
  }

  #parameters(): Map<string, Bare> {
    const parameters = new Map<string, Bare>();
    while (this.#eat(';')) {
      this.take(SPACES);
      const name = this.#key();
      parameters.set(name, this.#eat('=') ? this.#bare() : TRUE);
    }
    return parameters;
  }

  #key(): string {
    const key = this.take(KEY);
    if (key === undefined) throw new Malformed();
    return key.text;
  }

  #bare(): Bare {
    const number = this.take(NUMBER)?.text;
    if (number !== undefined) return { kind: number.includes('.') ? 'decimal' : 'integer', value: Number(number) };
    const string = this.take(STRING);
    if (string !== undefined) return { kind: 'string', value: string.group.replaceAll(/\\(["\\])/g, '$1') };
    const token = this.take(TOKEN)?.text;
    if (token !== undefined) return { kind: 'token', value: token };
    const boolean = this.take(BOOLEAN)?.group;
    if (boolean !== undefined) return { kind: 'boolean', value: boolean === '1' };
    const bytes = parseBase64(this.take(BYTES)?.group ?? '!');
    if (bytes === undefined) throw new Malformed();
    return { kind: 'bytes', value: bytes };
  }

  #eat(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}
