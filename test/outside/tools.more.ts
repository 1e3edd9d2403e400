// The packed tools where no framework is installed, and their MCP server on the Node of the machine.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { TOOL_TABLE } from '../../src/areas/connect/tools/tool-table.ts';
import type { ToolAnswer } from '../support/mcp.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Packed, type Project } from './packed.ts';
import { WireTap } from './wire-tap.ts';

const packed = await Packed.make(['verify', 'client', 'tools']);
const project = await packed.project('plain', ['@avouch/tools']);
after(async () => {
  if (typeof project !== 'string') project[Symbol.dispose]();
  await packed[Symbol.asyncDispose]();
});
const skip = typeof project === 'string' && project;

const PROGRAM = `import { avouchToolbox, type Refused } from '@avouch/tools';

const box = avouchToolbox({ baseUrl: process.argv[2]!, agent: 'scout-1' });
const claim = box.tools.find(({ name }) => name === 'avouch_claim');
const granted = await claim?.run({ key: 'acme/plain#1' });
const written: string | Refused = await box.guard({ key: 'file:plain' }, {}, async () => 'written');
const fences: number[] = box.leases().map(({ fence }) => fence);
await box.close();
console.log(JSON.stringify({ granted, written, fences }));
`;
const STRICT = ['--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--types', 'node'];
const COMPILERS = { 'TypeScript 5.9': 'typescript', 'TypeScript 7': 'typescript-7' } as const;
const RESOLUTIONS = {
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
} as const;

interface Host {
  listTools(): Promise<{ readonly tools: readonly unknown[] }>;
  callTool(of: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const ME = { name: 'test', version: '1.0.0' };
const newer = (mode: VersionNegotiationMode) => async (started: Started) => {
  const client = new Client(ME, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(started));
  return client;
};
const HOSTS: Readonly<Record<string, (started: Started) => Promise<Host>>> = {
  'version 2': newer('auto'),
  'version 2, legacy': newer('legacy'),
  'version 1': async (started) => {
    const client = new OldClient(ME);
    await client.connect(new OldStdio(started));
    return client;
  },
};

interface Started {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
}

suite('the packed tools in an empty project', { skip }, () => {
  const outside = project as Project;
  const run = (command: string, ...args: string[]) => outside.run(command, ...args);
  const bin = () => join(outside.folder, 'node_modules/.bin/avouch-mcp');
  let service: TestService;
  let node: string;
  before(async () => {
    service = await TestService.start();
    outside.write('program.ts', PROGRAM);
    node = (await run('node', '-p', 'process.execPath')).stdout.trim();
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [compiler, name] of Object.entries(COMPILERS)) {
    for (const [resolution, options] of Object.entries(RESOLUTIONS)) {
      test(`have no error of types in ${compiler} with ${resolution}, libraries checked too`, async () => {
        await run('node', `node_modules/${name}/bin/tsc`, '--noEmit', ...STRICT, ...options, 'program.ts');
      });
    }
  }

  test('run on the Node of the machine, and leave nothing held', async () => {
    await run('node', 'node_modules/typescript/bin/tsc', ...STRICT, '--module', 'nodenext', 'program.ts');
    const { stdout } = await run('node', 'program.js', service.url);
    const { granted, written, fences } = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal((granted as Record<string, unknown>)['granted'], true);
    assert.equal(written, 'written');
    assert.equal((fences as number[]).length, 1);
    assert.deepEqual(await holdersOf('acme/plain#1'), []);
  });

  test('pass the checks of publint and of attw, and are small', async () => {
    await run('node_modules/.bin/publint', '--strict', 'node_modules/@avouch/tools');
    await run('node_modules/.bin/attw', '--profile', 'esm-only', packed.fileOf('tools'));
    const bytes = statSync(packed.fileOf('tools')).size;
    assert.ok(bytes < 30 * 1_024, `${bytes} bytes`);
  });

  const holdersOf = async (key: string) =>
    (await service.call(`/v1/look?key=${encodeURIComponent(key)}`)).json['holders'] as readonly unknown[];

  for (const [name, open] of Object.entries(HOSTS)) {
    test(`the official client (${name}) starts what /connect prints for a host that takes commands`, async () => {
      const { json } = await service.call('/connect?host=claude-desktop&agent=scout-1');
      const { avouch } = json['mcpServers'] as { readonly avouch: Started };
      const args = avouch.args.map((word) => (word.startsWith('http') ? service.url : word));
      const host = await open({ command: avouch.command, args, cwd: outside.folder });
      const { tools } = await host.listTools();
      assert.equal(tools.length, TOOL_TABLE.length);
      await host.close();
    });

    test(`avouch-mcp gives the official client (${name}) the tools, keeps its secrets and releases at the end`, async () => {
      const key = `file:${name}`;
      const body = { key: `${key}/taken`, agent: 'other-1', mode: 'exclusive' };
      await service.call('/v1/claim', { method: 'POST', body });
      await using tap = await WireTap.before(service.url);
      const host = await open({ command: node, args: [bin(), '--url', tap.url, '--agent', 'scout-1'] });
      const { tools } = await host.listTools();
      const listed = tools as readonly { name: string; description: string; inputSchema: unknown }[];
      assert.deepEqual(
        listed.map(({ name: tool, description, inputSchema }) => ({ name: tool, description, inputSchema })),
        TOOL_TABLE.map(({ name: tool, description, inputSchema }) => ({ name: tool, description, inputSchema })),
      );
      const seen: unknown[] = [tools];
      const call = async (tool: string, args: Record<string, unknown>) => {
        const answer = (await host.callTool({ name: tool, arguments: args })) as ToolAnswer;
        seen.push(answer);
        assert.equal(answer.content[0]?.text, JSON.stringify(answer.structuredContent));
        return answer;
      };
      const granted = await call('avouch_claim', { key });
      assert.deepEqual([granted.isError, granted.structuredContent?.['granted']], [undefined, true]);
      const refused = await call('avouch_claim', { key: `${key}/taken` });
      assert.deepEqual([refused.isError, refused.structuredContent?.['refused']], [true, 'held']);
      await call('avouch_seal', { statement: 'Done.' });
      await assert.rejects(host.callTool({ name: 'avouch_nothing', arguments: {} }), /Unknown tool/);
      assert.equal((await holdersOf(key)).length, 1);
      await host.close();
      await until('the release', async () => (await holdersOf(key)).length === 0);
      assert.ok(tap.secrets.size >= 2, `${tap.secrets.size} secrets`);
      for (const secret of tap.secrets) assert.ok(!JSON.stringify(seen).includes(secret));
    });
  }

  test('avouch-mcp keeps seals with their seeds in files of their owner', async () => {
    const folder = join(outside.folder, 'seals');
    const args = [bin(), '--url', service.url, '--agent', 'scout-1', '--seals', folder];
    const host = await newer('auto')({ command: node, args });
    await host.callTool({ name: 'avouch_seal', arguments: { statement: 'Done.' } });
    await host.close();
    const [file = ''] = readdirSync(folder);
    assert.match(file, /^ATT-[A-Z2-7]{52}\.seal\.json$/);
    assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
    const seal = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
    assert.equal(typeof seal['disclosure_seed'], 'string');
  });

  test('avouch-mcp says what is missing and how it is called, also by the name of its package', async () => {
    const calls: readonly (readonly [command: string[], message: RegExp])[] = [
      [['node', bin(), '--url', service.url], /^Missing option: --agent\n\nUsage: avouch-mcp/],
      [['node', bin(), '--agent', 'scout-1'], /^Missing option: --url\n/],
      [['node', bin(), '--colour', 'red'], /--colour/],
      [['npx', '-y', '@avouch/tools', '--agent', 'scout-1'], /Missing option: --url\n/],
    ];
    for (const [[command = '', ...args], message] of calls) {
      await assert.rejects(run(command, ...args), (error: { code: number; stderr: string }) => {
        assert.equal(error.code, 2);
        assert.match(error.stderr, message);
        return true;
      });
    }
  });
});
