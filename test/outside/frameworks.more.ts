// The packed tools in projects of five frameworks, each called as the framework calls a tool for a model.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';
import { Packed, type Project } from './packed.ts';
import { WireTap } from './wire-tap.ts';

const FRAMEWORKS = ['ai', 'langchain', 'openai-agents', 'mastra', 'anthropic'] as const;
type Framework = (typeof FRAMEWORKS)[number];
/** Set by `npm run test:outside -- <names>`. */
const named = process.env['OUTSIDE_FRAMEWORKS']?.split(' ').filter(Boolean) ?? [];
for (const name of named) assert.ok((FRAMEWORKS as readonly string[]).includes(name), `no framework ${name}`);

const packed = await Packed.make(['verify', 'client', 'tools']);
let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await packed[Symbol.asyncDispose]();
});

const STRICT = [
  ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--allowImportingTsExtensions'],
  ...['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node', '--pretty', 'false'],
];

/** The block of the README that imports the tools for the framework; what a user has is declared below it. */
function snippetFor(framework: Framework): string {
  const page = readFileSync(join(ROOT, 'packages/tools/README.md'), 'utf8');
  const blocks = Array.from(page.matchAll(/```ts\n([\s\S]*?)\n```/g), ([, block = '']) => block);
  const found = blocks.find((block) => block.includes(`'@avouch/tools/${framework}'`));
  assert.ok(found !== undefined, `README has no snippet for ${framework}`);
  const declared = ['model', 'messages', 'max_tokens', 'instructions'].map((name) => `declare const ${name}: never;`);
  return [found, 'declare const baseUrl: string, agent: string;', ...declared].join('\n');
}

/** Errors in our declarations and in what a user writes; those inside a framework are its own. */
async function typeErrors(outside: Project): Promise<string[]> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await outside
    .run(process.execPath, tsc, ...STRICT, 'program.ts', 'readme.ts')
    .catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => /^(?!node_modules\/(?!@avouch\/)).*error TS/.test(line));
}

interface Printed {
  readonly results: Readonly<Record<string, unknown>>;
  readonly seen: readonly unknown[];
}

/** Some frameworks give a model the text of a result. */
function resultIn(value: unknown): Record<string, unknown> {
  return (typeof value === 'string' ? JSON.parse(value) : value) as Record<string, unknown>;
}

async function holdersOf(key: string): Promise<readonly unknown[]> {
  const { json } = await service.call(`/v1/look?key=${encodeURIComponent(key)}`);
  return json['holders'] as unknown[];
}

async function holdAsOther(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const body = JSON.stringify({ key, agent: 'other-1', mode: 'exclusive', intent: 'Mine.', ttl: 3_600 });
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await service.call('/v1/claim', { method: 'POST', headers, body });
    assert.equal(status, 200, text);
  }
}

for (const framework of FRAMEWORKS.filter((name) => named.length === 0 || named.includes(name))) {
  suite(`the packed tools with ${framework}`, async () => {
    const project = await packed.project(framework, ['@avouch/tools']);
    const skip = typeof project === 'string' && project;
    const outside = project as Project;
    before(() => {
      if (skip !== false) return;
      renameSync(join(outside.folder, 'program.ts.txt'), join(outside.folder, 'program.ts'));
      cpSync(join(ROOT, 'test/outside/agent-scenario.ts.txt'), join(outside.folder, 'agent-scenario.ts'));
      outside.write('readme.ts', snippetFor(framework));
    });
    after(() => {
      if (skip === false) outside[Symbol.dispose]();
    });

    test('have no error of types where the framework is installed, and neither has the README', { skip }, async () => {
      assert.deepEqual(await typeErrors(outside), []);
    });

    test('claim, are refused, guard the tools of others, and never show a secret to the model', { skip }, async () => {
      await holdAsOther(`acme/${framework}#2`, `file:${framework}/taken`);
      await using tap = await WireTap.before(service.url);
      const { stdout } = await outside.run(process.execPath, 'program.ts', tap.url, framework);
      const { results, seen } = JSON.parse(stdout) as Printed;
      const of = (name: string) => resultIn(results[name]);
      assert.equal(of('granted')['granted'], true);
      assert.equal(of('refused')['refused'], 'held');
      assert.ok(Number(of('refused')['wait_s']) > 0);
      const [holder] = of('looked')['holders'] as Record<string, unknown>[];
      assert.deepEqual([holder?.['untrusted_agent'], holder?.['untrusted_intent']], ['other-1', 'Mine.']);
      assert.deepEqual([of('sealed')['verdict'], of('sealed')['valid']], ['ACCEPT', true]);
      assert.match(JSON.stringify(results['written']), new RegExp(`written ${framework}/free`));
      assert.equal(of('kept')['refused'], 'held');
      assert.equal(results['paid'], 'paid 5');
      assert.equal(of('stopped')['refused'], 'STOP');
      // The forgotten lease, that of the guarded tool, and the seed of the seal.
      assert.ok(tap.secrets.size >= 4, `${tap.secrets.size} secrets`);
      assert.match(JSON.stringify(seen), /avouch_claim/);
      for (const secret of tap.secrets) assert.ok(!stdout.includes(secret), secret);
      assert.deepEqual(await holdersOf(`acme/${framework}#1`), []);
      assert.deepEqual(await holdersOf(`file:${framework}/free`), []);
    });
  });
}
