// Writes the documents that follow from the tables of the service: node scripts/generate-docs.ts
import { writeFileSync } from 'node:fs';
import type { Operation } from '#kernel/operation.ts';
import { VERSION } from '#platform/version.ts';
import { OPERATIONS, TABLE } from '../src/areas.ts';
import { fieldOptions } from '../src/cli/operation-fields.ts';
import { clientRoute } from './docs/client-route.ts';
import { clientTypes } from './docs/client-types.ts';
import { errorsPage } from './docs/errors-page.ts';
import { PYTHON_CLIENT, pythonClient } from './docs/python-client.ts';
import { settingsExample } from './docs/settings-example.ts';
import { settingsPage } from './docs/settings-page.ts';

/** Every generated document by its path in the repository. */
export function generatedDocuments(): Record<string, string> {
  return {
    'docs/errors.md': errorsPage(),
    'docs/settings.md': settingsPage(),
    'deploy/settings.env.example': settingsExample(),
    'client/table.ts': clientTable(),
    'client/types.ts': clientTypes(),
    'src/cli/specs/operation-options.ts': commandOptions(),
    [PYTHON_CLIENT]: pythonClient(),
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
    return { route: `  ${row.operationId}: ${literal(clientRoute(row))},`, codes: `  ${row.operationId}: ${codes};` };
  });
  const types = [...groups].map(([codes, name]) => `// biome-ignore format: generated\ntype ${name} = ${codes};`);
  return `// Generated from the operation table by node scripts/generate-docs.ts; changes are made in the tables.
import type { Route } from './request.ts';

export const VERSION = '${VERSION}';

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

/** The route as TypeScript writes it. */
function literal(value: object | string | true): string {
  if (typeof value === 'string') return `'${value}'`;
  if (value === true) return 'true';
  const members = Object.entries(value).map(([name, part]) => `${name}: ${literal(part)}`);
  return `{ ${members.join(', ')} }`;
}

function unionOf(codes: readonly string[]): string {
  return [...new Set(codes)].map((code) => `'${code}'`).join(' | ');
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedDocuments())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}
