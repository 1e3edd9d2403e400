// Every page that people see: the table of the screenshots and of the tests that hold for all pages.
import type { BrowserContext } from 'playwright-core';
import type { TestService } from './_harness.ts';

interface Given {
  readonly service: TestService;
  /** Where a page belongs to somebody, the need logs this browser in. */
  readonly context: BrowserContext;
}

export interface PageRow {
  /** The name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** The test file that visits it. */
  readonly group: 'public' | 'explorer' | 'cabinet';
  /** The status of its answer where it is not 200. */
  readonly status?: number;
  /** Makes what the page shows; a path that it gives is visited instead. */
  readonly needs?: (given: Given) => Promise<string | undefined>;
}

export const PAGES: readonly PageRow[] = [
  { name: 'design', path: '/design', group: 'public' },
  { name: 'entry', path: '/entry', group: 'public' },
  { name: 'problem', path: '/problems/held', group: 'public' },
  { name: 'not-found', path: '/nowhere', group: 'public', status: 404 },
];
