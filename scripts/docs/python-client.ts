import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Operation } from '#kernel/operation.ts';
import { OPERATIONS } from '../../src/areas.ts';
import type { Route } from '../../client/request.ts';
import { clientRoute } from './client-route.ts';

/** One file that people copy, so its generated end follows the hand-written part. */
export const PYTHON_CLIENT = 'packages/python/avouch.py';
const MARKER = '# ---- Generated from the operation table by node scripts/generate-docs.ts ----\n';
const MAX_LINE = 118;

/** The Python client: what is written above the marker, and below it the table and a method for each operation. */
export function pythonClient(): string {
  const [written] = readFileSync(new URL(`../../${PYTHON_CLIENT}`, import.meta.url), 'utf8').split(MARKER);
  const rows = OPERATIONS.map((row) => ({ row, route: clientRoute(row) }));
  const table = rows.map(({ row, route }) => `    "${row.operationId}": ${literal(route)},`);
  return `${written}${MARKER}# fmt: off

_ROUTES: Dict[str, Dict[str, Any]] = {
${table.join('\n')}
}


class Avouch(_Caller):
    """Every operation of an Avouch service as a method. Fields are keyword arguments, answers are dicts."""

${rows.map(({ row, route }) => method(row, route)).join('\n\n')}
`;
}

function literal(value: object | string | true): string {
  if (value === true) return 'True';
  if (typeof value === 'string') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, part]) => `"${name}": ${literal(part)}`)
    .join(', ')}}`;
}

const RESULTS = { text: 'str', bytes: 'bytes', stream: 'Iterator[bytes]' } as const;

function method(row: Operation, route: Route): string {
  const { operationId: id, summary, price } = row;
  const fields = parameters(row, route);
  const names = fields.map(({ name }) => name);
  const signature = wrapped(`    def ${id}(`, [
    ...(fields.length > 0 ? ['self', '*'] : ['self']),
    ...fields.map(parameter),
  ]);
  const result = route.answer === undefined ? 'Answer' : RESULTS[route.answer];
  const given = wrapped(
    `        return self.call("${id}", {`,
    names.map((name) => `"${name}": ${pythonName(name)}`),
  );
  return `${signature}) -> ${result}:
        """${summary}.${price === null ? '' : ' Paid.'} ${route.method.toUpperCase()} ${route.path}"""
${given}})`;
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** Headers that the client sends by itself. */
const CREDENTIALS = new Set(['x-agent-key', 'x-amh-key']);

/** What chooses another form of an answer: as in the TypeScript client, each operation has one here. */
const FORM_FIELDS: Readonly<Record<string, string>> = { attest_verify: 'format', attest_seal: 'prefer' };

function parameters(row: Operation, { headers = {}, keyField, paid }: Route): Parameter[] {
  const schema = z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' });
  const needed = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: pythonType(field as Json),
    required: needed.has(name) && name !== keyField && !CREDENTIALS.has(headers[name] ?? ''),
  }));
  const key = { name: 'idempotency_key', type: 'str', required: false };
  const taken = fields.filter(({ name }) => name !== FORM_FIELDS[row.operationId]);
  return paid ? [...taken, key] : taken;
}

const parameter = ({ name, type, required }: Parameter) => `${pythonName(name)}: ${type}${required ? '' : ' = OMIT'}`;

type Json = Readonly<{ type?: string | string[]; anyOf?: readonly Json[] }>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'Sequence[Any]',
  object: 'Mapping[str, Any]',
  null: 'None',
};

function pythonType(field: Json): string {
  const types = [...new Set(alternatives(field))];
  if (types.includes('Any')) return 'Any';
  return types.length === 1 ? (types[0] as string) : `Union[${types.join(', ')}]`;
}

function alternatives({ type, anyOf }: Json): string[] {
  if (anyOf !== undefined) return anyOf.flatMap(alternatives);
  return type === undefined ? ['Any'] : [type].flat().map((name) => TYPES[name] ?? 'Any');
}

/** Words that Python does not take as names, where fields have them. */
const pythonName = (name: string) => (name === 'from' ? 'from_' : name);

/** Parts after a start, in lines of readable length. */
function wrapped(start: string, parts: readonly string[]): string {
  const indent = `${/^ */.exec(start)?.[0] ?? ''}        `;
  const lines = [start];
  for (const [index, part] of parts.entries()) {
    const text = `${part}${index === parts.length - 1 ? '' : ','}`;
    const line = lines.at(-1) as string;
    if (line.length + text.length + 1 > MAX_LINE) lines.push(`${indent}${text}`);
    else lines[lines.length - 1] = index === 0 || line.trim() === '' ? `${line}${text}` : `${line} ${text}`;
  }
  return lines.join('\n');
}
