import { anchorOf } from '#kernel/anchor.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { Passage } from './corpus.ts';
import { sectionWords } from './section-words.ts';

const MAX_LENGTH = 6_000;
const MIN_LENGTH = 40;

function plain(heading: string): string {
  return heading.replace(/[`*]/g, '').trim();
}

/** Pieces of a text that is too long for one, cut where lines end. */
function pieces(body: string): string[] {
  const cut: string[] = [''];
  for (const line of body.split('\n')) {
    const last = cut.at(-1) as string;
    if (last.length + line.length > MAX_LENGTH && last !== '') cut.push(line);
    else cut[cut.length - 1] = last === '' ? line : `${last}\n${line}`;
  }
  return cut;
}

/** One passage for each heading of a page; ids stay the same from start to start. */
export function pageChunks(path: string, markdown: string): Passage[] {
  const chunks: Passage[] = [];
  const used = new Map<string, number>();
  let page = path;
  let heading = '';
  let lines: string[] = [];
  let isCode = false;
  const flush = () => {
    const body = lines.join('\n').trim();
    lines = [];
    if (body.length < MIN_LENGTH) return;
    for (const text of pieces(body)) {
      const base = anchorOf(heading === '' ? page : heading);
      const count = (used.get(base) ?? 0) + 1;
      used.set(base, count);
      const id = `docs:${path}#${count === 1 ? base : `${base}-${count}`}`;
      const title = heading === '' || heading === page ? page : `${page}: ${heading}`;
      chunks.push({ id, title, body: text, keywords: sectionWords(id), source: 'docs', retrievedAtMs: 0 });
    }
  };
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, text] = (isCode ? null : /^(#{1,4}) (.+)$/.exec(line)) ?? [];
    if (marks === undefined || text === undefined) lines.push(line);
    else {
      flush();
      heading = plain(text);
      if (marks === '#') page = heading;
    }
  }
  flush();
  return chunks;
}

/** The digest of everything that the service says of itself. */
export function passagesSha256(passages: readonly Passage[]): string {
  const lines = passages.map(({ id, title, body }) => `${id}:${sha256Hex(`${title}\n${body}`)}\n`);
  return sha256Hex(lines.toSorted().join(''));
}
