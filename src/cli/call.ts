import { text as textOf } from 'node:stream/consumers';
import { addressOf, type PreparedRequest, prepareRequest, routeOf } from '../../client/request.ts';
import { ROUTES } from '../../client/table.ts';
import { parseExactJson } from '#kernel/exact-json.ts';
import { newToken } from '#kernel/ids.ts';
import type { Operation } from '#kernel/operation.ts';
import { repeatNote } from './idempotency-key.ts';
import { columns } from './line/columns.ts';
import { fieldProblems, optionOf } from './line/field-problems.ts';
import { optionRows, section } from './line/help.ts';
import { allNear } from './line/nearest.ts';
import type { Output } from './line/output.ts';
import { readArguments } from './line/parse.ts';
import { type Given, type Option, type Run, UsageError } from './line/spec.ts';
import { answerPieces, answerText, httpAddress, isOpen, refusedCall } from './log-client.ts';
import { serviceUrl } from './service-url.ts';
import { fieldOptions, inputOf, type OperationField, operationFields, spelledJson } from './operation-fields.ts';
import { URL_OPTION } from './specs/options.ts';
import { PAY_OPTIONS } from './specs/pay-options.ts';

type Json = Record<string, unknown>;

const JSON_BODY: Option = {
  name: 'json',
  value: '<object or ->',
  help: 'Fields as a JSON object, or - to read it from standard input',
};
const STANDARD_INPUT = '-';
const NEAREST = 3;

/** The first argument names the operation, whose row says what the others mean. */
export const call: Run = async ({ operands: [id, ...args] }, output) => {
  if (id !== undefined && id !== '--json') return callRow(await rowOf(id), args, output);
  if (args.length > 0) throw new UsageError('Missing <operation>: it comes before the options.');
  const operations = Object.keys(ROUTES).map((name) => ({ operation: name, ...pickRoute(name) }));
  const rows = operations.map(({ operation, method, path }) => [operation, method, path]);
  output.out(id === undefined ? columns(['OPERATION', 'METHOD', 'PATH'], rows) : `${JSON.stringify({ operations })}\n`);
  return 0;
};

/** Help of the operation that is named; undefined where none is. */
export async function helpAbout([id]: readonly string[]): Promise<string | undefined> {
  return id === undefined || id.startsWith('-') ? undefined : helpOfOperation(await rowOf(id));
}

function pickRoute(id: string) {
  const { method, path } = routeOf(id);
  return { method: method.toUpperCase(), path };
}

/** The rows know the whole service: they are loaded for a name that is one of theirs. */
async function rowOf(id: string): Promise<Operation> {
  if (!Object.hasOwn(ROUTES, id)) {
    if (id.startsWith('-')) throw new UsageError('Missing <operation>: it comes before the options.');
    const near = allNear(id.replaceAll('-', '_'), Object.keys(ROUTES), 2).slice(0, NEAREST);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    throw new UsageError(`Unknown operation ${JSON.stringify(id)}.${hint} \`avouch call\` lists them all.`);
  }
  const { OPERATIONS } = await import('../areas.ts');
  return OPERATIONS.find(({ operationId }) => operationId === id) as Operation;
}

/** Options that are not fields; those of a payment only where there is a price. */
function ownOptions({ price }: Operation): readonly Option[] {
  return [JSON_BODY, ...(price === null ? [] : PAY_OPTIONS), URL_OPTION];
}

async function callRow(row: Operation, args: readonly string[], output: Output): Promise<number> {
  const { operationId: id, price } = row;
  // A body may have what is required, and the schema of the row checks the values.
  const fields = fieldOptions(row).map(({ name, value = '', help, alone }) => {
    return { name, value, help, isRepeated: true, ...(alone !== undefined && { alone }) };
  });
  const own = ownOptions(row);
  const { given, problems, meant } = readArguments(args, { operands: [], options: [...fields, ...own] });
  const named = fields.flatMap(({ name }) => {
    const values = given.lists[name] ?? [];
    return values.length === 0 ? [] : [[name.replaceAll('-', '_'), values] as const];
  });
  const body = await bodyIn(given.values['json'] ?? '{}');
  const made = keyFor(id, { ...body, ...Object.fromEntries(named) });
  const { input, faults } = inputOf(row, { given: new Map(named), body: { ...made, ...body }, env: output.env });
  const isMisspelt = (pointer: string) => meant.has(pointer.slice(2).replaceAll('_', '-'));
  const wrong = faults.filter(({ pointer, code }) => code !== 'missing' || !isMisspelt(pointer));
  const told = [...problems, ...fieldProblems(wrong)];
  if (told.length > 0) throw new UsageError(told.join(' '), `call ${id}`);
  const url = serviceUrl(given.values['url'], output.env);
  const request = prepareRequest(id, input);
  if (price !== null) return bought(httpAddress(addressOf(url, request)), given, output);
  try {
    await tellAnswer(id, { url, request }, output);
    return 0;
  } catch (error) {
    for (const [name, key] of isOpen(error) ? Object.entries(made) : []) {
      output.note(repeatNote(key, 'done', optionOf(name)));
    }
    throw error;
  }
}

/** A key under which the call can be repeated, where it takes one and none is given. */
function keyFor(id: string, given: Json): Readonly<Record<string, string>> {
  const { keyField } = routeOf(id);
  const isKeyed = [keyField, 'idempotency_key', 'request_id'].some((name) => given[name ?? ''] !== undefined);
  return keyField === undefined || isKeyed ? {} : { [keyField]: newToken() };
}

async function bodyIn(json: string): Promise<Json> {
  const text = json === STANDARD_INPUT ? await textOf(process.stdin) : json;
  const value = spelledJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError('--json must be a JSON object, or - to read one from standard input.');
  }
  const [odd] = parseExactJson(text).faults;
  if (odd !== undefined) throw new UsageError(`--json is ambiguous: ${odd.pointer} ${odd.detail}`);
  return value as Json;
}

interface Prepared {
  readonly url: string;
  readonly request: PreparedRequest;
}

async function tellAnswer(id: string, { url, request }: Prepared, output: Output): Promise<void> {
  const { answer } = routeOf(id);
  if (answer === 'bytes') throw new UsageError(`${id} returns bytes. Read ${addressOf(url, request)} instead.`);
  if (answer !== 'stream') {
    tellText(await answerText(url, request, optionOf), output);
    return;
  }
  const decoder = new TextDecoder();
  const pieces = await answerPieces(url, request, optionOf);
  for await (const piece of pieces) output.out(decoder.decode(piece, { stream: true }));
}

/** As JSON where it is; some operations return another text. */
function tellText(text: string, output: Output): void {
  const json = spelledJson(text);
  output.out(`${json === undefined ? text.trimEnd() : JSON.stringify(json, null, 2)}\n`);
}

/** Buys as pay does; the steps are told beside the response. */
async function bought(url: URL, { values, flags }: Given, output: Output): Promise<number> {
  const [{ payArguments }, { purchase }] = await Promise.all([import('./pay.ts'), import('./purchase.ts')]);
  const asked = payArguments(url, values, flags.has('dry-run'));
  const tell = (step: string, text: string) => output.note(`${step}: ${text}`);
  const { isGood, answer } = await purchase(asked, { tell, output });
  if (answer === undefined) return 0;
  const { status, text } = answer;
  if (status >= 400) throw refusedCall(text, status, { address: url, nameOf: optionOf });
  tellText(text, output);
  return isGood ? 0 : 1;
}

function helpOfOperation(row: Operation): string {
  const { operationId: id, summary, price, walletPrice } = row;
  const { method, path } = pickRoute(id);
  const costs = [
    ...(price === null ? [] : [`${price.usdc} USDC, paid as \`avouch pay\` does`]),
    ...(walletPrice === undefined
      ? []
      : [`${walletPrice.eur} EUR from the wallet ${walletPrice.rule ?? ''}`.trimEnd()]),
  ];
  const spec = { name: id, summary, options: [...fieldOptions(row), ...ownOptions(row)], examples: [], json: null };
  const required = spec.options.filter((option) => option.isRequired).map(({ name, value }) => `--${name} ${value} `);
  return [
    `avouch call ${id}: ${summary}\n`,
    `Usage: ./avouch call ${id} ${required.join('')}[options]\n`,
    `Request: ${method} ${path}`,
    `Price: ${costs.join('; ') || 'none'}`,
    `Key: ${keysOf(row, operationFields(row))}\n`,
    section('Options', optionRows(spec)),
  ].join('\n');
}

function keysOf({ access }: Operation, fields: readonly OperationField[]): string {
  if (access === 'session') return 'a browser session, which no command has';
  const keys = fields.flatMap(({ name, variable, isRequired }) => {
    const need = isRequired ? 'required' : 'optional';
    return variable === undefined ? [] : `${optionOf(name)} or ${variable} in the environment (${need})`;
  });
  return keys.join(', ') || 'none';
}
