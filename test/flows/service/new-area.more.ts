// A copy of the service with one more area: its folder, and its import and its line in areas.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ChildService, ROOT } from '../../support/child-service.ts';
import { Client } from '../../support/client.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const AREA = `
import { answering, type OpenArea, on } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import type { AreaSettings } from '#platform/config/area-settings.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { greet, hello } from './operations.ts';

interface ToySettings {
  readonly greeting: string;
}

interface OpenToy extends OpenArea {
  readonly greeting: string;
  readonly rounds: () => number;
  readonly jobs: readonly Job[];
}

const SETTINGS: AreaSettings<ToySettings> = {
  settings: [{ name: 'AVOUCH_AREA_TOY_GREETING', fallback: 'Hello', help: 'how the toy greets' }],
  read(text, refuse) {
    const greeting = text('AVOUCH_AREA_TOY_GREETING');
    if (greeting.length > 20) refuse('AVOUCH_AREA_TOY_GREETING must have at most 20 characters');
    return { greeting };
  },
};

export const toyArea = {
  name: 'toy',
  settings: SETTINGS,
  open: openToy,
  operations: [on(hello, ({ greeting, rounds }, { name }) => ({ text: \`\${greeting}, \${name}\`, rounds: rounds() }))],
  tools: [answering(greet, ({ greeting }, { name }) => ({ text: \`\${greeting}, \${name}\` }))],
} satisfies PlatformArea<OpenToy, unknown, ToySettings>;

function openToy(_platform: Platform, _needs: unknown, { greeting }: ToySettings): OpenToy {
  let rounds = 0;
  const run = async () => {
    rounds += 1;
  };
  return { greeting, rounds: () => rounds, jobs: [{ name: 'toy-rounds', everyMs: 20, ownTimer: true, run }] };
}
`;

const OPERATIONS = `
import { z } from 'zod';
import { html } from '#kernel/html.ts';
import { defineOperation, type Site } from '#kernel/operation.ts';
import { defineTool } from '#kernel/tool.ts';
import { heading } from '#web/components.ts';
import { page } from '#web/layout.ts';

const Hello = z.strictObject({ text: z.string(), rounds: z.int() }).meta({ id: 'ToyHello' });
const name = z.string().min(1).max(40).meta({ description: 'Who is greeted' });

function helloHtml({ text }: z.output<typeof Hello>, site: Site): string {
  return page({ title: 'Toy', path: '/v1/toy', section: 'home', body: html\`\${heading(text)}\` }, site);
}

export const hello = defineOperation({
  operationId: 'toy_hello',
  tag: 'discovery',
  method: 'get',
  path: '/v1/toy',
  summary: 'A greeting',
  description: 'Greets whoever is named.',
  input: z.strictObject({ name }),
  output: Hello,
  effects: false,
  access: 'none',
  price: null,
  rate: 'crossing-read',
  cache: 'no-store',
  problems: [],
  pages: { html: helloHtml, markdown: ({ text }) => \`# \${text}\\n\` },
  examples: [{ name: 'greeting', input: { name: 'Ada' }, output: { text: 'Hello, Ada', rounds: 1 } }],
});

export const greet = defineTool({
  name: 'toy_greet',
  title: 'Greet',
  description: 'Greets whoever is named.',
  input: z.strictObject({ name }),
  output: z.strictObject({ text: z.string() }),
});
`;

/** What a start reads of the repository. */
const COPIED = [
  'src',
  'bin',
  'docs',
  'client',
  'scripts',
  'verify',
  'contracts',
  'test/vectors',
  'README.md',
  'package.json',
];

async function copyWithToy(): Promise<string> {
  const copy = await temporaryDirectory();
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'src/areas/toy'));
  writeFileSync(join(copy, 'src/areas/toy/area.ts'), AREA);
  writeFileSync(join(copy, 'src/areas/toy/operations.ts'), OPERATIONS);
  const list = join(copy, 'src/areas.ts');
  const text = readFileSync(list, 'utf8').replace(
    '  operator: operatorArea,\n',
    '  operator: operatorArea,\n  toy: toyArea,\n',
  );
  writeFileSync(list, `import { toyArea } from '#areas/toy/area.ts';\n${text}`);
  return copy;
}

suite('an area that is added', () => {
  const client = new Client();
  let copy = '';
  let service: ChildService;
  before(async () => {
    copy = await copyWithToy();
    const env = { DATA_DIR: join(copy, 'data'), PORT: '0', AVOUCH_AREA_TOY_GREETING: 'Hoi' };
    service = await ChildService.start(env, ['serve'], join(copy, 'bin/avouch.mjs'));
  });
  after(async () => {
    client.close();
    await service.end('SIGTERM');
  });

  test('answers its operation as JSON and as a page, with the setting it was given', async () => {
    const { json } = await client.call(service.url, '/v1/toy?name=Ada');
    assert.equal(json['text'], 'Hoi, Ada');
    const { text } = await client.call(service.url, '/v1/toy?name=Ada', { headers: { accept: 'text/html' } });
    assert.match(text, /<h1[^>]*>Hoi, Ada<\/h1>/);
    const refused = await client.call(service.url, '/v1/toy');
    assert.equal(refused.json['code'], 'invalid_parameters');
  });

  test('has its job run', async () => {
    await until(
      'the job of the area has run',
      async () => Number((await client.call(service.url, '/v1/toy?name=Ada')).json['rounds']) > 0,
    );
  });

  test('has its tool listed and called', async () => {
    const ask = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      return (await client.call(service.url, '/mcp/streamable', { method: 'POST', headers, body })).text;
    };
    assert.match(await ask('tools/list', {}), /"name":"toy_greet"/);
    assert.match(await ask('tools/call', { name: 'toy_greet', arguments: { name: 'Ada' } }), /Hoi, Ada/);
  });

  test('stands in the documents', async () => {
    const openApi = await client.call(service.url, '/openapi.json');
    assert.ok('/v1/toy' in (openApi.json['paths'] as object));
    assert.match((await client.call(service.url, '/mcp/tools.json')).text, /toy_greet/);
  });

  test('has its setting listed, a wrong one refused at the start, and an unknown one in production', () => {
    const avouch = (args: readonly string[], env: Record<string, string>) =>
      execFileSync(process.execPath, [join(copy, 'bin/avouch.mjs'), ...args], {
        env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(copy, 'other'), PORT: '0', ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    assert.match(avouch(['config'], {}), /^AVOUCH_AREA_TOY_GREETING +Hello +default +how the toy greets$/m);
    assert.throws(() => avouch(['serve'], { AVOUCH_AREA_TOY_GREETING: 'x'.repeat(30) }), /at most 20 characters/);
    for (const name of ['AVOUCH_AREA_TOY_COLOUR', 'AVOUCH_AREA_NOBODY_COLOUR']) {
      const inProduction = { AVOUCH_PROFILE: 'production', [name]: 'red' };
      assert.throws(() => avouch(['config'], inProduction), new RegExp(`${name} is not a setting`));
    }
  });
});
