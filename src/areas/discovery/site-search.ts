import type { Call, Operation } from '#kernel/operation.ts';
import type { ProblemType } from '#kernel/problem.ts';
import type { FoundReference, ReferenceForm } from '#kernel/reference-form.ts';
import { documentation } from '#platform/documentation/documentation.ts';
import type { SearchGroup, SearchResult } from './pages/search.ts';
import { pageOf } from './reference.ts';
import { findSitePages } from './site-pages.ts';

/** A text about the service that speaks of the words. */
export interface FoundText {
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
}

export interface SiteSearchDeps {
  readonly offered: readonly Operation[];
  readonly problems: readonly ProblemType[];
  readonly hasPage: (path: string) => boolean;
  /** The references that all areas issue. */
  readonly references: () => readonly ReferenceForm[];
  /** The page of something that belongs to the account of a signed-in browser. */
  readonly accountPage: (call: Call, ref: string) => Promise<string | undefined>;
  readonly search: (query: string) => Promise<readonly FoundText[]>;
}

type Match = NonNullable<SearchResult['match']>;

const MAX_SHOWN = 8;
const NO_HITS: Groups = { pages: [], docs: [], operations: [], problems: [] };
const DOCS_ID = /^docs:docs\/([\w-]+)\.md#(.*)$/;

/** One field for everything: references, problem codes, and words. */
export class SiteSearch {
  readonly #deps: SiteSearchDeps;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #problems: ReadonlyMap<string, ProblemType>;

  constructor(deps: SiteSearchDeps) {
    this.#deps = deps;
    this.#operations = new Map(deps.offered.map((row) => [row.operationId, row]));
    this.#problems = new Map(deps.problems.map((problem) => [problem.code, problem]));
  }

  async find(given: string, all: SearchGroup | undefined, call: Call): Promise<SearchResult> {
    const q = given.trim();
    if (q === '') return { q, match: null, ...grouped(NO_HITS, all) };
    const match = (await this.#reference(q, call)) ?? this.#problem(q);
    const texts = inOrder(q, await this.#deps.search(q));
    return { q, match, ...grouped(this.#groups(q, texts), all) };
  }

  async #reference(ref: string, call: Call): Promise<Match | null> {
    const own = await this.#deps.accountPage(call, ref);
    if (own !== undefined) return { kind: 'account', title: `Open ${ref} in the dashboard`, path: own };
    const form = this.#deps.references().find(({ pattern }) => pattern.test(ref)); // attacker-controlled
    const found = await form?.find(ref);
    if (form === undefined || found === undefined) return null;
    return { kind: form.kind, title: `Open ${ref}`, path: pageOfReference(ref, found) };
  }

  #problem(code: string): Match | null {
    const found = this.#problems.get(code);
    return found === undefined ? null : { kind: 'problem', title: found.title, path: `/problems/${code}` };
  }

  #groups(q: string, texts: readonly FoundText[]): Groups {
    const words = q.toLowerCase().split(/\s+/);
    const named = (text: string) => words.every((word) => text.toLowerCase().includes(word));
    const operations = distinct([
      ...this.#deps.offered
        .filter(({ operationId, path, summary }) => named(`${operationId} ${path} ${summary}`))
        .map(({ operationId }) => operationId),
      ...idsOf(texts, 'operations'),
    ]);
    const problems = distinct([
      ...this.#deps.problems.filter(({ code, title }) => named(`${code} ${title}`)).map(({ code }) => code),
      ...idsOf(texts, 'problems'),
    ]);
    return {
      pages: findSitePages(q)
        .filter(({ path }) => this.#deps.hasPage(path))
        .map(({ title, path, summary }) => ({ title, path, summary })),
      docs: texts
        .flatMap((text) => docsHit(text) ?? [])
        .filter(({ path }) => this.#deps.hasPage(path.split('#', 1)[0] as string)),
      operations: operations.flatMap((id) => operationHit(this.#operations.get(id)) ?? []),
      problems: problems.flatMap((code) => problemHit(this.#problems.get(code)) ?? []),
    };
  }
}

/** Texts that have a word as it was typed come before those that mean it or are spelled alike. */
function inOrder(q: string, texts: readonly FoundText[]): FoundText[] {
  const words = q.toLowerCase().split(/\s+/);
  const hasWord = ({ title, snippet }: FoundText) =>
    words.some((word) => `${title} ${snippet}`.toLowerCase().includes(word));
  return [...texts.filter(hasWord), ...texts.filter((text) => !hasWord(text))];
}

/** Markdown as plain words. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:[-*]|\d+\.|>|#+) /gm, '')
    .replaceAll(/\s*\|[\s|:-]*/g, ' ')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

type Groups = Pick<SearchResult, 'pages' | 'docs' | 'operations' | 'problems'>;

function grouped(groups: Groups, all: SearchGroup | undefined): Groups & Pick<SearchResult, 'totals'> {
  const shown = <T>(name: SearchGroup, hits: readonly T[]): T[] =>
    all === undefined ? hits.slice(0, MAX_SHOWN) : all === name ? [...hits] : [];
  return {
    pages: shown('pages', groups.pages),
    docs: shown('docs', groups.docs),
    operations: shown('operations', groups.operations),
    problems: shown('problems', groups.problems),
    totals: {
      pages: groups.pages.length,
      docs: groups.docs.length,
      operations: groups.operations.length,
      problems: groups.problems.length,
    },
  };
}

/** A reference leads to its page, or to the entry of the log behind it; a few have neither and are said there. */
function pageOfReference(ref: string, { entry, url }: FoundReference): string {
  const isPage = !/^\/(?:api|v1)\//.test(url);
  if (isPage) return url;
  if (entry !== null) return `/log/${entry}`;
  return url.startsWith('/v1/') ? url : `/log?q=${encodeURIComponent(ref)}`;
}

/** Names of operations and codes from the ids of texts, such as `operations:/v1/look#look`. */
function idsOf(texts: readonly FoundText[], source: 'operations' | 'problems'): string[] {
  return texts.filter(({ id }) => id.startsWith(`${source}:`)).map(({ id }) => id.slice(id.lastIndexOf('#') + 1));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function docsHit({ id, title, snippet }: FoundText): SearchResult['docs'][number] | undefined {
  const [, name = '', anchor = ''] = DOCS_ID.exec(id) ?? [];
  const page = documentation().find((one) => one.name === name);
  if (page === undefined) return undefined;
  const heading = title.startsWith(`${page.title}: `) ? title.slice(page.title.length + 2) : '';
  // A long section is several texts, numbered from the second on.
  const place =
    heading === '' ? '' : `#${anchor.replace(/-\d+$/, (number) => (heading.endsWith(number.slice(1)) ? number : ''))}`;
  return { title: page.title, heading, path: `/docs/${name}${place}`, snippet: plain(snippet) };
}

function operationHit(row: Operation | undefined): SearchResult['operations'][number] | undefined {
  if (row === undefined) return undefined;
  const { operationId, method, path, summary } = row;
  return {
    operation_id: operationId,
    method: method.toUpperCase(),
    address: path,
    summary,
    path: pageOf(operationId),
  };
}

function problemHit(problem: ProblemType | undefined): SearchResult['problems'][number] | undefined {
  if (problem === undefined) return undefined;
  const { code, status, title } = problem;
  return { code, status, title, path: `/problems/${code}` };
}
