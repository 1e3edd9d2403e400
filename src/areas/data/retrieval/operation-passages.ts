import type { Operation, RateClass } from '#kernel/operation.ts';
import type { OperationTable } from '#kernel/operation-table.ts';
import { callerWords, keysCounted } from '#kernel/rate-policy.ts';
import { schemaOf } from '#kernel/openapi.ts';
import type { RateLimit } from '#platform/config/rates.ts';
import type { Passage } from './corpus.ts';

export type Rates = Readonly<Record<RateClass, RateLimit>>;

type Schema = Readonly<Record<string, unknown>>;

const MAX_EXAMPLE_LENGTH = 300;
/** Words of operation ids that are written in capitals. */
const CAPITALS = new Set(['eu', 'uk', 'nl', 'vat', 'mot', 'bom', 'mcp', 'amh', 'did', 'ai']);

export function operationPassageId({ path, operationId }: Pick<Operation, 'path' | 'operationId'>): string {
  return `operations:${path}#${operationId}`;
}

/** One operation in plain sentences, each of which can be quoted by itself. */
export function operationPassage(operation: Operation, table: OperationTable, rates: Rates): Passage {
  const { operationId, path, summary, description } = operation;
  const call = callOf(operation);
  const fields = fieldLines(operation);
  const problems = table.problemsOf(operation).map(({ code }) => code);
  const body = [
    `${call}: ${summary}. ${description}`,
    costOf(operation, call),
    ...rateOf(operation, rates),
    ...(fields.length === 0 ? [] : [`Parameters of ${operationId}:\n${fields.join('\n')}`]),
    ...exampleOf(operation, call),
    `Problems: ${problems.join(', ')}.`,
  ].join('\n\n');
  return {
    id: operationPassageId(operation),
    title: `${operationId}: ${summary}`,
    body,
    keywords: path.replaceAll('/', ' '),
    source: 'operations',
    retrievedAtMs: 0,
  };
}

function callOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

function nameOf(operationId: string): string {
  const words = operationId.split('_').map((word) => (CAPITALS.has(word) ? word.toUpperCase() : word));
  return words.join(' ');
}

function costOf({ operationId, price, walletPrice }: Operation, call: string): string {
  if (price !== null) return `One ${nameOf(operationId)} (${call}) costs ${price.usdc} USDC: the price of a call.`;
  const subject = `The call ${operationId} (${call})`;
  if (walletPrice === undefined) return `${subject} is free.`;
  const { eur, rule } = walletPrice;
  return rule === undefined
    ? `${subject} costs ${eur} EUR from the wallet.`
    : `${subject} costs at least ${eur} EUR from the wallet: ${rule}.`;
}

function rateOf({ operationId, rate }: Operation, rates: Rates): string[] {
  if (rate === 'none') return [];
  const { calls, perSeconds, burst } = rates[rate];
  const unit = perSeconds === 1 ? 'second' : 'minute';
  const caller = keysCounted(rate).length === 0 ? 'from one address' : `per ${callerWords(rate)}`;
  return [`Limit of ${operationId}: ${calls} calls a ${unit} ${caller}, burst ${burst} (rate class ${rate}).`];
}

/** What rows say of their fields: it does not change, and their schemas take a while. */
const knownLines = new WeakMap<object, readonly string[]>();

function fieldLines({ input }: Operation): readonly string[] {
  const lines = knownLines.get(input) ?? linesOf(input);
  knownLines.set(input, lines);
  return lines;
}

function linesOf(input: Operation['input']): string[] {
  const required = (schemaOf(input, 'input')['required'] ?? []) as readonly string[];
  return Object.entries(input.shape).map(([name, field]) => {
    const schema = schemaOf(field, 'input');
    const { description } = schema as { readonly description?: string };
    return fieldLine(name, description ?? '', schema, required.includes(name) ? 'required' : 'optional');
  });
}

/** A field with what its schema allows, as one line of a list. */
export function fieldLine(name: string, description: string, schema: Schema, ...first: readonly string[]): string {
  const told = [...first, ...boundsOf(schema)];
  return told.length === 0 ? `- ${name}: ${description}` : `- ${name}: ${description} (${told.join('; ')})`;
}

/** What a value may be, as the schema bounds it. */
function boundsOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, enum: values, default: usual } = schema;
  const allowed = Array.isArray(values) ? [`one of ${values.join(', ')}`] : [];
  return [
    ...allowed,
    ...rangeOf(minLength, maxLength, ' characters'),
    ...rangeOf(minimum, maximum, ''),
    ...rangeOf(minItems, maxItems, ' items'),
    ...(typeof usual === 'string' || typeof usual === 'number' ? [`default ${usual}`] : []),
  ];
}

function rangeOf(least: unknown, most: unknown, unit: string): string[] {
  if (typeof most !== 'number' || most >= Number.MAX_SAFE_INTEGER) return [];
  return [typeof least === 'number' && least > 0 ? `${least} to ${most}${unit}` : `at most ${most}${unit}`];
}

function exampleOf({ operationId, examples }: Operation, call: string): string[] {
  const input = JSON.stringify(examples[0]?.input ?? {});
  const isShown = input !== '{}' && input.length <= MAX_EXAMPLE_LENGTH;
  return isShown ? [`Example of ${operationId}: ${call} with ${input}`] : [];
}
