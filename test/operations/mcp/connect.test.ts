import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldStreamable } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { TOOL_TABLE } from '#areas/connect/tools/tool-table.ts';
import { ROOT } from '../../support/child-service.ts';
import { expectProblem } from '../../support/client.ts';
import type { ToolAnswer } from '../../support/mcp.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('connect');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

interface Entry {
  readonly url?: string;
  readonly serverUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly args?: readonly string[];
}

interface Connected {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(of: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const ME = { name: 'test', version: '1.0.0' };
const newer = (mode: VersionNegotiationMode) => async (url: URL, headers: Record<string, string>) => {
  const client = new Client(ME, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
};
const CLIENTS: Readonly<Record<string, (url: URL, headers: Record<string, string>) => Promise<Connected>>> = {
  'version 2': newer('auto'),
  'version 2, legacy': newer('legacy'),
  'version 1': async (url, headers) => {
    const client = new OldClient(ME);
    await client.connect(new OldStreamable(url, { requestInit: { headers } }));
    return client;
  },
};
/** Where each host keeps its servers. */
const SERVERS = {
  'claude-code': 'mcpServers',
  cursor: 'mcpServers',
  vscode: 'servers',
  windsurf: 'mcpServers',
} as const;

async function fileOf(host: string, agent = ''): Promise<Record<string, Record<string, Entry>>> {
  const service = await sharedService();
  const named = agent === '' ? '' : `&agent=${agent}`;
  const answer = statuses.saw(await service.call(`/connect?host=${host}&format=json${named}`));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['cache-control'], 'no-store');
  return answer.json as never;
}

for (const [host, member] of Object.entries(SERVERS)) {
  for (const [name, connect] of Object.entries(CLIENTS)) {
    test(`the official client (${name}) takes the file of ${host}: it lists, claims and releases`, async () => {
      const service = await sharedService();
      const entry = (await fileOf(host))[member]?.['avouch'];
      const address = entry?.url ?? entry?.serverUrl ?? '';
      assert.ok(address.endsWith('/mcp/coordination'), address);
      const client = await connect(new URL(new URL(address).pathname, service.url), entry?.headers ?? {});
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        TOOL_TABLE.map((row) => row.name),
      );
      const key = `connect/${host}#${name.length}${name}`;
      const claimed = (await client.callTool({ name: 'avouch_claim', arguments: { key } })) as ToolAnswer;
      assert.equal(claimed.structuredContent?.['granted'], true, String(claimed.content[0]?.text));
      const released = (await client.callTool({ name: 'avouch_release', arguments: { key } })) as ToolAnswer;
      assert.equal(released.structuredContent?.['released'], true, String(released.content[0]?.text));
      await client.close();
    });
  }
}

test('a host that starts programs gets a command with the address and a name', async () => {
  const entry = (await fileOf('claude-desktop', 'scout-1'))['mcpServers']?.['avouch'];
  const { command, args } = entry ?? {};
  assert.equal(command, 'npx');
  assert.deepEqual(args?.slice(0, 3), ['-y', '@avouch/tools', '--url']);
  assert.match(args?.[3] ?? '', /^https?:\/\//);
  assert.deepEqual(args?.slice(4), ['--agent', 'scout-1']);
});

test('wherever the package is named it is said that it is not published, and what to do', async () => {
  const service = await sharedService();
  const said = 'The package is not on npm yet: build and install it as /docs/client says';
  for (const format of ['json', 'md', 'html']) {
    for (const host of ['', 'host=claude-desktop&']) {
      const { text } = await service.call(`/connect?${host}format=${format}`);
      assert.ok(text.includes('@avouch/tools'), `${host}${format}`);
      assert.ok(text.includes(said), `${host}${format} does not say that the package is not published`);
    }
  }
  const readme = readFileSync(join(ROOT, 'packages/tools/README.md'), 'utf8');
  for (const paragraph of readme.split('\n\n').filter((text) => text.includes('npx'))) {
    assert.match(paragraph, /on npm, which it is not yet/);
  }
});

test('every file has a token that no other has, and the agent name that was asked for', async () => {
  const files = await Promise.all(['cursor', 'cursor', 'vscode'].map((host) => fileOf(host, 'scout-1')));
  const entries = files.map((file) => Object.values(file)[0]?.['avouch'] as Entry);
  assert.equal(new Set(entries.map(({ headers }) => headers?.['X-Crossing-Token'])).size, 3);
  for (const { headers } of entries) {
    assert.match(headers?.['X-Crossing-Token'] ?? '', /^[\w-]{22,86}$/);
    assert.equal(headers?.['X-Avouch-Agent'], 'scout-1');
  }
});

test('without a host there are all five, as JSON and as a page; an unknown one is refused', async () => {
  const service = await sharedService();
  const all = statuses.saw(await service.call('/connect'));
  const { hosts, tools } = all.json as { hosts: { id: string }[]; tools: unknown[] };
  assert.deepEqual(
    hosts.map(({ id }) => id),
    ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'windsurf'],
  );
  assert.equal(tools.length, TOOL_TABLE.length);
  const page = await service.call('/connect', { headers: { accept: 'text/html' } });
  for (const text of ['claude_desktop_config.json', '/mcp/coordination', 'avouch_claim', 'data-copy']) {
    assert.ok(page.text.includes(text), text);
  }
  const one = await service.call('/connect?host=cursor', { headers: { accept: 'text/html' } });
  assert.match(one.text, /X-Crossing-Token/);
  const wrong = statuses.saw(await service.call('/connect?host=emacs&agent=%20'));
  expectProblem(wrong, 400, 'invalid_parameters');
  assert.deepEqual(
    (wrong.json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
    ['#/host', '#/agent'],
  );
});
