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
const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s<>/!?]+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Reads a small document; undefined for anything that is not well-formed, a document type among it. */
export function readXml(document: string): XmlElement | undefined {
  const root: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [root];
  TOKEN.lastIndex = 0;
  const source = document.replace(/^\uFEFF/, '');
  while (TOKEN.lastIndex < source.length) {
    const token = TOKEN.exec(source); // attacker-controlled
    const current = open.at(-1);
    if (token === null || current === undefined) return undefined;
    const [, cdata, slash, name, attributes, selfClosing, text] = token;
    if (cdata !== undefined) current.text += cdata;
    else if (text !== undefined) {
      if (current === root && text.trim() !== '') return undefined;
      current.text += decoded(text);
    } else if (name !== undefined && slash === '/') {
      if (open.length === 1 || current.name !== localName(name)) return undefined;
      open.pop();
      (open.at(-1) as OpenElement).text += current.text;
    } else if (name !== undefined) {
      const read = readAttributes(attributes ?? '');
      if (read === undefined || open.length > MAX_DEPTH) return undefined;
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
    attributes[localName(match[1] as string)] = decoded(match[2] ?? match[3] ?? '');
    end = ATTRIBUTE.lastIndex;
  }
  return text.slice(end).trim() === '' ? attributes : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
