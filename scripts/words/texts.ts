// The texts that people read: documents, and the strings of the program.
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, visitorKeys } from 'oxc-parser';

/** A text, with the file and the line where somebody changes it. */
export interface Text {
  readonly place: string;
  readonly text: string;
}

const ROOT = new URL('../../', import.meta.url);
/** Decisions are superseded, never rewritten; older entries of the changelog are history. */
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'packages/client/README.md',
  'packages/server/README.md',
  'packages/tools/README.md',
];

/** The prose of the documents, line by line, without code. */
export function documentTexts(): Text[] {
  const pages = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'));
  return [...DOCUMENTS, ...pages.map((name) => `docs/${name}`)].flatMap((path) =>
    proseOf(readFileSync(new URL(path, ROOT), 'utf8')).map((text, index) => ({ place: `${path}:${index + 1}`, text })),
  );
}

/** Lines without code, so that numbers of lines stay as they are. */
export function proseOf(markdown: string): string[] {
  let isCode = false;
  return markdown.split('\n').map((line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    return isCode || line.trimStart().startsWith('```')
      ? ''
      : line.replaceAll(/`[^`]*`/g, '`x`').replaceAll(/\]\([^)]*\)/g, ']');
  });
}

/** Files whose strings are data: words of others that are compared, never shown. */
const DATA =
  /^(?:areas\/data\/retrieval\/(?:dutch|english|section)-words|areas\/briefs\/lint\/signals\/|platform\/usage-rules\/words\/)/;
const PROGRAM = ['src', 'client', 'bin', 'packages'];
/** Tests and what only tests use. */
const NOT_SHOWN = /\.(?:test|more)\.ts$|(?:^|\/)_[\w-]+\.ts$|migrations\//;

/** Strings of the program that are sentences or parts of some: at least three words. */
export function programTexts(): Text[] {
  return PROGRAM.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ts|js|mjs)$/.test(path) && !NOT_SHOWN.test(path) && !DATA.test(path))
      .flatMap((path) => stringsOf(`${folder}/${path}`, readFileSync(new URL(`${folder}/${path}`, ROOT), 'utf8'))),
  );
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
}

/** Every string and template of a file; a place that is filled in is three dots. */
export function stringsOf(path: string, code: string): Text[] {
  const texts: Text[] = [];
  const visit = (node: Node): void => {
    const text = textOf(node);
    if (text !== undefined && isProse(text)) {
      texts.push({ place: `${path}:${code.slice(0, node.start).split('\n').length}`, text });
    }
    for (const key of visitorKeys[node.type] ?? []) {
      const child = (node as unknown as Record<string, Node | readonly (Node | null)[] | null>)[key];
      for (const one of Array.isArray(child) ? child : [child]) if (one) visit(one as Node);
    }
  };
  visit(parseSync(path, code).program);
  return texts;
}

function textOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'TemplateLiteral') return quasis?.map(({ value: { raw } }) => raw).join('…');
  return type === 'Literal' && typeof value === 'string' ? value : undefined;
}

function isProse(text: string): boolean {
  const isSql = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|BEGIN|SET|PRAGMA|EXPLAIN)\b|\bON CONFLICT\b/.test(
    text,
  );
  return !isSql && /\p{L}{2,} \p{L}+ \p{L}+/u.test(text);
}
