// Writes the documents that follow from the tables of the service: node scripts/generate-docs.ts
import { writeFileSync } from 'node:fs';
import type { Operation } from '#kernel/operation.ts';
import { OPERATIONS, TABLE } from '../src/areas.ts';
import { fieldOptions } from '../src/cli/operation-fields.ts';
import { ANSWERS, clientTypes } from './docs/client-types.ts';
import { errorsPage } from './docs/errors-page.ts';
import { settingsPage } from './docs/settings-page.ts';

/** Every generated document by its path in the repository. */
export function generatedDocuments(): Record<string, string> {
  return {
    'docs/errors.md': errorsPage(),
    'docs/settings.md': settingsPage(),
    'client/table.ts': clientTable(),
    'client/types.ts': clientTypes(),
    'src/cli/specs/operation-options.ts': commandOptions(),
  };
}

/** Operations that have a command of their own, whose help must not load the service. */
const COMMANDS = ['look', 'check', 'watch', 'claim', 'release', 'mark'];

/** The options of those commands, as the rows describe their fields. */
function commandOptions(): string {
  const rows = COMMANDS.map((id) => {
    const row = OPERATIONS.find(({ operationId }) => operationId === id) as Operation;
    const options = fieldOptions(row).map((option) => `    ${JSON.stringify(option)},`);
    return `  ${id}: [\n${options.join('\n')}\n  ],`;
  });
  return `// Generated from the operation table by node scripts/generate-docs.ts; changes are made in the tables.
import type { Option } from '../line/spec.ts';

// biome-ignore format: generated
export const OPERATION_OPTIONS: Readonly<Record<string, readonly Option[]>> = {
${rows.join('\n')}
};
`;
}

/** How each operation is called and what it may refuse; the types of inputs and outputs follow from the rows. */
function clientTable(): string {
  const groups = new Map<string, string>();
  const rows = OPERATIONS.map((row) => {
    const own = new Set(row.problems.map(({ code }) => code));
    const general = unionOf(TABLE.problemsOf(row).flatMap(({ code }) => (own.has(code) ? [] : [code])));
    if (!groups.has(general)) groups.set(general, `G${groups.size + 1}`);
    const codes = [groups.get(general), ...[...own].map((code) => `'${code}'`)].join(' | ');
    return { route: `  ${row.operationId}: ${routeOf(row)},`, codes: `  ${row.operationId}: ${codes};` };
  });
  const types = [...groups].map(([codes, name]) => `// biome-ignore format: generated\ntype ${name} = ${codes};`);
  return `// Generated from the operation table by node scripts/generate-docs.ts; changes are made in the tables.
import type { Route } from './request.ts';

// biome-ignore format: generated
export const ROUTES: Readonly<Record<keyof Codes, Route>> = {
${rows.map(({ route }) => route).join('\n')}
};

${types.join('\n')}

/** The codes of the problems that each operation promises. */
// biome-ignore format: generated
export interface Codes {
${rows.map(({ codes }) => codes).join('\n')}
}
`;
}

function routeOf(row: Operation): string {
  const { alsoPost, path, headerOnly = {}, headerFields = {}, effects, price, wildcardPath, mediaType } = row;
  const headers = Object.entries({ ...headerFields, ...headerOnly }).map(([header, field]) => [field, header] as const);
  const ofHeader = headers.find(([, header]) => header === 'idempotency-key')?.[0];
  const ofBody = 'idempotency_key' in row.input.shape ? 'idempotency_key' : undefined;
  const keyField = effects ? (ofHeader ?? ofBody) : undefined;
  const parts = {
    method: `'${alsoPost ? 'post' : row.method}'`,
    path: `'${path}'`,
    headers: headers.length > 0 && `{ ${headers.map(([field, header]) => `${field}: '${header}'`).join(', ')} }`,
    keyField: keyField !== undefined && `'${keyField}'`,
    paid: price !== null && 'true',
    writes: effects && price === null && 'true',
    rest: wildcardPath === true && 'true',
    answer: mediaType !== undefined && (ANSWERS[mediaType]?.answer ?? "'text'"),
  };
  const given = Object.entries(parts).filter(([, text]) => text !== false);
  return `{ ${given.map(([name, text]) => `${name}: ${text}`).join(', ')} }`;
}

function unionOf(codes: readonly string[]): string {
  return [...new Set(codes)].map((code) => `'${code}'`).join(' | ');
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedDocuments())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}
