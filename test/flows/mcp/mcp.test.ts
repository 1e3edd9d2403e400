import assert from 'node:assert/strict';
import { ManualClock } from '#kernel/clock.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from '#properties';
import { newApiKey } from '#kernel/ids.ts';
import { listedTools } from '../../../src/areas.ts';
import { offered } from '#transport/mcp/tool-server.ts';
import { checkTaskTool } from '#areas/tasks/tools.ts';
import { operatorArea } from '#areas/operator/area.ts';
import { expectProblem } from '../../support/client.ts';
import { TestService } from '../../support/service.ts';
import { ask, callTool, ERAS, errorOf, post, refusalOf, type RpcAnswer } from '../../support/mcp.ts';
import { openEvents } from './open-events.ts';

const LISTED_TOOLS = listedTools();

let service: TestService;
before(async () => {
  service = await TestService.start({
    env: { AVOUCH_MCP_HOSTS: 'mcp.example', AVOUCH_MCP_ORIGINS: 'chat.example, moz-extension://*' },
  });
});
after(() => service[Symbol.asyncDispose]());

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('tools/list needs no key and no initialize, and is the static catalogue, in both eras', async () => {
  for (const era of ERAS) {
    const { answer, rpc } = await ask(service, era, 'tools/list');
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json']);
    assert.deepEqual(rpc.result?.['tools'], LISTED_TOOLS);
    assert.equal(rpc.result?.['ttlMs'], era === 'modern' ? 300_000 : undefined);
  }
  const bare = await post(service, LIST);
  assert.deepEqual((bare.json as RpcAnswer).result?.['tools'], (await service.call('/mcp/tools.json')).json['tools']);
  for (const accept of ['application/json', '*/*', 'text/event-stream', 'application/json, text/event-stream']) {
    assert.equal((await post(service, LIST, { headers: { accept } })).status, 200, accept);
  }
});

test('the list of each endpoint is the one that the SDK would send', async () => {
  for (const path of ['/mcp/streamable', '/mcp/coordination', '/mcp/paid']) {
    // A parameter that nobody knows makes it a request for the SDK.
    const kept = await post(service, LIST, { path });
    const ofSdk = await post(service, { ...LIST, params: { more: 1 } }, { path });
    assert.equal(kept.status, 200, path);
    assert.deepEqual(kept.json, ofSdk.json, path);
    const batch = await post(service, [LIST, { ...LIST, id: 2, method: 'ping' }], { path });
    const byId = new Map((batch.json as unknown as { id: number }[]).map((one) => [one.id, one]));
    assert.deepEqual([byId.get(1), byId.get(2)], [kept.json, { jsonrpc: '2.0', id: 2, result: {} }], path);
  }
});

test('the bare address answers as /mcp/streamable does, and a reader is told where the endpoint is', async () => {
  const bare = await post(service, LIST, { path: '/mcp' });
  assert.deepEqual([bare.status, bare.json], [200, (await post(service, LIST)).json]);
  const { detail } = expectProblem(await service.call('/mcp'), 404, 'not_found');
  assert.match(String(detail), /The MCP endpoint is \/mcp\/streamable/);
  const page = await service.call('/mcp', { headers: { accept: 'text/html' } });
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
  assert.match(page.text, /The MCP endpoint is <code>\/mcp\/streamable<\/code>/);
  assert.match(page.text, /&quot;mcpServers&quot;/);
});

test('a client that asks the bare address for a stream, or sends another method, is told what it takes', async () => {
  const allowed = (await service.call('/mcp/streamable')).headers['allow'];
  const stream = await service.call('/mcp', { headers: { accept: 'text/event-stream' } });
  assert.deepEqual([stream.status, stream.headers['allow']], [405, allowed]);
  const put = await service.call('/mcp', { method: 'PUT' });
  assert.deepEqual([put.status, put.headers['allow']], [405, allowed]);
  const preflight = await service.call('/mcp', { method: 'OPTIONS', headers: { origin: service.url } });
  assert.match(String(preflight.headers['access-control-allow-headers']), /mcp-protocol-version/);
});

test('what the transport refuses is a JSON-RPC error with the status that MCP asks for', async () => {
  const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ ...LIST, method: 'ping', id }));
  const bad: readonly (readonly [unknown, object, readonly unknown[]])[] = [
    ['{', {}, [400, -32_700, 'malformed_json']],
    ['', {}, [400, -32_700, 'malformed_json']],
    [LIST, { headers: { 'content-type': 'text/plain' } }, [415, -32_000, 'unsupported_media_type']],
    [LIST, { headers: { accept: 'text/html' } }, [406, -32_000, 'not_acceptable']],
    [LIST, { headers: { host: 'evil.example' } }, [403, -32_000, 'host_not_allowed']],
    [LIST, { headers: { origin: 'https://evil.example' } }, [403, -32_000, 'host_not_allowed']],
    [LIST, { headers: { origin: 'null' } }, [403, -32_000, 'host_not_allowed']],
    [LIST, { path: '/mcp/messages?sessionId=none' }, [404, -32_000, 'session_not_found']],
    [`"${'a'.repeat(1_048_576)}"`, {}, [413, -32_000, 'body_too_large']],
    [[], {}, [400, -32_600, 'batch_too_long']],
    [batch(21), {}, [400, -32_600, 'batch_too_long']],
  ];
  for (const [body, sent, expected] of bad) assert.deepEqual(refusalOf(await post(service, body, sent)), expected);
  for (const path of ['/mcp/streamable', '/mcp/paid', '/mcp/messages']) {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await service.call(path, { method });
      assert.deepEqual(refusalOf(answer), [405, -32_000, 'method_not_allowed'], `${method} ${path}`);
      assert.match(answer.headers['allow'] ?? '', /POST/);
    }
  }
  assert.equal((await post(service, batch(20))).status, 200);
});

test('own names and configured ones are served, with CORS for their pages', async () => {
  const passing = [
    ...[{ host: 'mcp.example' }, { host: 'localhost:1' }, { host: '[::1]:8402' }],
    ...[{ origin: 'https://chat.example' }, { origin: 'http://localhost:6274' }, { origin: 'moz-extension://a-b' }],
  ];
  for (const headers of passing)
    assert.equal((await post(service, LIST, { headers })).status, 200, JSON.stringify(headers));
  const preflight = await service.call('/mcp/streamable', {
    method: 'OPTIONS',
    headers: { origin: 'https://chat.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.match(
    preflight.headers['access-control-allow-headers'] as string,
    /mcp-protocol-version, mcp-method, mcp-name/,
  );
});

test('errors of the protocol are those of its table', async () => {
  const { answer, rpc } = await ask(service, 'modern', 'no/such');
  assert.deepEqual([answer.status, rpc.error?.code], [404, -32_601]);
  const old = await ask(service, 'legacy', 'no/such');
  assert.deepEqual([old.answer.status, old.rpc.error?.code], [200, -32_601]);
  for (const era of ERAS) {
    const page = await ask(service, era, 'tools/list', { cursor: 'x' });
    assert.equal(page.rpc.error?.code, -32_602);
    const unknown = await ask(service, era, 'tools/call', { name: 'nope', arguments: {} });
    assert.deepEqual(
      [unknown.answer.status, unknown.rpc.error],
      [200, { code: -32_602, message: 'Unknown tool: nope' }],
    );
  }
  const header = await ask(service, 'modern', 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } });
  assert.deepEqual([header.answer.status, header.rpc.error?.code], [400, -32_020]);
  const batch = await post(service, [LIST, LIST], { headers: { 'mcp-protocol-version': '2026-07-28' } });
  assert.equal(batch.status, 400);
  assert.equal((await post(service, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
});

test('a subscription ends at once, for no list ever changes', async () => {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['a://b'] };
  const { answer } = await ask(service, 'modern', 'subscriptions/listen', { notifications });
  assert.equal(answer.status, 200);
  assert.match(answer.text, /"resultType":"complete"/);
});

test('an internal tool cannot be told from a name that does not exist', async () => {
  const key = newApiKey('agk_');
  for (const era of ERAS) {
    for (const headers of [{}, { 'x-agent-key': key }, { 'x-agent-key': 'x' }]) {
      for (const { name } of operatorArea.tools.map(({ tool }) => tool)) {
        const asked = await ask(service, era, 'tools/call', { name, arguments: { limit: 'x' } }, { headers });
        const other = await ask(service, era, 'tools/call', { name: 'zz', arguments: { limit: 'x' } }, { headers });
        assert.equal(asked.answer.text.replaceAll(name, 'zz'), other.answer.text);
        assert.equal(asked.answer.status, other.answer.status);
      }
    }
  }
});

test('whatever is sent to a tool, the answer is a result: bad arguments are named one by one', async () => {
  const { errors, code } = errorOf(await callTool(service, 'create_task', { need: 'x', region: 'FR', colour: 1 }));
  assert.equal(code, 'invalid_parameters');
  assert.deepEqual((errors as { pointer: string }[]).map(({ pointer }) => pointer).toSorted(), [
    '#/colour',
    '#/need',
    '#/region',
  ]);
  const none = errorOf(await callTool(service, 'check_task', {}));
  assert.equal((none['errors'] as { code: string }[])[0]?.code, 'missing');
  const free = LISTED_TOOLS.filter(({ name }) => name !== 'check_counterparty_nl');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...free),
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
      async (tool, args) => {
        const { answer, rpc } = await ask(service, 'legacy', 'tools/call', { name: tool.name, arguments: args });
        assert.equal(answer.status, 200);
        assert.ok(rpc.result !== undefined, answer.text);
      },
    ),
    { numRuns: 100 },
  );
});

test('a tool whose work is not here says so', async () => {
  const { run } = offered(checkTaskTool, undefined);
  const asked = {
    requestId: 'r',
    addressTag: 'a',
    agentKey: undefined,
    header: () => undefined,
    signal: new AbortController().signal,
    meta: {},
  };
  assert.equal((await run({ task_id: `tsk_${'0'.repeat(26)}` }, asked)).code, 'not_available');
});

test('deep, wide and odd frames are refused or answered, never a fault', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`;
  const frames = [deep, nested, 'null', '1', '"x"', '{}', '[[]]', '[null]', '{"jsonrpc":"1.0","id":{},"method":5}'];
  for (const frame of frames) {
    for (const path of ['/mcp/streamable', '/mcp/paid']) {
      const answer = await post(service, frame, { path });
      assert.ok(answer.status < 500, `${answer.status} for ${frame.slice(0, 40)}`);
      assert.equal((answer.json as { jsonrpc?: string }).jsonrpc, '2.0', answer.text.slice(0, 200));
    }
  }
  const meta = { 'io.modelcontextprotocol/protocolVersion': 5, 'x402/payment': [] };
  assert.ok((await ask(service, 'legacy', 'tools/list', {}, { meta })).answer.status < 500);
});

test('the event stream is deprecated, names its successor and ends with the service', async () => {
  const own = await TestService.start();
  const events = await openEvents(own, '/mcp/sse');
  assert.equal(events.headers['deprecation'], '@1743206400');
  assert.equal(events.headers['sunset'], 'Mon, 15 Nov 2027 00:00:00 GMT');
  assert.equal(events.headers['link'], '</mcp/streamable>; rel="successor-version", </entry>; rel="deprecation"');
  const path = /^event: endpoint\ndata: (\/mcp\/messages\?sessionId=[\w-]{24})\n\n$/.exec(await events.next())?.[1];
  assert.equal((await post(own, LIST, { path: path as string })).status, 202);
  assert.match(await events.next(), /^event: message\ndata: \{.*"tools":/);
  assert.equal((await post(own, '{', { path: path as string })).status, 400);
  await own[Symbol.asyncDispose]();
  assert.equal(await events.next(), '');
});

test('from its sunset on the event stream is gone, and its refusal names the successor', async () => {
  const clock = new ManualClock(Date.UTC(2027, 10, 15) - 1);
  await using own = await TestService.start({ clock });
  const answer = () => post(own, LIST, { path: '/mcp/messages?sessionId=none' });
  assert.deepEqual(refusalOf(await answer()), [404, -32_000, 'session_not_found']);
  clock.advance(1);
  for (const gone of [await answer(), await own.call('/mcp/sse')]) {
    assert.deepEqual(refusalOf(gone), [410, -32_000, 'sunset_passed']);
    assert.equal((gone.json as RpcAnswer).error?.data?.['successor'], '/mcp/streamable');
    assert.equal(gone.headers['deprecation'], '@1743206400');
  }
  assert.equal((await post(own, LIST)).status, 200);
});

test('the class mcp lets forty calls pass at once, a batch of n counts n', async () => {
  await using slow = await TestService.start({ clock: new ManualClock(), env: { AVOUCH_RATE_MCP: '10/min,40' } });
  const batch = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  assert.equal((await post(slow, batch)).headers['ratelimit'], '"mcp";r=20;t=120');
  assert.equal((await post(slow, batch)).status, 200);
  const answer = await post(slow, LIST);
  assert.deepEqual(refusalOf(answer), [429, -32_000, 'slow_down']);
  assert.equal((answer.json as RpcAnswer).error?.data?.['retry_after_s'], Number(answer.headers['retry-after']));
});

test('every call leaves one line in the trail, with names and never with values', async () => {
  await using own = await TestService.start();
  await callTool(own, 'verify_astranl', { ref: 'secret-ref' });
  await callTool(own, 'verify_astranl', { reff: 'x' });
  await ask(own, 'legacy', 'tools/call', { name: 'issue_statement', arguments: { statement: 'x' } });
  await ask(own, 'modern', 'tools/list');
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_evidence', arguments: { query: 'x' } },
  };
  await post(own, [call, { ...call, id: 2 }]);
  const folder = join(own.dataDir, 'trail');
  await own.service[Symbol.asyncDispose]();
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ndjson'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');
  assert.doesNotMatch(text, /secret-ref/);
  const lines = text.split('\n').filter((line) => line.includes('"op":"mcp'));
  const shown = lines.map((line) => JSON.parse(line) as { op: string; params: string[]; code: string | null });
  assert.deepEqual(
    shown.map(({ op, params, code }) => [op, params.join(), code]),
    [
      ['mcp:verify_astranl', 'ref', null],
      ['mcp:verify_astranl', '?', 'invalid_parameters'],
      ['mcp:unknown_tool', '', 'unknown_tool'],
      ['mcp:tools/list', '', null],
      ['mcp:get_evidence', '?', 'invalid_parameters'],
      ['mcp:get_evidence', '?', 'invalid_parameters'],
      ['mcp:batch', '', null],
    ],
  );
});
