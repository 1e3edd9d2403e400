import { promises } from 'node:fs';
import { pageChunks } from '#areas/data/retrieval/chunks.ts';
import type { Passage } from '#areas/data/retrieval/corpus.ts';
import { SOURCES } from '#areas/data/sources/source-table.ts';
import type { Fact } from '#areas/data/retrieval/grounding.ts';
import { HOUR_MS } from '#kernel/clock.ts';
import type { RateLimit } from '#platform/config/rates.ts';
import type { ProtocolDocument } from '#kernel/area.ts';
import type { OperationTable } from '#kernel/operation-table.ts';
import type { Operation, RateClass } from '#kernel/operation.ts';
import { schemaOf } from '#kernel/openapi.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { VERSION } from '#platform/version.ts';

const ROOT = new URL('../../../../', import.meta.url);
/** Pages for those who change the service, and a list that every word of a question would find. */
const LEFT_OUT = ['architecture.md', 'dependencies.md', 'errors.md', 'performance.md'];
/** Members of a control that are no text. */
const LISTED = ['id', 'severity', 'weight'];

/** All that is public of the service, as passages: pages, operations, problems, schemas, protocols, sources of data. */
export async function publicDocuments(
  table: OperationTable,
  protocols: readonly ProtocolDocument[],
): Promise<Passage[]> {
  const pages = (await promises.readdir(new URL('docs/', ROOT))).filter((name) => name.endsWith('.md')).toSorted();
  const paths = ['README.md', ...pages.filter((name) => !LEFT_OUT.includes(name)).map((name) => `docs/${name}`)];
  const texts = await Promise.all(
    paths.map(async (path) => pageChunks(path, await promises.readFile(new URL(path, ROOT), 'utf8'))),
  );
  return [
    ...texts.flat(),
    ...table.operations.map((operation) => operationPassage(operation, table)),
    ...problems(table),
    ...schemas(),
    ...protocols.flatMap(controls),
    ...sources(),
  ];
}

type Text = Pick<Passage, 'id' | 'title' | 'body'> & { readonly keywords?: string };

function passage(source: string, { id, title, body, keywords = '' }: Text): Passage {
  return { id: `${source}:${id}`, title, body, keywords, source, retrievedAtMs: 0 };
}

function operationPassageId({ path, operationId }: Pick<Operation, 'path' | 'operationId'>): string {
  return `operations:${path}#${operationId}`;
}

function costOf({ price, walletPrice }: Operation): string {
  if (price !== null) return `The price of a call is ${price.usdc} USDC.`;
  if (walletPrice === undefined) return 'The call is free.';
  const { eur, rule } = walletPrice;
  return `A call costs ${rule === undefined ? '' : 'at least '}${eur} EUR from the wallet${rule === undefined ? '' : `: ${rule}`}.`;
}

function operationPassage(operation: Operation, table: OperationTable): Passage {
  const { operationId, method, path, summary, description, input, rate } = operation;
  const fields = Object.entries(input.shape).map(
    ([name, field]) => `- ${name}: ${schemaOf(field, 'input')['description'] as string}`,
  );
  const body = [
    `${method.toUpperCase()} ${path}: ${summary}.`,
    description,
    costOf(operation),
    rate === 'none' ? '' : `Rate class ${rate}.`,
    ...(fields.length === 0 ? [] : ['', 'Parameters:', ...fields]),
    '',
    `Problems: ${table
      .problemsOf(operation)
      .map(({ code }) => code)
      .join(', ')}.`,
  ].join('\n');
  const id = operationPassageId(operation).slice('operations:'.length);
  return passage('operations', { id, title: `${operationId}: ${summary}`, body, keywords: path.replaceAll('/', ' ') });
}

function problems(table: OperationTable): Passage[] {
  return table
    .problems()
    .map(({ code, status, title, help }) =>
      passage('problems', { id: `/problems/${code}#${code}`, title: `${code} (${status}): ${title}`, body: help }),
    );
}

function schemas(): Passage[] {
  return SCHEMAS.map(({ id, document }) => {
    const { title, promise, fee_eurocents: fee, claim } = document;
    const fields = Object.entries(
      (claim as { properties?: Record<string, { description?: string }> }).properties ?? {},
    );
    const lines = fields.map(([name, { description = '' }]) => `- ${name}: ${description}`);
    const body = `${promise}\nThe fee of a seal is ${fee} eurocents.\n\n${lines.join('\n')}`;
    return passage('schemas', { id: `/api/attest/schemas#${id}`, title: `${id}: ${title}`, body });
  });
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
      body: `${title}, from ${publisher}. Licence: ${licence}. Read every ${everyMs / HOUR_MS} hours. Asked for at /api/data/${dataset}.`,
      keywords: `open data ${dataset}`,
    }),
  );
}

/** What the tables of the service say of each operation, by the passage about it. */
export function operationFacts(
  table: OperationTable,
  rates: Readonly<Record<RateClass, RateLimit>>,
): Map<string, readonly Fact[]> {
  return new Map(
    table.operations.map((operation) => {
      const { operationId, method, path, price, rate } = operation;
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
        fact('price', price?.usdc ?? '0', 'USDC per call'),
        ...(rate === 'none' ? [] : [fact('limit', String(rates[rate].calls), unitOf(rates[rate]))]),
        fact('version', VERSION),
      ];
      return [operationPassageId(operation), facts];
    }),
  );
}

function unitOf({ perSeconds, burst }: RateLimit): string {
  return `calls per ${perSeconds === 1 ? 'second' : 'minute'} and address, burst ${burst}`;
}
