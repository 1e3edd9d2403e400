import { text as textOf } from 'node:stream/consumers';
import { addressOf, type PreparedRequest, prepareRequest, routeOf } from '../../client/request.ts';
import { ROUTES } from '../../client/table.ts';
import { parseExactJson } from '#kernel/exact-json.ts';
import { newToken } from '#kernel/ids.ts';
import type { Operation } from '#kernel/operation.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { answerPieces, answerText, CallError, httpAddress, refusedCall, serviceUrl } from './log-client.ts';
import {
  inputOf,
  type OperationField,
  operationFields,
  optionOf,
  optionsIn,
  spelledJson,
  typeOf,
} from './operation-fields.ts';

type Json = Record<string, unknown>;

/** Options that are no fields; those of a payment only where there is a price. */
const OWN_OPTIONS = ['url', 'json'];
const PAY_OPTIONS = ['max', 'daily_max', 'key', 'idempotency_key', 'dry_run'];
const PAY_USAGE = '[--max <usdc>] [--daily-max <usdc>] [--key <file>] [--dry-run] [--idempotency-key <key>]';
const STANDARD_INPUT = '-';
const NEAREST = 3;

export const callCommand: Command = {
  name: 'call',
  summary: 'call any operation of the service and print its answer; without a name, list them all',
  usage: 'call [<operation> [--<field> <value>]... [--json <object or ->] [--url <url>]]',
  examples: [
    './avouch call',
    './avouch call claim --help',
    './avouch call look --key acme/repo#12 --agent a7',
    'AGENT_KEY=agk_... ./avouch call get_wallet',
    './avouch call attest_seal --json - --disclosure public < request.json',
  ],
  async help([id]) {
    return id === undefined || id.startsWith('--') ? undefined : helpOfOperation(await rowOf(id));
  },
  async run([id, ...args], terminal) {
    if (id !== undefined) return callRow(await rowOf(id), args, terminal);
    for (const name of Object.keys(ROUTES)) terminal.out(listLine(name));
    return 0;
  },
};

function listLine(id: string): string {
  const { method, path } = routeOf(id);
  return `${id.padEnd(26)} ${method.toUpperCase().padEnd(4)} ${path}\n`;
}

/** The rows know the whole service: they are loaded for a name that is one of theirs. */
async function rowOf(id: string): Promise<Operation> {
  if (!Object.hasOwn(ROUTES, id)) {
    const nearest = (await nearestTo(id)).join(', ');
    const hint = nearest === '' ? '' : `; the nearest are ${nearest}`;
    throw new UsageError(`no operation ${JSON.stringify(id)}${hint}; ./avouch call lists them all`);
  }
  const { OPERATIONS } = await import('../areas.ts');
  return OPERATIONS.find(({ operationId }) => operationId === id) as Operation;
}

async function nearestTo(id: string): Promise<string[]> {
  const { editDistance } = await import('#areas/data/retrieval/words.ts');
  const given = id.toLowerCase().replaceAll('-', '_');
  const most = Math.ceil(given.length / 2);
  const ranked = Object.keys(ROUTES).map((name) => {
    return { name, away: name.includes(given) ? 1 : editDistance(given, name, most) };
  });
  const near = ranked.filter(({ away }) => away <= most).toSorted((a, b) => a.away - b.away);
  return near.slice(0, NEAREST).map(({ name }) => name);
}

async function callRow(row: Operation, args: readonly string[], terminal: Terminal): Promise<number> {
  const { operationId: id, price } = row;
  const { words, options } = optionsIn(args);
  const named = price === null ? OWN_OPTIONS : [...OWN_OPTIONS, ...PAY_OPTIONS];
  const chosen: Record<string, string | undefined> = {};
  const wrong = words.map((word) => `${JSON.stringify(word)} is no option`);
  for (const [name, [value, ...more]] of [...options].filter(([one]) => named.includes(one))) {
    const isRight = more.length === 0 && (value === undefined) === (name === 'dry_run');
    if (!isRight) wrong.push(`${optionOf(name)} takes ${name === 'dry_run' ? 'no' : 'one'} value`);
    chosen[name.replaceAll('_', '-')] = value ?? '';
    options.delete(name);
  }
  const body = await bodyIn(chosen['json'] ?? '{}');
  const made = keyFor(id, { ...body, ...Object.fromEntries(options) });
  const { input, faults } = inputOf(row, { options, body: { ...made, ...body }, env: terminal.env });
  if (wrong.length + faults.length > 0) throw new UsageError(`${id}: ${[...wrong, ...faults].join('; ')}`);
  const url = serviceUrl(chosen['url'], terminal.env);
  const request = prepareRequest(id, input);
  if (price !== null) return bought(httpAddress(addressOf(url, request)), chosen, terminal);
  try {
    await tellAnswer(id, url, request, terminal);
    return 0;
  } catch (error) {
    const isOpen = error instanceof CallError && (error.status === undefined || error.status >= 500);
    for (const [name, key] of isOpen ? Object.entries(made) : []) {
      terminal.err(`repeat it with ${optionOf(name)} ${key}: it is done at most once\n`);
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
    throw new UsageError('--json takes an object in JSON, or - for one on standard input');
  }
  const [odd] = parseExactJson(text).faults;
  if (odd !== undefined) throw new UsageError(`--json says two things: ${odd.pointer} ${odd.detail}`);
  return value as Json;
}

async function tellAnswer(id: string, url: string, request: PreparedRequest, terminal: Terminal): Promise<void> {
  const { answer } = routeOf(id);
  if (answer === 'bytes') throw new UsageError(`${id} answers bytes: read ${addressOf(url, request)}`);
  if (answer !== 'stream') return tellText(await answerText(url, request), terminal);
  const decoder = new TextDecoder();
  for await (const piece of await answerPieces(url, request)) terminal.out(decoder.decode(piece, { stream: true }));
}

/** As JSON where it is; some operations answer another text. */
function tellText(text: string, terminal: Terminal): void {
  const json = spelledJson(text);
  terminal.out(`${json === undefined ? text.trimEnd() : JSON.stringify(json, null, 2)}\n`);
}

/** Buys as pay does; the steps are told beside the answer. */
async function bought(url: URL, chosen: Readonly<Record<string, string | undefined>>, terminal: Terminal) {
  const [{ payArguments }, { purchase }] = await Promise.all([import('./pay.ts'), import('./purchase.ts')]);
  const asked = payArguments(url, chosen, chosen['dry-run'] !== undefined);
  const { isGood, answer } = await purchase(asked, { ...terminal, out: (text) => terminal.err(text) });
  if (answer === undefined) return 0;
  const { status, text } = answer;
  if (status >= 400) throw refusedCall(text, status, url);
  tellText(text, terminal);
  return isGood ? 0 : 1;
}

function helpOfOperation(row: Operation): string {
  const { operationId: id, summary, price, walletPrice } = row;
  const { method, path } = routeOf(id);
  const fields = operationFields(row);
  const usage = fields.map(({ name, isRequired }) => {
    return isRequired ? `${optionOf(name)} <value>` : `[${optionOf(name)} <value>]`;
  });
  const costs = [
    ...(price === null ? [] : [`${price.usdc} USDC, paid as ./avouch pay does: ${PAY_USAGE}`]),
    ...(walletPrice === undefined ? [] : [`${walletPrice.eur} EUR of the wallet ${walletPrice.rule ?? ''}`.trimEnd()]),
  ];
  return [
    `avouch call ${id}: ${summary}\n`,
    `Usage: ./avouch call ${[id, ...usage].join(' ')} [--json <object or ->] [--url <url>]\n`,
    `Request: ${method.toUpperCase()} ${path}`,
    `Price: ${costs.join('; ') || 'none'}`,
    `Key: ${keysOf(row, fields)}\n`,
    'Fields:',
    ...(fields.length === 0 ? ['  none'] : fields.map(lineOf)),
    '',
  ].join('\n');
}

function keysOf({ access }: Operation, fields: readonly OperationField[]): string {
  if (access === 'session') return 'the session of a browser, which no command has';
  const keys = fields.flatMap(({ name, variable, isRequired }) => {
    const need = isRequired ? 'required' : 'optional';
    return variable === undefined ? [] : `${optionOf(name)} or ${variable} in the environment (${need})`;
  });
  return keys.join(', ') || 'none';
}

function lineOf({ name, schema, isRequired }: OperationField): string {
  const { description, default: usual } = schema as { description?: string; default?: unknown };
  const stated = usual === undefined ? '' : `, ${JSON.stringify(usual)} unless given`;
  return `  ${optionOf(name).padEnd(26)} ${typeOf(schema)}${isRequired ? ', required' : stated}${description === undefined ? '' : `: ${description}`}`;
}
