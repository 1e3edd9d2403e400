import { documentation } from '#platform/documentation/documentation.ts';

const ROW = /^\| ([^|]+) \| ([^|]+) \|$/gm;
/** Terms of more than one word: single ones are plain English too. */
const TERM = /^[a-z]+ [a-z][a-z ]*$/;

let terms: ReadonlyMap<string, string> | undefined;

/** The terms that a page explains where it uses them first; the glossary itself explains none. */
export function glossaryTerms(path: string): ReadonlyMap<string, string> {
  if (path === '/docs/glossary') return new Map();
  terms ??= readTerms();
  return terms;
}

function readTerms(): ReadonlyMap<string, string> {
  const text = documentation().find(({ name }) => name === 'glossary')?.text ?? '';
  const rows = [...text.matchAll(ROW)].map(
    ([, word = '', meaning = '']) => [word.toLowerCase(), plain(meaning)] as const,
  );
  return new Map(rows.filter(([word]) => TERM.test(word)));
}

/** Markdown as the text of a tooltip. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}
