// Every page that people see: the table of the screenshots and of the tests that hold for all pages.
import type { BrowserContext } from 'playwright-core';
import { type Explored, explored } from './_explorer.ts';
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

const EXPLORER: readonly PageRow[] = [
  { name: 'log', path: '/log', group: 'explorer', needs: async ({ service }) => void (await explored(service)) },
  ...(
    [
      ['log-search', ({ attestationId }) => `/log?q=${attestationId}`],
      ['log-entry', ({ seq }) => `/log/${seq}`],
      ['board-key', ({ key }) => `/board/${encodeURIComponent(key)}`],
      ['brief', ({ brief }) => `/v1/brief/${brief}`],
      ['task', ({ receiptId }) => `/tasks/${receiptId}`],
    ] as readonly (readonly [string, (made: Explored) => string])[]
  ).map(([name, pathOf]): PageRow => {
    return { name, path: '/', group: 'explorer', needs: async ({ service }) => pathOf(await explored(service)) };
  }),
  ...(
    [
      ['log-heads', '/log/heads'],
      ['verify', '/verify'],
      ['board', '/board'],
      ['playground', '/playground'],
      ['playground-claim', '/playground?operation=claim'],
      ['playground-fuse', '/playground?operation=spend_fuse'],
      ['playground-seal', '/playground?operation=attest_seal'],
    ] as const
  ).map(([name, path]): PageRow => ({ name, path, group: 'explorer' })),
];

export const PAGES: readonly PageRow[] = [
  ...EXPLORER,
  { name: 'design', path: '/design', group: 'public' },
  { name: 'entry', path: '/entry', group: 'public' },
  { name: 'problem', path: '/problems/held', group: 'public' },
  { name: 'not-found', path: '/nowhere', group: 'public', status: 404 },
];
