/** What a reader is told of, in document order. Elements go by their local names: the prefixes of others are their own affair. */
export interface XmlHandler {
  /** Attributes keep their prefixes. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

const MAX_MARKUP_CHARACTERS = 1_000_000;
const MAX_DEPTH = 64;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** The names of XML 1.0 but for those that begin with a colon or have characters beyond U+FFFF. */
const NAME_START =
  'A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd';
const NAME_PATTERN = `[${NAME_START}][${NAME_START}0-9.:\\u00b7\\u0300-\\u036f\\u203f\\u2040-]*`;
const NAME = new RegExp(`^${NAME_PATTERN}$`);
const ATTRIBUTE = new RegExp(`\\s+(${NAME_PATTERN})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const [LESS, GREATER, DOUBLE_QUOTE, SINGLE_QUOTE] = [0x3c, 0x3e, 0x22, 0x27];
const [EXCLAMATION, QUESTION] = [0x21, 0x3f];
const COMMENT_OPEN = '<!--';
const CDATA_OPEN = '<![CDATA[';

/** A strict reader of XML in chunks: elements, attributes and text. No document type, no entities but the five and numbers. */
export class XmlReader {
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #pending = '';
  #isRootSeen = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(chunk: string): void {
    this.#pending += chunk;
    let at = 0;
    for (;;) {
      const next = this.#step(at);
      if (next === undefined) break;
      at = next;
    }
    this.#pending = this.#pending.slice(at);
    if (this.#pending.length > MAX_MARKUP_CHARACTERS) throw new XmlError('a tag or text is too long');
  }

  /** Faults unless exactly one whole element has been read. */
  end(): void {
    if (this.#pending.trim() !== '') throw new XmlError('the file ends inside a tag or text');
    if (this.#open.length > 0) throw new XmlError(`the file ends inside <${this.#open.at(-1)}>`);
    if (!this.#isRootSeen) throw new XmlError('the file has no element');
  }

  /** Takes one piece that starts at a place and says where the next one starts; undefined when more must come. */
  #step(at: number): number | undefined {
    const text = this.#pending;
    if (at >= text.length) return undefined;
    if (text[at] !== '<') {
      const end = text.indexOf('<', at);
      if (end === -1) return undefined;
      this.#characters(decodedText(text.slice(at, end)));
      return end;
    }
    const next = text.charCodeAt(at + 1);
    if (next !== EXCLAMATION && next !== QUESTION && at + 1 < text.length) {
      const end = this.#tagEnd(at);
      if (end !== undefined) this.#tag(text.slice(at + 1, end));
      return end === undefined ? undefined : end + 1;
    }
    const rest = text.slice(at, at + CDATA_OPEN.length);
    if (rest.length < CDATA_OPEN.length && (COMMENT_OPEN.startsWith(rest) || CDATA_OPEN.startsWith(rest)))
      return undefined;
    if (rest.startsWith(COMMENT_OPEN)) return this.#after('-->', at + 4);
    if (rest === CDATA_OPEN) {
      const end = this.#after(']]>', at);
      if (end !== undefined) this.#characters(text.slice(at + CDATA_OPEN.length, end - 3));
      return end;
    }
    if (rest.startsWith('<?')) return this.#after('?>', at);
    throw new XmlError('a document type is not allowed');
  }

  #after(mark: string, from: number): number | undefined {
    const end = this.#pending.indexOf(mark, from);
    return end === -1 ? undefined : end + mark.length;
  }

  /** The place of the > that ends a tag; one inside quotes does not. */
  #tagEnd(at: number): number | undefined {
    const text = this.#pending;
    for (let place = at + 1; place < text.length; place += 1) {
      const code = text.charCodeAt(place);
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        const end = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", place + 1);
        if (end === -1) return undefined;
        place = end;
      } else if (code === GREATER) return place;
      else if (code === LESS) throw new XmlError('a tag is not closed');
    }
    return undefined;
  }

  #characters(text: string): void {
    if (this.#open.length > 0) this.#handler.text(text);
    else if (text.replace(/^\uFEFF/, '').trim() !== '') throw new XmlError('there is text outside of the elements');
  }

  #tag(content: string): void {
    if (content.startsWith('/')) {
      const name = content.slice(1).trimEnd();
      if (this.#open.pop() !== name) throw new XmlError(`</${name.slice(0, 60)}> closes another element`);
      this.#handler.close(localName(name));
      return;
    }
    const isEmpty = content.endsWith('/');
    const body = isEmpty ? content.slice(0, -1) : content;
    const nameEnd = body.search(/\s|$/);
    const name = body.slice(0, nameEnd);
    if (!NAME.test(name)) throw new XmlError(`<${name.slice(0, 60)}> is not an element`);
    if (this.#open.length === 0 && this.#isRootSeen) throw new XmlError('there is more than one root element');
    if (this.#open.length >= MAX_DEPTH) throw new XmlError('the elements are nested too deep');
    this.#isRootSeen = true;
    this.#handler.open(localName(name), attributesOf(body.slice(nameEnd)));
    if (isEmpty) this.#handler.close(localName(name));
    else this.#open.push(name);
  }
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let end = 0;
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, name = '', doubleQuoted, singleQuoted = ''] = found;
    if (attributes.has(name)) throw new XmlError(`the attribute ${name} appears twice`);
    attributes.set(name, decodedText(doubleQuoted ?? singleQuoted));
    end = ATTRIBUTE.lastIndex;
  }
  if (text.slice(end).trim() !== '') throw new XmlError('an attribute is not well-formed');
  return attributes;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Faults on a reference to an entity that only a document type could declare, or to no character. */
function decodedText(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&([^;&]{0,12});?/g, (whole: string, name: string) => {
    if (!whole.endsWith(';')) throw new XmlError('an ampersand is not escaped');
    const character = ENTITIES.get(name) ?? numberedCharacter(name);
    if (character === undefined) throw new XmlError(`the entity ${JSON.stringify(name)} is unknown`);
    return character;
  });
}

function numberedCharacter(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal ?? 'none') : Number.parseInt(hex, 16);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text and that of its descendants. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** An invoice of 2,000 lines has some 80,000. */
const MAX_ELEMENTS = 200_000;

/** Reads a small document; undefined for anything that is not well-formed, a document type among it, or too deep or too full. */
export function readXml(document: string): XmlElement | undefined {
  const root: OpenElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open: OpenElement[] = [root];
  let elements = 0;
  const reader = new XmlReader({
    open(name, attributes) {
      elements += 1;
      if (elements > MAX_ELEMENTS) throw new XmlError('there are too many elements');
      const element: OpenElement = { name, attributes, children: [], text: '' };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text(text) {
      (open.at(-1) as OpenElement).text += text;
    },
    close() {
      const { text } = open.pop() as OpenElement;
      (open.at(-1) as OpenElement).text += text;
    },
  });
  try {
    reader.write(document); // attacker-controlled
    reader.end();
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
  return root.children[0];
}

/** All elements of a name, in document order. */
export function allNamed(element: XmlElement, name: string): XmlElement[] {
  const own = element.name === name ? [element] : [];
  return [...own, ...element.children.flatMap((child) => allNamed(child, name))];
}

export function textOf(element: XmlElement, name: string): string | undefined {
  return allNamed(element, name)[0]?.text.trim();
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
