// The official clients as referees: whatever they refuse, other programs refuse too.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OldSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldStreamable } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { listedTools } from '../../src/areas.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { ToolAnswer } from '../support/mcp.ts';

const LISTED_TOOLS = listedTools();

const ME = { name: 'test', version: '1.0.0' };
const KVK = { kvk_number: '90000001' };

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service[Symbol.asyncDispose]());

interface Caller {
  listTools(): Promise<{ readonly tools: readonly unknown[] }>;
  callTool(of: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const at = (path: string) => new URL(path, service.url);

async function newer(mode: VersionNegotiationMode, path: string): Promise<Caller & { revision: string | undefined }> {
  const client = new Client(ME, { versionNegotiation: { mode } });
  const isSse = path.endsWith('sse');
  await client.connect(isSse ? new SSEClientTransport(at(path)) : new StreamableHTTPClientTransport(at(path)));
  return Object.assign(client, { revision: client.getNegotiatedProtocolVersion() });
}

async function older(path: string): Promise<Caller & { revision?: string }> {
  const client = new OldClient(ME);
  await client.connect(path.endsWith('sse') ? new OldSse(at(path)) : new OldStreamable(at(path)));
  return client;
}

const CLIENTS: readonly (readonly [
  name: string,
  open: () => Promise<Caller & { revision?: string | undefined }>,
  string?,
])[] = [
  ['version 2, legacy', () => newer('legacy', '/mcp/streamable'), '2025-11-25'],
  ['version 2, auto', () => newer('auto', '/mcp/streamable'), '2026-07-28'],
  ['version 2, pinned', () => newer({ pin: '2026-07-28' }, '/mcp/streamable'), '2026-07-28'],
  ['version 2, events', () => newer('legacy', '/mcp/sse'), '2025-11-25'],
  ['version 1', () => older('/mcp/streamable')],
  ['version 1, events', () => older('/mcp/sse')],
];

for (const [name, open, revision] of CLIENTS) {
  test(`the official client (${name}) lists the tools, calls them and sees their errors`, async () => {
    const client = await open();
    assert.equal(client.revision, revision);
    const { tools } = await client.listTools();
    assert.deepEqual(tools, LISTED_TOOLS);
    // It holds every answer against the output schema that it was told.
    const checked = (await client.callTool({ name: 'check_counterparty_nl', arguments: KVK })) as ToolAnswer;
    assert.equal(checked.structuredContent?.['signed'], false);
    const verified = (await client.callTool({ name: 'verify_astranl', arguments: { ref: '0' } })) as ToolAnswer;
    assert.equal(verified.structuredContent?.['valid'], true);
    const found = (await client.callTool({ name: 'search', arguments: { query: 'lease fence' } })) as ToolAnswer;
    const { results } = found.structuredContent as { results: { id: string; url: string }[] };
    const [first] = results;
    assert.ok(first !== undefined);
    const fetched = (await client.callTool({ name: 'fetch', arguments: { id: first.id } })) as ToolAnswer;
    assert.equal(fetched.structuredContent?.['url'], first.url);
    const wrong = (await client.callTool({ name: 'verify_astranl', arguments: {} })) as ToolAnswer;
    assert.equal(wrong.isError, true);
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /Unknown tool: no_such_tool/);
    await client.close();
  });
}

test('both clients take the challenge of a paid tool as an answer', async () => {
  for (const client of [await older('/mcp/paid'), await newer('auto', '/mcp/paid')]) {
    const { tools } = await client.listTools();
    assert.equal(tools.length, 9);
    const unpaid = (await client.callTool({ name: 'eu_vat_check', arguments: {} })) as ToolAnswer;
    assert.equal(unpaid.isError, true);
    assert.equal(unpaid.structuredContent?.['x402Version'], 2);
    await client.close();
  }
});

test('every tool of open data answers in the form that it was listed with', async () => {
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ...LISTED_TOOLS.flatMap(({ name }) =>
      /^construction_(?!summary)/.test(name) ? [[name, { limit: 3 }] as const] : [],
    ),
    ['construction_summary', {}],
    ['ask_astranl', { question: 'What is a fence?' }],
    ['ground_astranl', { query: 'price of the counterparty check' }],
    ['ground_component', { mpn: 'NE555P' }],
  ];
  for (const client of [await older('/mcp/streamable'), await newer('auto', '/mcp/streamable')]) {
    await client.listTools();
    for (const [name, args] of calls) {
      const { isError, content } = (await client.callTool({ name, arguments: args })) as ToolAnswer;
      assert.equal(isError, undefined, `${name}: ${String(content[0]?.text)}`);
    }
    await client.close();
  }
});

test('a task is made, found by any of its references and proven through the official clients', async () => {
  for (const client of [await older('/mcp/streamable'), await newer('auto', '/mcp/streamable')]) {
    await client.listTools();
    const use = async (name: string, args: Record<string, unknown>) => {
      const { isError, content, structuredContent } = (await client.callTool({ name, arguments: args })) as ToolAnswer;
      assert.equal(isError, undefined, `${name}: ${String(content[0]?.text)}`);
      return structuredContent as Record<string, unknown>;
    };
    const made = await use('create_task', { need: 'show me open bounties over 200 usd' });
    const ended = async () => String((await use('check_task', { task_id: made['task_id'] }))['state']);
    // On a busy machine the first answer comes while it works.
    await until('the end of the task', async () => (await ended()) !== 'working');
    assert.equal(await ended(), 'completed');
    const { task_id, receipt_id, receipt_key } = made;
    const [open, byReceipt, byKey] = [
      await use('check_task', { task_id }),
      await use('check_task', { receipt_id }),
      await use('check_task', { receipt_key }),
    ];
    assert.deepEqual([open['result'], open['result_sha256'], byReceipt['result']], [null, null, null]);
    assert.match(String(byReceipt['result_sha256']), /^[0-9a-f]{64}$/);
    assert.deepEqual([byKey['task_id'], typeof byKey['result']], [task_id, 'object']);
    assert.equal((await use('get_evidence', { task_id }))['chain_ok'], true);
    const { kind, valid } = await use('verify_astranl', { ref: task_id });
    assert.deepEqual([kind, valid], ['task', true]);
    const asked = await use('create_task', { need: 'do something nice' });
    assert.equal(asked['state'], 'input_required');
    const unknown = await client.callTool({ name: 'check_task', arguments: { receipt_key: 'A'.repeat(32) } });
    assert.equal((unknown as ToolAnswer).isError, true);
    await client.close();
  }
});
