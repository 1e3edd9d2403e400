/** An element by its local name: the prefixes of others are their own affair. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text and that of its descendants. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const MAX_DEPTH = 64;
/** An invoice of 2,000 lines has some 80,000. */
const MAX_ELEMENTS = 200_000;
/** What follows a name is looked at before the rest: without that a long name makes the reader try all its lengths. */
const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s<>/!?"'=]+)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy;
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,6});|#([0-9]{1,7});|([A-Za-z_][\w.-]*);)?/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Reads a small document; undefined for anything that is not well-formed, a document type among it, or too deep or too full. */
export function readXml(document: string): XmlElement | undefined {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [root];
  let elements = 0;
  TOKEN.lastIndex = 0;
  const source = document.replace(/^\uFEFF/, '');
  while (TOKEN.lastIndex < source.length) {
    const token = TOKEN.exec(source); // attacker-controlled
    const current = open.at(-1);
    if (token === null || current === undefined) return undefined;
    const [, cdata, slash, name, attributes, selfClosing, text] = token;
    if (current === root && (cdata ?? text ?? '').trim() !== '') return undefined;
    if (cdata !== undefined) current.text += cdata;
    else if (text !== undefined) {
      const read = decoded(text);
      if (read === undefined) return undefined;
      current.text += read;
    } else if (name !== undefined && slash === '/') {
      const hasMore = (attributes ?? '').trim() !== '' || selfClosing === '/';
      if (open.length === 1 || hasMore || current.name !== localName(name)) return undefined;
      open.pop();
      (open.at(-1) as OpenElement).text += current.text;
    } else if (name !== undefined) {
      const read = readAttributes(attributes ?? '');
      elements += 1;
      if (read === undefined || open.length > MAX_DEPTH || elements > MAX_ELEMENTS) return undefined;
      const element: OpenElement = { name: localName(name), attributes: read, children: [], text: '' };
      current.children.push(element);
      if (selfClosing !== '/') open.push(element);
    }
  }
  return open.length === 1 && root.children.length === 1 ? root.children[0] : undefined;
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

function readAttributes(text: string): Record<string, string> | undefined {
  const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  ATTRIBUTE.lastIndex = 0;
  let end = 0;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    const value = decoded(match[2] ?? match[3] ?? '');
    if (value === undefined) return undefined;
    attributes[localName(match[1] as string)] = value;
    end = ATTRIBUTE.lastIndex;
  }
  return text.slice(end).trim() === '' ? attributes : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Undefined for a reference to an entity that only a document type could declare, or to no character. */
function decoded(text: string): string | undefined {
  let isSound = true;
  const read = text.replace(REFERENCE, (_, hex?: string, decimal?: string, name?: string) => {
    const character = name === undefined ? characterOf(hex, decimal) : ENTITIES.get(name);
    isSound &&= character !== undefined;
    return character ?? '';
  });
  return isSound ? read : undefined;
}

function characterOf(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number(decimal ?? 'none') : Number.parseInt(hex, 16);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
