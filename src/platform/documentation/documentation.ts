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

let pages: readonly DocumentationPage[] | undefined;

/** Every page of `docs/` in reading order; the files are read once. */
export function documentation(): readonly DocumentationPage[] {
  pages ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => readPage(file.slice(0, -'.md'.length), readFileSync(new URL(file, FOLDER), 'utf8')))
    .toSorted((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.order - b.order);
  return pages;
}

/** The pages about what an installation with these services offers. */
export function documentationOf(services: Services): readonly DocumentationPage[] {
  return documentation().filter((page) => services === 'all' || page.services !== 'all');
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
