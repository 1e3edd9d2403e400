// The pages of log, board, playground and tasks.
import { type Explored, explored } from './explorer.ts';
import type { PageRow } from './page-table.ts';

export const EXPLORER_PAGES: readonly PageRow[] = [
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
      ['log-filtered', '/log?kind=mark'],
      ['log-heads', '/log/heads'],
      ['verify', '/verify'],
      ['verify-tampered', '/verify?example=tampered'],
      ['board-held', '/board?show=held'],
      ['board', '/board'],
      ['playground', '/playground'],
      ['playground-claim', '/playground?operation=claim'],
      ['playground-fuse', '/playground?operation=spend_fuse'],
      ['playground-seal', '/playground?operation=attest_seal'],
    ] as const
  ).map(([name, path]): PageRow => ({ name, path, group: 'explorer' })),
];
