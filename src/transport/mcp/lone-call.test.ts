// A lone call, a lone list and the lists of a batch are answered as the SDK answers them; whatever else comes is left to it.
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { before, test } from 'node:test';
import fc, { runs } from '../../../test/support/properties.ts';
import {
  batchAnswer,
  callAnswer,
  listAnswer,
  listsOfBatch,
  loneCall,
  loneList,
  unknownToolAnswer,
} from './lone-call.ts';
import { SdkAdapter } from './sdk-adapter.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import { toolAnswer, toolError } from './tool-result.ts';
import { type ReceivedToolCall, ToolServer } from './tool-server.ts';
import { Refusal } from '#kernel/problem.ts';
import * as general from '#kernel/general-problems.ts';

type Members = Record<string, unknown>;
interface Sent {
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

const IDENTITY = { name: 'Avouch', version: '1', instructions: 'none' };
const RESERVED = 'io.modelcontextprotocol/';
const ENVELOPE = { [`${RESERVED}protocolVersion`]: '2026-07-28', [`${RESERVED}clientCapabilities`]: {} };
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };

let sdk: Sdk;
/** What the tool was last called with. */
let seen: { args: unknown; payment: unknown } | undefined;
const tools = new ToolServer(
  [
    {
      listed: { name: 'echo', annotations: { readOnlyHint: true } } as never,
      fields: new Set(),
      run: (args, { meta }: ReceivedToolCall) => {
        seen = { args, payment: meta['x402/payment'] };
        const { result } = toolAnswer({ args });
        if ('fail' in args) return Promise.resolve(toolError(new Refusal(general.slowDown, { detail: 'wait' })));
        return Promise.resolve({ result: 'paid' in args ? { ...result, _meta: { settled: 1 } } : result, code: null });
      },
    },
  ],
  {
    isTrailFailing: () => false,
    explainFault: () => undefined,
    logFault: () => {},
    scopesOf: () => Promise.resolve([]),
  },
);

const LEFT = new AbortController();
const CALL = { requestId: 'r', addressTag: 't', signal: LEFT.signal, agentKey: undefined, header: () => undefined };

before(async () => {
  sdk = await loadSdk();
});

async function bySdk({ body, headers }: Sent) {
  seen = undefined;
  const adapter = new SdkAdapter(sdk, tools, IDENTITY);
  const response = await adapter.answer({ body, headers, call: CALL, left: LEFT, traces: [] });
  const text = await response.text();
  return { status: response.status, answer: text === '' ? undefined : (JSON.parse(text) as unknown), seen };
}

async function alone({ body, headers }: Sent) {
  if (Array.isArray(body)) return batch(body, headers);
  const list = loneList(sdk, body, headers);
  if (list !== undefined) return listed(listAnswer(list, tools.listText, IDENTITY));
  const lone = loneCall(sdk, body, headers);
  if (lone === undefined) return undefined;
  seen = undefined;
  const { result } = await tools.call(lone.name, lone.args, { ...CALL, meta: lone.meta });
  const text = result === undefined ? unknownToolAnswer(lone) : callAnswer(lone, result, IDENTITY);
  return { status: 200, answer: JSON.parse(text) as unknown, seen };
}

function listed(text: string) {
  return { status: 200, answer: JSON.parse(text) as unknown, seen: undefined };
}

/** The lists of a batch, with what the SDK says of the others; the SDK alone where it refuses them. */
async function batch(messages: readonly unknown[], headers: IncomingHttpHeaders) {
  const { lists, rest } = listsOfBatch(sdk, messages, headers);
  if (lists.length === 0) return undefined;
  const texts = lists.map((list) => listAnswer(list, tools.listText, IDENTITY));
  if (rest.length === 0) return listed(batchAnswer('', texts));
  const others = await bySdk({ body: rest, headers });
  if (others.status >= 400) return others;
  const ofSdk = others.answer === undefined ? '' : JSON.stringify(others.answer);
  return { ...others, status: 200, answer: JSON.parse(batchAnswer(ofSdk, texts)) as unknown };
}

/** A client finds the answers of a batch by their ids: their order says nothing. */
function byId<A extends { readonly answer?: unknown }>(answered: A): A {
  const id = (one: unknown) => JSON.stringify((one as Members)['id']);
  const { answer } = answered;
  return Array.isArray(answer)
    ? { ...answered, answer: answer.toSorted((a, b) => id(a).localeCompare(id(b))) }
    : answered;
}

function message(params: Members, others: Members = {}): Members {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', ...params }, ...others };
}

function listMessage(id: unknown, params?: Members, others: Members = {}): Members {
  return { jsonrpc: '2.0', id, method: 'tools/list', ...(params !== undefined && { params }), ...others };
}

const TAKEN: Readonly<Record<string, Sent>> = {
  'without anything': { body: message({}), headers: {} },
  'with arguments': { body: message({ arguments: { a: [1, { b: null }] } }), headers: {} },
  'of 2025-06-18': { body: message({ arguments: {} }), headers: { 'mcp-protocol-version': '2025-06-18' } },
  'with an id of text': { body: message({}, { id: 'x' }), headers: {} },
  'of an unknown tool': { body: message({ name: 'none' }), headers: {} },
  'that fails': { body: message({ arguments: { fail: 1 } }), headers: {} },
  'that carries a payment': { body: message({ _meta: { 'x402/payment': { a: 1 } } }), headers: {} },
  'of 2026-07-28': { body: message({ arguments: { a: 1 }, _meta: ENVELOPE }), headers: HEADERS },
  'of 2026-07-28 that fails': { body: message({ arguments: { fail: 1 }, _meta: ENVELOPE }), headers: HEADERS },
  'of 2026-07-28 that was paid': {
    body: message({ arguments: { paid: 1 }, _meta: { ...ENVELOPE, 'x402/payment': 'p' } }),
    headers: HEADERS,
  },
  'of 2026-07-28 with all that a client says of itself': {
    body: message({
      _meta: {
        ...ENVELOPE,
        [`${RESERVED}clientCapabilities`]: { roots: { listChanged: true }, elicitation: { form: {} } },
        [`${RESERVED}clientInfo`]: { name: 'a client', version: '2' },
      },
    }),
    headers: HEADERS,
  },
  'of 2026-07-28 and an unknown tool': {
    body: message({ name: 'none', _meta: ENVELOPE }),
    headers: { ...HEADERS, 'mcp-name': 'none' },
  },
};

const LIST_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const PING = { jsonrpc: '2.0', id: 'p', method: 'ping' };
const TAKEN_LISTS: Readonly<Record<string, Sent>> = {
  'a lone list': { body: listMessage(1), headers: {} },
  'a lone list with an id of text': { body: listMessage('"x"'), headers: {} },
  'a lone list of 2025-11-25': { body: listMessage(1, {}), headers: { 'mcp-protocol-version': '2025-11-25' } },
  'a lone list with members of its own in _meta': { body: listMessage(1, { _meta: { a: 1 } }), headers: {} },
  'a lone list of 2026-07-28': { body: listMessage(1, { _meta: ENVELOPE }), headers: LIST_HEADERS },
  'a batch of one list': { body: [listMessage(1)], headers: {} },
  'a batch of lists': { body: [listMessage(1), listMessage(2), listMessage('3')], headers: {} },
  'lists beside a ping': { body: [listMessage(1), PING, listMessage(2)], headers: {} },
  'a list beside calls': {
    body: [message({}, { id: 7 }), listMessage(1), message({ name: 'none' }, { id: 8 })],
    headers: {},
  },
  'a list beside a notification': {
    body: [listMessage(1), { jsonrpc: '2.0', method: 'notifications/x' }],
    headers: {},
  },
  'a list beside a list with a cursor': { body: [listMessage(1), listMessage(2, { cursor: 'x' })], headers: {} },
  'a list beside what is no message': { body: [listMessage(1), { jsonrpc: '2.0', more: 1 }], headers: {} },
  'a list beside one of 2026-07-28': { body: [listMessage(1), listMessage(2, { _meta: ENVELOPE })], headers: {} },
};

for (const [what, sent] of [
  ...Object.entries(TAKEN).map(([name, one]) => [`a lone call ${name}`, one] as const),
  ...Object.entries(TAKEN_LISTS),
]) {
  test(`${what} is answered without the SDK and just as it would`, async () => {
    const answered = await alone(sent);
    assert.ok(answered);
    assert.deepEqual(byId(answered), byId(await bySdk(sent)));
  });
}

const FOR_THE_SDK: Readonly<Record<string, Sent>> = {
  'a batch of calls': { body: [message({})], headers: {} },
  'a batch that repeats an id': { body: [listMessage(1), listMessage(1)], headers: {} },
  'a batch that opens a session': { body: [listMessage(1), { ...PING, method: 'initialize' }], headers: {} },
  'a list with a cursor': { body: listMessage(1, { cursor: 'x' }), headers: {} },
  'a list that names a tool in a header': {
    body: listMessage(1, { _meta: ENVELOPE }),
    headers: { ...LIST_HEADERS, 'mcp-name': 'echo' },
  },
  'a list without an id': { body: listMessage(undefined), headers: {} },
  'a notification': { body: { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } }, headers: {} },
  'another method': { body: { ...message({}), method: 'prompts/list' }, headers: {} },
  'an unknown member': { body: message({}, { more: 1 }), headers: {} },
  'a revision that nobody knows': { body: message({}), headers: { 'mcp-protocol-version': '2020-01-01' } },
  'a header that names another tool': { body: message({ _meta: ENVELOPE }), headers: { ...HEADERS, 'mcp-name': 'b' } },
  'a header that is missing': { body: message({ _meta: ENVELOPE }), headers: { ...HEADERS, 'mcp-method': undefined } },
  'a client that wants progress': { body: message({ _meta: { progressToken: 1 } }), headers: {} },
  'capabilities that are none': {
    body: message({ _meta: { ...ENVELOPE, [`${RESERVED}clientCapabilities`]: { elicitation: 3 } } }),
    headers: HEADERS,
  },
};

for (const [what, sent] of Object.entries(FOR_THE_SDK)) {
  test(`${what} is left to the SDK`, async () => assert.equal(await alone(sent), undefined));
}

/** Members as a caller may write them, right and wrong. */
const odd = fc.oneof(fc.constantFrom(null, 1, 1.5, -0, 'echo', 'x', '', true, [], {}), fc.jsonValue());
const metaMembers = fc.dictionary(
  fc.constantFrom(
    ...['progressToken', 'x402/payment', 'traceparent', '__proto__', `${RESERVED}logLevel`, `${RESERVED}relatedTask`],
    ...['protocolVersion', 'clientCapabilities', 'clientInfo'].map((name) => RESERVED + name),
  ),
  odd,
  { maxKeys: 2 },
);
const sentAnyhow: fc.Arbitrary<Sent> = fc
  .record({
    isModern: fc.boolean(),
    meta: fc.option(metaMembers, { nil: undefined }),
    params: fc.dictionary(fc.constantFrom('name', 'arguments', 'cursor', 'task', 'inputResponses'), odd, {
      maxKeys: 2,
    }),
    others: fc.dictionary(fc.constantFrom('id', 'jsonrpc', 'method', 'result', 'more'), odd, { maxKeys: 1 }),
    headers: fc.dictionary(
      fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'),
      fc.constantFrom('2026-07-28', '2025-11-25', '2024-10-07', 'tools/call', 'echo', ' echo ', 'Tools/call', ''),
      { maxKeys: 1 },
    ),
  })
  .map(({ isModern, meta, params, others, headers }) => {
    const _meta = isModern ? { ...ENVELOPE, ...meta } : meta;
    return {
      body: message({ ...params, ...(_meta !== undefined && { _meta }) }, others),
      headers: { ...(isModern && HEADERS), ...headers },
    };
  });
const listedAnyhow: fc.Arbitrary<Sent> = sentAnyhow.map(({ body, headers }) => {
  const { params, ...others } = body as Members;
  const { name: _name, ...asked } = params as Members;
  const method = headers['mcp-method'] === 'tools/call' ? { 'mcp-method': 'tools/list' } : {};
  return { body: { ...others, method: 'tools/list', params: asked }, headers: { ...headers, ...method } };
});
const batchedAnyhow: fc.Arbitrary<Sent> = fc
  .tuple(fc.array(fc.oneof(sentAnyhow, listedAnyhow), { minLength: 1, maxLength: 4 }), fc.nat(9))
  .map(([sent, spelling]) => ({
    body: sent.map(({ body }, id) => (spelling > 0 ? { ...(body as Members), id } : body)),
    headers: spelling > 4 ? {} : (sent[0]?.headers ?? {}),
  }));

for (const [what, anyhow] of [
  ['a lone call', sentAnyhow],
  ['a lone list', listedAnyhow],
  ['a batch with lists', batchedAnyhow],
] as const) {
  test(`no request is answered otherwise than by the SDK because it looks like ${what}`, async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(anyhow, async (sent) => {
        // As it is after its way over the wire.
        const read: Sent = { ...sent, body: JSON.parse(JSON.stringify(sent.body)) };
        const answered = await alone(read);
        if (answered === undefined) return;
        taken += 1;
        assert.deepEqual(byId(answered), byId(await bySdk(read)));
      }),
      { numRuns: runs(2_000) },
    );
    assert.ok(taken > 10, `${taken} of the requests were ${what}`);
  });
}
