import { XmlError, XmlReader } from '#kernel/xml.ts';
import { type PageReader, SourceError } from './source.ts';

/** An element by its local name: prefixes differ from answer to answer. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
  text: string;
}

const MAX_NODES_OF_RECORD = 20_000;

/** The first element of a name inside a node, at any depth. */
export function find(node: XmlNode, name: string): XmlNode | undefined {
  for (const child of node.children) {
    const found = child.name === name ? child : find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function findAll(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

/** The text of the first element of a name, or of the first inside it that has any. */
export function elementText(node: XmlNode, name: string): string {
  const found = find(node, name);
  return found === undefined ? '' : innerText(found);
}

function innerText({ text, children }: XmlNode): string {
  const own = text.trim();
  if (own !== '') return own;
  for (const child of children) {
    const inner = innerText(child);
    if (inner !== '') return inner;
  }
  return '';
}

export interface XmlRecords<T> {
  /** Local names that the root may have: anything else is not the answer. */
  readonly roots: readonly string[];
  /** Local names of the elements that are handed over one by one, and forgotten. */
  readonly records: readonly string[];
  /** Undefined leaves a record out. */
  readonly take: (record: XmlNode) => T | undefined;
  /** Local names outside of records whose text is wanted. */
  readonly outer?: readonly string[];
}

export interface XmlPage<T> {
  readonly taken: readonly T[];
  /** Records that stood in the answer. */
  readonly seen: number;
  readonly outer: ReadonlyMap<string, string>;
}

/** Reads a document of any length and keeps no more of it than one record. */
export function xmlRecords<T>({ roots, records, take, outer = [] }: XmlRecords<T>): PageReader<XmlPage<T>> {
  const taken: T[] = [];
  const texts = new Map<string, string>();
  const open: XmlNode[] = [];
  let outerName = '';
  let seen = 0;
  let nodes = 0;
  let hasRoot = false;
  const reader = new XmlReader({
    open(name, attributes) {
      if (!hasRoot && !roots.includes(name)) throw new SourceError('WRONG_FORMAT', `the root is not <${roots[0]}>`);
      hasRoot = true;
      outerName = name;
      if (open.length === 0 && !records.includes(name)) return;
      nodes = open.length === 0 ? 1 : nodes + 1;
      if (nodes > MAX_NODES_OF_RECORD) throw new SourceError('TOO_LARGE', 'a record has too many elements');
      const node = { name, attributes, children: [], text: '' };
      open.at(-1)?.children.push(node);
      open.push(node);
    },
    text(text) {
      const node = open.at(-1);
      if (node !== undefined) node.text += text;
      else if (outer.includes(outerName) && text.trim() !== '') texts.set(outerName, text.trim());
    },
    close() {
      outerName = '';
      const node = open.pop();
      if (node === undefined || open.length > 0) return;
      seen += 1;
      const value = take(node);
      if (value !== undefined) taken.push(value);
    },
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const checked = (work: () => void) => {
    try {
      work();
    } catch (error) {
      const isForm = error instanceof XmlError || error instanceof TypeError;
      throw isForm ? new SourceError('WRONG_FORMAT', (error as Error).message) : error;
    }
  };
  return {
    write: (piece) => checked(() => reader.write(decoder.decode(piece, { stream: true }))),
    end() {
      checked(() => {
        reader.write(decoder.decode());
        reader.end();
      });
      return { taken, seen, outer: texts };
    },
  };
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads one page of JSON whole; what is no object, or not the one that was asked for, is refused. */
export function jsonPage<T>(read: (page: JsonRecord) => T | undefined): PageReader<T> {
  const pieces: Uint8Array[] = [];
  return {
    write: (piece) => void pieces.push(piece),
    end() {
      let value: unknown;
      try {
        value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))); // attacker-controlled
      } catch {
        throw new SourceError('WRONG_FORMAT', 'the response is not JSON');
      }
      const page = isJson(value) ? read(value) : undefined;
      if (page === undefined) throw new SourceError('WRONG_FORMAT', 'the response lacks the requested data');
      return page;
    },
  };
}

/** The reader of a page with something else made of what it read. */
export function mappedReader<A, B>(reader: PageReader<A>, make: (page: A) => B): PageReader<B> {
  return { write: (piece) => reader.write(piece), end: () => make(reader.end()) };
}

export function isJson(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; undefined where there is no list. */
export function objects(value: unknown): JsonRecord[] | undefined {
  return Array.isArray(value) ? value.filter(isJson) : undefined;
}

export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
