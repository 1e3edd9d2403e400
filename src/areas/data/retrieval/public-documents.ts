import { setImmediate as nextTurn } from 'node:timers/promises';
import { promises } from 'node:fs';
import { pageChunks } from '#areas/data/retrieval/chunks.ts';
import type { Passage } from '#areas/data/retrieval/corpus.ts';
import { SOURCES } from '#areas/data/sources/source-table.ts';
import type { Fact } from '#areas/data/retrieval/grounding.ts';
import { HOUR_MS } from '#kernel/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import type { RateLimit } from '#platform/config/rates.ts';
import type { ProtocolDocument } from '#kernel/area.ts';
import type { Operation, RateClass, Services } from '#kernel/operation.ts';
import type { OperationTable } from '#kernel/operation-table.ts';
import { callerWords } from '#kernel/rate-policy.ts';
import { type Rates, fieldLine, operationPassage, operationPassageId } from './operation-passages.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { documentationOf } from '#platform/documentation/documentation.ts';
import { VERSION } from '#platform/version.ts';

const ROOT = new URL('../../../../', import.meta.url);
/** Pages for people who change the service. */
const LEFT_OUT = ['architecture', 'performance', 'quality'];
/** Pages without their tables: error codes are passages of their own below, measured figures would drown the text. */
const LISTS = ['errors', 'reliability'];
/** Members of a control that are no text. */
const LISTED = ['id', 'severity', 'weight'];

/** All that is public of the service, as passages: pages, operations, problems, schemas, protocols, sources of data. */
export async function publicDocuments(
  table: OperationTable,
  protocols: readonly ProtocolDocument[],
  rates: Rates = readConfig({}).rates,
  services: Services = 'all',
): Promise<Passage[]> {
  const readme = await promises.readFile(new URL('README.md', ROOT), 'utf8');
  const pages = documentationOf(services).filter(({ name }) => !LEFT_OUT.includes(name));
  const texts = [
    pageChunks('README.md', readme),
    ...pages.map(({ name, text }) => pageChunks(`docs/${name}.md`, LISTS.includes(name) ? withoutTables(text) : text)),
  ];
  const operations: Passage[] = [];
  // Their schemas take a while: others are served between two of them.
  for (const operation of table.operations) {
    operations.push(operationPassage(operation, table, rates));
    await nextTurn();
  }
  return [
    ...texts.flat(),
    ...operations,
    ...problems(table),
    ...schemas(),
    ...protocols.flatMap(controls),
    ...(services === 'all' ? sources() : []),
  ];
}

function withoutTables(markdown: string): string {
  return markdown.replaceAll(/^\|.*$/gm, '');
}

type Text = Pick<Passage, 'id' | 'title' | 'body'> & { readonly keywords?: string };

function passage(source: string, { id, title, body, keywords = '' }: Text): Passage {
  return { id: `${source}:${id}`, title, body, keywords, source, retrievedAtMs: 0 };
}

function problems(table: OperationTable): Passage[] {
  return table.problems().map(({ code, status, title, help }) =>
    passage('problems', {
      id: `/problems/${code}#${code}`,
      title: `${code} (${status}): ${title}`,
      body: `${code} (${status}): ${help}`,
    }),
  );
}

function schemas(): Passage[] {
  return SCHEMAS.map(({ id, document }) => {
    const { title, promise, fee_eurocents: fee, claim } = document;
    const fields = Object.entries(
      (claim as { properties?: Record<string, { description?: string }> }).properties ?? {},
    );
    const lines = fields.map(([name, { description = '', ...bounds }]) => fieldLine(name, description, bounds));
    const body = [promise, feeOf(id, fee), lines.join('\n')].join('\n\n');
    return passage('schemas', { id: `/api/attest/schemas#${id}`, title: `${id}: ${title}`, body });
  });
}

function feeOf(schemaId: string, eurocents: number): string {
  return `A seal under ${schemaId} costs ${eurocents} eurocents (${(eurocents / 100).toFixed(2)} EUR): the fee of the seal.`;
}

/** The controls of a protocol that has some. */
function controls({ servedAt: path, document }: ProtocolDocument): Passage[] {
  const { controls: list = [] } = document as { readonly controls?: readonly { readonly id: string }[] };
  if (path === undefined) return [];
  return list.map((control) => {
    const texts = Object.entries(control).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && !LISTED.includes(entry[0]),
    );
    const body = texts.map(([, text]) => text).join('\n\n');
    return passage('protocols', { id: `${path}#${control.id}`, title: `Control ${control.id}`, body });
  });
}

function sources(): Passage[] {
  return SOURCES.map(({ id, dataset, title, publisher, licence, everyMs }) =>
    passage('data', {
      id: `/api/data/${dataset}#${id}`,
      title: `Data set ${dataset}: ${title}`,
      body: `${title}, from ${publisher}. Licence: ${licence}. Read every ${everyMs === HOUR_MS ? 'hour' : `${everyMs / HOUR_MS} hours`}. Available at /api/data/${dataset}.`,
      keywords: `open data ${dataset}`,
    }),
  );
}

/** What the tables of the service say of each operation, by the passage about it. */
export function operationFacts(table: OperationTable, rates: Rates): Map<string, readonly Fact[]> {
  return new Map(
    table.operations.map((operation) => {
      const { operationId, method, path, rate } = operation;
      const fact = (field: Fact['field'], value: string, unit?: string): Fact => ({
        id: `${operationId}.${field}`,
        subject: operationId,
        field,
        value,
        ...(unit !== undefined && { unit }),
        path,
        version: VERSION,
      });
      const facts = [
        fact('endpoint', `${method.toUpperCase()} ${path}`),
        fact('price', ...priceOf(operation)),
        ...(rate === 'none' ? [] : [fact('limit', String(rates[rate].calls), unitOf(rate, rates[rate]))]),
        fact('version', VERSION),
      ];
      return [operationPassageId(operation), facts];
    }),
  );
}

function priceOf({ price, walletPrice }: Operation): [value: string, unit: string] {
  if (price !== null || walletPrice === undefined) return [price?.usdc ?? '0', 'USDC per call'];
  const { eur, rule } = walletPrice;
  return [eur, rule === undefined ? 'EUR per call' : `EUR per call at least: ${rule}`];
}

function unitOf(rate: RateClass, { perSeconds, burst }: RateLimit): string {
  return `calls per ${perSeconds === 1 ? 'second' : 'minute'} and ${callerWords(rate)}, burst ${burst}`;
}
