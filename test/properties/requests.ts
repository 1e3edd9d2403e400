// Sends what fuzz-cases.ts makes to a running service and judges every answer by the operation table.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from '#properties';
import { hasAnswerPage, mediaTypesOf, type Operation } from '#kernel/operation.ts';
import { ProblemAnswer } from '#areas/discovery/operations.ts';
import { OPERATIONS, TABLE } from '../../src/areas.ts';
import {
  draftsFor,
  exampleDrafts,
  type FuzzRequest,
  inheritedDrafts,
  KEY_HEADERS,
  type Keys,
  requestOf,
  unstorableDrafts,
} from './fuzz-cases.ts';
import { inOppositeOrder } from './json-bodies.ts';
import { CLOSED, exchangeAndLeave, exchangeOnce, type RawAnswer, RawConnection } from '../support/raw-http.ts';

export interface FuzzOptions {
  readonly url: string;
  readonly seed: number;
  readonly requests: number;
  /** Texts that no answer may hold, such as the data directory. */
  readonly secrets: readonly string[];
  /** Requests without effects of each operation that are sent twice at the end, beside its examples; 0: not even those. */
  readonly repeated?: number;
  /** Whether every field is sent every name that all objects have. */
  readonly inherited?: boolean;
  /** Good keys; registered anew where they are not given, which an address may do a few times a day only. */
  readonly keys?: Keys;
  /** Sees every answer that passed. */
  readonly onAnswer?: (request: FuzzRequest, answer: RawAnswer) => void;
}

export interface FuzzReport {
  readonly requests: number;
  /** Sent once more because a connection was closed instead of an answer. */
  readonly resent: number;
  readonly perOperation: ReadonlyMap<string, number>;
  /** How often each status was answered, by operation. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

const CONNECTIONS = 32;
const MAX_PER_BATCH = 50;
const REMEMBERED_ANSWERS = 64;
const REPEATED = 8;
const SHOWN_BYTES = 1_000;
const PAIRS = 3;
/** Kinds of requests whose members stand in their body as they are. */
const ORDERLY: ReadonlySet<string> = new Set(['right', 'mixed']);

/** Throws at the first answer that should not be; the message names the seed and the request. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(options, options.keys ?? (await registeredKeys(options.url)));
  await run.sendAll(run.requestsInTurn());
  if (options.inherited === true) await run.sendAll(run.requestsOfEach(inheritedDrafts));
  if (options.repeated !== 0) {
    await run.repeatPure();
    await run.reorder();
  }
  return run.report();
}

/** Sends every text field that takes them characters that a database or a digest does not take. Throws as `fuzz` does. */
export async function sendUnstorable(options: Pick<FuzzOptions, 'url' | 'seed' | 'secrets'>): Promise<FuzzReport> {
  const run = new FuzzRun({ ...options, requests: 0 }, await registeredKeys(options.url));
  await run.sendAll(run.requestsOfEach(unstorableDrafts));
  return run.report();
}

const REGISTRATIONS = [
  ['x-agent-key', 'agent_key', '/api/agents/register', { name: 'fuzzed', owner_email: 'fuzz@example.org' }],
  [
    'x-amh-key',
    'api_key',
    '/api/amh/register',
    { name: 'Fuzzed', mcp_url: 'https://fuzz.example', contact: 'https://fuzz.example' },
  ],
] as const;

/** Good keys, so that calls which need one are not all refused for its sake. */
export async function registeredKeys(url: string): Promise<Keys> {
  const keys = REGISTRATIONS.map(async ([header, member, path, body]) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const key = ((await answer.json()) as Record<string, unknown>)[member];
    assert.ok(typeof key === 'string', `${path} answers ${answer.status}`);
    return [header, key] as const;
  });
  return Object.fromEntries(await Promise.all(keys));
}

class FuzzRun {
  sent = 0;
  resent = 0;
  readonly perOperation = new Map<string, number>();
  readonly statuses = new Map<string, Map<number, number>>();
  readonly #options: FuzzOptions;
  readonly #rows = OPERATIONS.map((operation) => ({ operation, drafts: draftsFor(operation) }));
  /** Members and answers of calls that went well, by area: later calls take ids and tokens from them. */
  readonly #remembered = new Map<string, Record<string, unknown>[]>();
  readonly #judge: Judge;

  readonly #keys: Keys;

  constructor(options: FuzzOptions, keys: Keys) {
    this.#options = options;
    this.#keys = keys;
    this.#judge = new Judge(options.secrets);
  }

  /**
   * The operations in turn, those without parameters a third as often. The same seed makes the same requests, but for
   * recalled values.
   */
  *requestsInTurn(): Generator<FuzzRequest> {
    // What is sampled and not sent costs as much as what is sent.
    const perBatch = Math.min(MAX_PER_BATCH, Math.ceil(this.#options.requests / this.#rows.length));
    for (let batch = 0; ; batch += 1) {
      const firstSeed = this.#options.seed + batch * this.#rows.length;
      const samples = this.#rows.map(({ operation, drafts }, row) => {
        const share = Object.keys(operation.input.shape).length === 0 ? 1 / 3 : 1;
        return fc.sample(drafts, { seed: firstSeed + row, numRuns: Math.ceil(perBatch * share) });
      });
      for (let index = 0; index < perBatch; index += 1) {
        for (const [row, { operation }] of this.#rows.entries()) {
          if (this.sent >= this.#options.requests) return;
          const draft = samples[row]?.[index];
          if (draft !== undefined)
            yield requestOf(operation, draft, this.#recalled(operation, draft.recall), this.#keys);
        }
      }
    }
  }

  report(): FuzzReport {
    return { requests: this.sent, resent: this.resent, perOperation: this.perOperation, statuses: this.statuses };
  }

  async sendAll(requests: Generator<FuzzRequest>): Promise<void> {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#work(requests)));
  }

  async #work(requests: Generator<FuzzRequest>): Promise<void> {
    using connection = new RawConnection(this.#options.url);
    try {
      for (let next = requests.next(); next.done !== true; next = requests.next()) {
        await this.#send(next.value, connection);
      }
    } finally {
      // After a fault the other workers stop too.
      requests.return(undefined);
    }
  }

  *requestsOfEach(draftsOf: typeof inheritedDrafts): Generator<FuzzRequest> {
    for (const { operation } of this.#rows) {
      for (const draft of draftsOf(operation)) yield requestOf(operation, draft, {}, this.#keys);
    }
  }

  /** Nothing else runs now: what has no effects and is asked twice must be answered alike, but for the time. */
  async repeatPure(): Promise<void> {
    using connection = new RawConnection(this.#options.url);
    for (const { operation, drafts } of this.#rows.filter((row) => !row.operation.effects)) {
      const { seed, repeated = REPEATED } = this.#options;
      const samples = fc.sample(drafts, { seed, numRuns: repeated });
      for (const draft of [...exampleDrafts(operation), ...samples]) {
        const request = requestOf(operation, draft, this.#recalled(operation, draft.recall), this.#keys);
        // Rubbish behind a request ends the connection, and its refusal is sent only where the answer was through by then.
        const promised = draft.kind === 'unframed' ? 1 : Infinity;
        const answers = async () => (await this.#send(request, connection)).slice(0, promised).map(timeless);
        let [once, again] = [await answers(), await answers()];
        // The log grows by itself now and then: of three pairs in a row one is alike.
        for (let turn = 1; turn < PAIRS && !isDeepStrictEqual(again, once); turn += 1) {
          [once, again] = [await answers(), await answers()];
        }
        assert.deepEqual(again, once, `answered twice in two ways\n${this.#describe(request)}`);
      }
    }
  }

  /**
   * The order of members says nothing: what is sent in the opposite order is answered alike. Of a call with effects that is
   * its status, and where it is refused the whole answer.
   */
  async reorder(): Promise<void> {
    using connection = new RawConnection(this.#options.url);
    const { seed, repeated = REPEATED } = this.#options;
    for (const { operation, drafts } of this.#rows) {
      if (operation.method !== 'post' && operation.alsoPost !== true) continue;
      const samples = fc.sample(drafts, { seed, numRuns: repeated }).filter(({ kind }) => ORDERLY.has(kind));
      for (const draft of [...exampleDrafts(operation), ...samples]) {
        const written = { ...draft, form: 'post' as const, headers: [] };
        const turned = { ...written, members: inOppositeOrder(draft.members) };
        const one = requestOf(operation, written, {}, this.#keys);
        await this.#expectAlike(one, requestOf(operation, turned, {}, this.#keys), connection);
      }
    }
  }

  /** The first of two calls may change what the second one finds: of three pairs in a row one is alike. */
  async #expectAlike(one: FuzzRequest, other: FuzzRequest, connection: RawConnection): Promise<void> {
    let told = '';
    for (let turn = 0; turn < PAIRS; turn += 1) {
      const [first, second] = [await this.#send(one, connection), await this.#send(other, connection)];
      const [a, b] = [first, second].map((answers) => answers.map((answer) => ofOrder(one.operation, answer)));
      if (isDeepStrictEqual(a, b)) return;
      told = JSON.stringify([a, b]);
    }
    const sent = `${this.#describe(one)}\n${this.#describe(other)}`;
    throw new Error(`the order of members decides\n${sent}\nanswers: ${told}`);
  }

  async #send(request: FuzzRequest, connection: RawConnection): Promise<RawAnswer[]> {
    const { operationId } = request.operation;
    this.sent += 1;
    this.perOperation.set(operationId, (this.perOperation.get(operationId) ?? 0) + 1);
    const answers = await this.#exchange(request, connection);
    const unmet = faultOfRepeated(request, answers) ?? faultOfUnread(request, answers);
    if (unmet !== undefined)
      throw new Error(`${unmet}\n${this.#describe(request)}\nanswers: ${answers.map(shown).join('\n')}`);
    for (const answer of answers) {
      const fault = this.#judge.faultOf(request, answer);
      if (fault !== undefined) throw new Error(`${fault}\n${this.#describe(request)}\nanswer: ${shown(answer)}`);
      const statuses = this.statuses.get(operationId) ?? new Map<number, number>();
      this.statuses.set(operationId, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
      if (isSuccess(request.operation, answer.status) && request.isFramed) this.#remember(request, answer);
      this.#options.onAnswer?.(request, answer);
    }
    return answers;
  }

  async #exchange(request: FuzzRequest, connection: RawConnection): Promise<RawAnswer[]> {
    const { bytes, method, isFramed, unread } = request;
    try {
      if (unread?.isCut) return [await exchangeAndLeave(this.#options.url, bytes)];
      if (!isFramed) return await exchangeOnce(this.#options.url, bytes);
      const send = () => connection.send(bytes, method === 'HEAD');
      return [await send().catch((error: Error) => this.#sentAnew(error, send))];
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.#describe(request)}`, { cause: error });
    }
  }

  /** A connection that was idle for long may end while a request is on its way: on a new one there is an answer. */
  #sentAnew(error: Error, send: () => Promise<RawAnswer>): Promise<RawAnswer> {
    if (!error.message.endsWith(CLOSED)) throw error;
    this.resent += 1;
    return send();
  }

  #describe({ operation, kind, bytes }: FuzzRequest): string {
    const text = JSON.stringify(Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString('latin1'));
    return `seed ${this.#options.seed}, ${operation.operationId} (${kind}), ${bytes.length} bytes: ${text}`;
  }

  #remember(request: FuzzRequest, answer: RawAnswer): void {
    if (!request.operation.effects || request.method !== 'POST') return;
    if (answer.headers['content-type'] !== 'application/json') return;
    const { tag } = request.operation;
    const answers = this.#remembered.get(tag) ?? [];
    // What an answer leaves out, such as a token that the caller made, stays as it was sent.
    const told = Object.entries(JSON.parse(answer.text) as object).filter(([, value]) => value !== null);
    answers.push({ ...Object.fromEntries(request.members), ...Object.fromEntries(told) });
    if (answers.length > REMEMBERED_ANSWERS) answers.shift();
    this.#remembered.set(tag, answers);
  }

  #recalled({ tag }: Operation, recall: number | undefined): Record<string, unknown> | undefined {
    const answers = this.#remembered.get(tag) ?? [];
    return recall === undefined ? undefined : answers[recall % answers.length];
  }
}

const CODES = new Map(TABLE.problems().map((problem) => [problem.code, problem.status]));
/** Traces of the machine room: stacks, files, statements and codes of the parts below. */
const INTERNALS =
  /\n\s+at |node:|node_modules|\.ts:\d|\bFST_|\bSQLITE_|\bSELECT .* FROM\b|\bINSERT INTO\b|\bE(?:NOENT|CONN)/;

/** What gives out programs and pages of ours, which may name files and statements. */
const DOCUMENTATION: ReadonlySet<string> = new Set(
  'verify_file data_search data_document data_ask llms_full docs_page search_pages page_asset'.split(' '),
);

/** Knows from the table what an answer must be like. */
class Judge {
  readonly #secrets: readonly string[];
  /** Bodies that were found right, so that an unchanged document is not parsed again. */
  readonly #known = new Map<string, string>();

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  faultOf(sent: FuzzRequest, answer: RawAnswer): string | undefined {
    const request = { ...sent, operation: answeringRow(sent) };
    const { status, headers, text } = answer;
    if (status >= 500 && !(status === 501 && asksTheImpossible(sent)) && !isBusy(sent, answer))
      return `status ${status}`;
    if (!headers['x-request-id']) return 'no X-Request-Id';
    if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
    const succeeded = isSuccess(request.operation, status);
    const isKnown = succeeded && this.#known.get(request.operation.operationId) === text;
    const isDocumentation = succeeded && DOCUMENTATION.has(request.operation.operationId);
    const secret = isKnown ? undefined : this.#secretIn(text, isDocumentation);
    if (secret !== undefined) return `the answer holds ${JSON.stringify(secret)}`;
    if (status === 204 || status === 304) return text === '' ? undefined : `a body with ${status}`;
    if (succeeded) return this.#faultOfSuccess(request, answer);
    if (status === 303 && request.operation.redirectsAfterPost) return text === '' ? undefined : 'a body with 303';
    if (status === 308 && request.operation.pagesUnder !== undefined)
      return text === '' ? undefined : 'a body with 308';
    return status >= 400 ? faultOfProblem(request, answer) : `status ${status} is never used`;
  }

  #secretIn(text: string, isDocumentation: boolean): string | undefined {
    const secret = this.#secrets.find((one) => text.includes(one));
    return isDocumentation ? secret : (secret ?? INTERNALS.exec(text)?.[0]);
  }

  #faultOfSuccess({ operation, method }: FuzzRequest, { headers, text }: RawAnswer): string | undefined {
    const type = headers['content-type'] ?? '';
    const isPage =
      (operation.pages !== undefined || hasAnswerPage(operation)) &&
      /^text\/(?:html|markdown); charset=utf-8$/.test(type);
    if (operation.otherMediaTypes?.includes(type)) return undefined;
    if (!isPage && !mediaTypesOf(operation).includes(type)) return `content type ${type}`;
    if (type === 'application/x-ndjson') return faultOfLines(text);
    if (type === 'text/event-stream' && operation.mediaType === undefined) return undefined;
    if (method === 'HEAD' || isPage || this.#known.get(operation.operationId) === text) return undefined;
    const parsed = operation.output.safeParse(operation.mediaType === undefined ? parsedJson(text) : text);
    if (!parsed.success) return `not the declared output: ${parsed.error.message}`;
    this.#known.set(operation.operationId, text);
    return undefined;
  }
}

/** Nothing but whole lines of JSON. */
function faultOfLines(text: string): string | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '') return 'a line without its end';
  return lines.every((line) => parsedJson(line) !== undefined) ? undefined : 'a line that is not JSON';
}

function faultOfProblem({ method, operation }: FuzzRequest, { status, headers, text }: RawAnswer): string | undefined {
  const isPage = headers['content-type'] === 'text/html; charset=utf-8';
  if (!isPage && headers['content-type'] !== 'application/problem+json')
    return `content type ${headers['content-type']}`;
  if (status === 405 && !headers['allow']) return '405 without Allow';
  if (method === 'HEAD') return undefined;
  if (isPage) {
    const said = /<p class="problem-code">\d+ · <[^>]+>(\w+)</.exec(text)?.[1];
    // A form comes back as it was sent, with what to fix.
    if (said === undefined && operation.takesForm && text.includes('<form')) return undefined;
    return CODES.get(said ?? '') === status ? undefined : `a page with code ${said} and status ${status}`;
  }
  const problem = ProblemAnswer.safeParse(parsedJson(text));
  if (!problem.success) return `not a problem document: ${problem.error.message}`;
  const { code, status: told, retry_after_s: wait } = problem.data;
  if (told !== status || CODES.get(code) !== status) return `code ${code} with status ${status}`;
  if (headers['retry-after'] !== (wait === undefined ? undefined : String(wait))) return 'two different waits';
  return undefined;
}

/** Audits wait for each other: of many at once some are refused. To HEAD nothing but the wait is said. */
function isBusy({ method, operation }: FuzzRequest, { status, headers, text }: RawAnswer): boolean {
  if (status !== 503 || operation.operationId !== 'log_audit') return false;
  return method === 'HEAD' ? headers['retry-after'] !== undefined : /"code":"busy"|\/problems\/busy"/.test(text);
}

/** What only a proxy could do, or somebody who knows more codings than we. */
function asksTheImpossible({ method, bytes }: FuzzRequest): boolean {
  return method === 'CONNECT' || /^(?:CONNECT )|\ntransfer-encoding/i.test(Buffer.from(bytes).toString('latin1'));
}

/** What a row's path looks like on the wire. */
const WIRE_PATHS = new Map(
  OPERATIONS.map(({ operationId, path, wildcardPath }) => {
    const parts = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
    return [operationId, new RegExp(`^${wildcardPath === true ? parts.replace(/\[\^\/\]\+$/, '.+') : parts}$`)];
  }),
);

/** Another method, and a path that was changed, may be those of another row. */
function answeringRow({ operation, method, bytes }: FuzzRequest): Operation {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  const line = Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString('latin1');
  const path = /^\S+ +([^\s?#]+)/.exec(line)?.[1] ?? '';
  const isAt = ({ operationId }: Operation) => WIRE_PATHS.get(operationId)?.test(path) === true;
  if (operation.method === wanted && isAt(operation)) return operation;
  const rows = OPERATIONS.filter((row) => row.method === wanted);
  return rows.find(isAt) ?? rows.find((row) => row.path === operation.path) ?? operation;
}

function isSuccess({ successStatus, repeatStatus }: Operation, status: number): boolean {
  return status === (successStatus ?? 200) || status === repeatStatus;
}

/** A body in which a member is given twice is refused with its path, whatever else is in it; only a missing key comes first. */
function faultOfRepeated(request: FuzzRequest, [answer]: readonly RawAnswer[]): string | undefined {
  const { operation, repeated, isKeyed } = request;
  if (repeated === undefined || answer === undefined) return undefined;
  if (KEY_HEADERS[operation.access] !== undefined && isKeyed !== true)
    return answer.status === 401 ? undefined : 'a call without its key is not refused';
  const errors = (parsedJson(answer.text) as { errors?: { pointer: string; code: string }[] }).errors ?? [];
  const isNamed = errors.some(({ pointer, code }) => pointer === repeated && code === 'repeated');
  return answer.status === 400 && isNamed ? undefined : `${repeated} is given twice and not named`;
}

/** Every call that came whole is refused by its key, whatever its body; what is not whole may be refused as no HTTP. */
function faultOfUnread({ unread }: FuzzRequest, answers: readonly RawAnswer[]): string | undefined {
  if (unread === undefined) return undefined;
  const [refused, others] = [answers.slice(0, unread.whole), answers.slice(unread.whole)];
  if (answers.length === 0 || refused.length < unread.whole)
    return `${refused.length} of ${unread.whole} calls are answered`;
  if (refused.some(({ status }) => status !== 401)) return 'the key is not named first';
  return others.every(({ status }) => status === 400 || status === 401)
    ? undefined
    : 'what is no call is answered as one';
}

/** What the order of members must leave alone. */
function ofOrder({ effects }: Operation, answer: RawAnswer): unknown {
  const { status, headers } = answer;
  if (effects && status < 400) return { status, type: headers['content-type'] };
  const { errors, ...problem } = status < 400 ? {} : (parsedJson(answer.text) as { errors?: object[] });
  if (errors === undefined) return timeless(answer);
  return {
    status,
    problem: timeless({ ...answer, text: JSON.stringify(problem) }),
    errors: errors.map((one) => JSON.stringify(one)).toSorted(),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What must be the same in two answers to one question: all but the time, durations and the id of the request. */
function timeless({ status, headers, text: given }: RawAnswer): unknown {
  const type = headers['content-type'] ?? '';
  // /connect makes a token for each reader, and from it a name; in Markdown some tokens need backticks.
  const text = given
    .replaceAll(/(X-Crossing-Token.{0,20}?)`?[\w-]{43}`?/g, '$1')
    .replaceAll(/\bmcp-[0-9a-f]{8}\b/g, 'mcp');
  // A page shows the same members without their names: there every figure may be a duration.
  if (/^text\/(?:html|markdown)/.test(type)) {
    // A form gets a new key with each view, so that it can be sent twice without harm.
    const unkeyed = text.replaceAll(/(name="idempotency_key" value=")[^"]+/g, '$1');
    return { status, type, body: unkeyed.replaceAll(/\d+/g, '0') };
  }
  const body = text
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"time"')
    .replaceAll(/("\w+_m?s":)-?[\d.e+-]+/g, '$10')
    // A signed offer says until when it stands.
    .replaceAll(/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g, '"signed"');
  return { status, type, body };
}

function shown({ status, headers, text }: RawAnswer): string {
  return `${status} ${JSON.stringify(headers)} ${text.slice(0, SHOWN_BYTES)}`;
}
