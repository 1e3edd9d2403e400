import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { asset, serveAsset } from './asset-operation.ts';
import { design } from './design.ts';
import { type DocumentationPage, docsIndex, docsPage } from './docs.ts';
import type { HomeAnswer } from './home.ts';
import * as rows from './page-operations.ts';
import { unknownPage, unknownProtocol } from './problems.ts';
import type { ProtocolAnswer, ProtocolList } from './protocols.ts';

export const PAGE_OPERATIONS = [
  rows.homePage,
  rows.protocolsPage,
  rows.protocolPage,
  rows.docsIndexPage,
  rows.docsPagePage,
  rows.designPage,
  asset,
] as const;

export interface PageParts {
  readonly home: () => HomeAnswer;
  readonly protocols: ProtocolList;
  /** Those that are read here, by id. */
  readonly methods: ReadonlyMap<string, ProtocolAnswer>;
  readonly documentation: () => readonly DocumentationPage[];
}

export function bindPages({ home, protocols, methods, documentation }: PageParts): BoundOperation[] {
  const shown = design();
  return [
    bind(rows.homePage, home),
    bind(rows.protocolsPage, () => protocols),
    bind(rows.protocolPage, ({ protocol }) => {
      return methods.get(protocol) ?? new Refusal(unknownProtocol, { detail: 'no protocol has this id' });
    }),
    bind(rows.docsIndexPage, () => docsIndex(documentation())),
    bind(rows.docsPagePage, ({ name }) => {
      return docsPage(documentation(), name) ?? new Refusal(unknownPage, { detail: 'no page has this name' });
    }),
    bind(rows.designPage, () => shown),
    bind(asset, ({ name }) => serveAsset(name)),
  ];
}
