import type { ProtocolDocument } from '#kernel/area.ts';
import type { DocumentWording } from '#kernel/document.ts';
import type { Operation } from '#kernel/operation.ts';
import { MATCHER_VERSION } from '#platform/screening/name-score.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { offersPath } from './about.ts';
import type { ProtocolAnswer, ProtocolList } from './pages/protocols.ts';

const ELSEWHERE = [
  {
    id: 'schemas',
    title: 'Attestation schemas',
    version: `${SCHEMAS.length} schemas`,
    what: 'Claim, checks, fee and promise of every seal schema.',
    path: '/api/attest/schemas',
  },
  {
    id: 'rules',
    title: 'Usage rules',
    version: RULES_VERSION,
    what: 'What is allowed, what is not, and the consequences.',
    path: '/api/rules-of-engagement',
  },
  {
    id: 'sanctions-quality',
    title: 'Sanctions screening quality',
    version: `matcher ${MATCHER_VERSION}`,
    what: 'Recall and false positives on the current list.',
    path: '/v1/sanctions/quality',
  },
];

/** The methods of all areas with those that are read elsewhere. */
export interface Protocols {
  readonly list: ProtocolList;
  /** Those that are read here, by id. */
  readonly methods: ReadonlyMap<string, ProtocolAnswer>;
  versionOf(id: string): string;
  /** How the page of a method reads. */
  wordingOf(id: string): DocumentWording | undefined;
}

export function protocolsOf(documents: readonly ProtocolDocument[], offered: readonly Operation[]): Protocols {
  const methods = documents
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, title, version, what, document }) => ({
      id,
      title,
      version,
      what,
      document,
      path: `/protocols/${id}`,
    }));
  const elsewhere = ELSEWHERE.filter(({ path }) => offersPath({ operations: offered }, path));
  return {
    list: { protocols: [...methods.map(({ document: _document, ...entry }) => entry), ...elsewhere] },
    methods: new Map(methods.map((row) => [row.id, { ...row, document: { ...row.document } }])),
    wordingOf: (id) => documents.find((one) => one.id === id)?.wording,
    versionOf: (id) => methods.find((method) => method.id === id)?.version ?? '',
  };
}
