import { hasPage, type Site } from '#kernel/operation.ts';
import { type DocumentationPage, documentation, GROUPS } from '#platform/documentation/documentation.ts';

export interface DocsEntry {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly group: DocumentationPage['group'];
  readonly path: string;
}

export interface DocsPart {
  readonly title: string;
  readonly entries: readonly DocsEntry[];
}

/** Groups that are too long for one list, each with the pages at which a new part begins. */
const PARTS: Partial<Record<DocumentationPage['group'], Readonly<Record<string, string>>>> = {
  Guides: { coordination: 'Guides: coordinate and prove', wallet: 'Guides: money and work', mcp: 'Guides: connect' },
};

/** Generated pages that stand among the written ones. */
const API: DocsEntry = {
  name: 'api',
  title: 'API operations',
  summary: 'Every call with its parameters, an example and its errors, grouped by product.',
  group: 'Reference',
  path: '/docs/api',
};

export function entryOf({ name, title, summary, group }: DocumentationPage): DocsEntry {
  return { name, title, summary, group, path: `/docs/${name}` };
}

type Pages = Pick<Site, 'hasPage'>;

/** Every page in reading order, the generated ones first in their group. */
export function readingPath(site: Pages = {}): readonly DocsEntry[] {
  const pages = documentation().map(entryOf);
  const at = pages.findIndex(({ group }) => group === API.group);
  return pages.toSpliced(at, 0, API).filter(({ path }) => hasPage(site, path));
}

/** The pages by group; a long group in several parts. */
export function docsParts(site: Pages = {}): readonly DocsPart[] {
  return GROUPS.flatMap((group) => {
    const starts = PARTS[group] ?? {};
    const parts: { title: string; entries: DocsEntry[] }[] = [];
    for (const entry of readingPath(site).filter((one) => one.group === group)) {
      if (Object.hasOwn(starts, entry.name) || parts.length === 0)
        parts.push({ title: starts[entry.name] ?? group, entries: [] });
      parts.at(-1)?.entries.push(entry);
    }
    return parts;
  });
}
