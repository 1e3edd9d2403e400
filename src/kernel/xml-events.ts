/** A small strict reader of XML in chunks: elements, attributes and text. No DTD, no entities but the five and numbers. */

export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

const MAX_MARKUP_CHARACTERS = 1_000_000;
const MAX_DEPTH = 64;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NAME = /^[A-Za-z_][\w.:-]*$/;
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const [LESS, GREATER, DOUBLE_QUOTE, SINGLE_QUOTE] = [0x3c, 0x3e, 0x22, 0x27];
const [EXCLAMATION, QUESTION] = [0x21, 0x3f];
const BLANK_REST = /\s*$/y;
const COMMENT_OPEN = '<!--';
const CDATA_OPEN = '<![CDATA[';

function decodedText(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&([^;&]{0,12});?/g, (whole: string, name: string) => {
    if (!whole.endsWith(';')) throw new XmlError('an ampersand stands alone');
    const known = ENTITIES[name];
    if (known !== undefined) return known;
    const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
    const code =
      digits === null
        ? Number.NaN
        : Number.parseInt(digits[1] ?? (digits[2] as string), digits[1] === undefined ? 10 : 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (!isCharacter) throw new XmlError(`the entity ${JSON.stringify(name)} is not known`);
    return String.fromCodePoint(code);
  });
}

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
    if (!this.#isRootSeen) throw new XmlError('the file holds no element');
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
    throw new XmlError('a document type is not taken');
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
      else if (code === LESS) throw new XmlError('a tag is not ended');
    }
    return undefined;
  }

  #characters(text: string): void {
    if (this.#open.length > 0) this.#handler.text(text);
    else if (text.replace(/^\uFEFF/, '').trim() !== '') throw new XmlError('text stands outside of the elements');
  }

  #tag(content: string): void {
    if (content.startsWith('/')) {
      const name = content.slice(1).trimEnd();
      if (this.#open.pop() !== name) throw new XmlError(`</${name.slice(0, 60)}> ends another element`);
      this.#handler.close(name);
      return;
    }
    const isEmpty = content.endsWith('/');
    const body = isEmpty ? content.slice(0, -1) : content;
    const nameEnd = body.search(/\s|$/);
    const name = body.slice(0, nameEnd);
    if (!NAME.test(name)) throw new XmlError(`<${name.slice(0, 60)}> is no element`);
    if (this.#open.length === 0 && this.#isRootSeen) throw new XmlError('there is more than one root element');
    if (this.#open.length >= MAX_DEPTH) throw new XmlError('the elements lie too deep');
    this.#isRootSeen = true;
    this.#handler.open(name, attributesOf(body.slice(nameEnd)));
    if (isEmpty) this.#handler.close(name);
    else this.#open.push(name);
  }
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  for (;;) {
    BLANK_REST.lastIndex = at;
    if (BLANK_REST.test(text)) return attributes;
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null) throw new XmlError('an attribute is not well-formed');
    if (attributes.has(found[1] as string)) throw new XmlError(`the attribute ${found[1]} stands twice`);
    attributes.set(found[1] as string, decodedText(found[2] ?? (found[3] as string)));
    at = ATTRIBUTE.lastIndex;
  }
}
