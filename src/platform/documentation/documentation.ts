import { readdirSync, readFileSync } from 'node:fs';
import type { Services } from '#kernel/operation.ts';

/** The parts of the documentation, in reading order. */
export const GROUPS = ['Start', 'Guides', 'Reference', 'Operate', 'Under the hood'] as const;

type Group = (typeof GROUPS)[number];

export interface DocumentationPage {
  /** Its file without the ending, and its address under /docs. */
  readonly name: string;
  readonly title: string;
  /** One line: what the page helps with. */
  readonly summary: string;
  readonly group: Group;
  readonly order: number;
  /** About what an installation of free services does not have. */
  readonly services?: 'all';
  /** Markdown, without the front matter. */
  readonly text: string;
}

const FOLDER = new URL('../../../docs/', import.meta.url);
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n+/;

let pages: Readonly<Record<Services, readonly DocumentationPage[]>> | undefined;

/** Every page of `docs/` in reading order; the files are read once. */
export function documentation(): readonly DocumentationPage[] {
  return documentationOf('all');
}

/** The pages about what an installation with these services offers. */
export function documentationOf(services: Services): readonly DocumentationPage[] {
  pages ??= readPages();
  return pages[services];
}

function readPages(): Readonly<Record<Services, readonly DocumentationPage[]>> {
  const written = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => readPage(file.slice(0, -'.md'.length), readFileSync(new URL(file, FOLDER), 'utf8')))
    .toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.order - b.order);
  return {
    all: written.map((page) => ({ ...page, text: offeredText(page.text, 'all') })),
    free: written
      .filter((page) => page.services !== 'all')
      .map((page) => ({ ...page, text: offeredText(page.text, 'free') })),
  };
}

/** Above a heading it marks the section, above anything else the block up to the next blank line. */
const ONLY_ALL = '<!-- services: all -->';
const ONLY_ALL_IN_LINE = new RegExp(`${ONLY_ALL}(.*?)<!-- end -->`, 'g');
const FENCE = /^```/;
const HEADING = /^(#+) /;

/** The text without marks; where not everything is offered, also without what they mark. */
export function offeredText(text: string, services: Services): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (line !== ONLY_ALL) kept.push(line.replaceAll(ONLY_ALL_IN_LINE, services === 'all' ? '$1' : ''));
    else if (services !== 'all') at = endOfMarked(lines, at + 1) - 1;
  }
  return kept.join('\n');
}

/** The line after what begins at the line. */
function endOfMarked(lines: readonly string[], start: number): number {
  const level = HEADING.exec(lines[start] ?? '')?.[1]?.length;
  let isCode = false;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) continue;
    const other = HEADING.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY;
    if (level === undefined ? line === '' : at > start && other <= level) return level === undefined ? at + 1 : at;
  }
  return lines.length;
}

/** A page from its file; throws where the front matter lacks a member. */
export function readPage(name: string, file: string): DocumentationPage {
  const lines = FRONT_MATTER.exec(file)?.[1]?.split('\n') ?? [];
  const members = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const member = (key: string): string => {
    const value = members.get(key);
    if (value === undefined || value === '') throw new Error(`docs/${name}.md: the front matter needs ${key}.`);
    return value;
  };
  const group = GROUPS.find((one) => one === member('group'));
  if (group === undefined) throw new Error(`docs/${name}.md: group is one of ${GROUPS.join(', ')}.`);
  const order = Number(member('order'));
  if (!Number.isInteger(order)) throw new Error(`docs/${name}.md: order is a whole number.`);
  return {
    name,
    title: member('title'),
    summary: member('summary'),
    group,
    order,
    ...(members.get('services') === 'all' && { services: 'all' }),
    text: file.replace(FRONT_MATTER, ''),
  };
}
