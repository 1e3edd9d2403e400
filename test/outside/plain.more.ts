// The client as somebody uses it who has never seen the checkout.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';
import { Packed, type Project } from './packed.ts';

const packed = await Packed.make(['verify', 'client']);
const project = await packed.project('plain', ['@avouch/client']);
after(async () => {
  if (typeof project !== 'string') project[Symbol.dispose]();
  await packed[Symbol.asyncDispose]();
});
const skip = typeof project === 'string' && project;

const COMPILERS = { 'TypeScript 5.9': 'typescript', 'TypeScript 7': 'typescript-7' } as const;
const RESOLUTIONS = {
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
} as const;
const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--types', 'node'];

/** The first block of TypeScript of a document. */
function snippetOf(path: string): string {
  const block = /```ts\n([\s\S]*?)\n```/.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1];
  assert.ok(block !== undefined, `${path} has no TypeScript`);
  return block;
}

const CLAIM = `import { avouchClient, withLease } from '@avouch/client';

const client = avouchClient({ baseUrl: process.argv[2]! });
const claimed = await client.claim({ key: 'acme/outside#1', agent: 'scout-1', mode: 'exclusive' });
if (!claimed.ok) throw new Error(JSON.stringify(claimed));
const fence: number = claimed.value.fence;
const many = await client.claim({ key: ['acme/outside#2', 'acme/outside#3'], agent: 'scout-1' });
const leases: number = many.ok ? many.value.leases.length : 0;
const key: string = await withLease(client, { key: 'acme/outside#4', agent: 'scout-1' }, (held) => held.key);
console.log(JSON.stringify({ fence, leases, key }));
`;

suite('the packed client in an empty project', { skip }, () => {
  const outside = project as Project;
  const run = (command: string, ...args: string[]) => outside.run(command, ...args);
  let service: TestService;
  before(async () => {
    service = await TestService.start();
    const printed = (path: string) => snippetOf(path).replaceAll('http://127.0.0.1:8402', service.url);
    outside.write('claim.ts', CLAIM);
    outside.write('readme.ts', printed('README.md'));
    outside.write('package-readme.ts', printed('packages/client/README.md'));
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [compiler, name] of Object.entries(COMPILERS)) {
    for (const [resolution, options] of Object.entries(RESOLUTIONS)) {
      test(`has no error of types in ${compiler} with ${resolution}, libraries checked too`, async () => {
        const files = ['claim.ts', 'readme.ts', 'package-readme.ts'];
        await run('node', `node_modules/${name}/bin/tsc`, ...STRICT, ...options, ...files);
      });
    }
  }

  test('runs on the Node of the machine and on the one that the checkout carries', async () => {
    await run('node', 'node_modules/typescript/bin/tsc', ...STRICT.slice(1), '--module', 'nodenext', 'claim.ts');
    const first = JSON.parse((await run('node', 'claim.js', service.url)).stdout) as Record<string, unknown>;
    assert.equal(typeof first['fence'], 'number');
    assert.equal(first['leases'], 2);
    await run(process.execPath, 'readme.ts');
    await run(process.execPath, 'package-readme.ts');
  });

  test('names nothing of the service, and is small', async () => {
    const { stdout } = await run('grep', '-rlE', 'src/|zod|node:', 'node_modules/@avouch/client/dist').catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, '');
    const bytes = statSync(packed.fileOf('client')).size;
    assert.ok(bytes < 60 * 1_024, `${bytes} bytes`);
  });

  test('passes the checks of publint and of attw', async () => {
    await run('node_modules/.bin/publint', '--strict', 'node_modules/@avouch/client');
    await run('node_modules/.bin/publint', '--strict', 'node_modules/@avouch/verify');
    for (const name of ['client', 'verify']) {
      await run('node_modules/.bin/attw', '--profile', 'esm-only', packed.fileOf(name));
    }
  });
});
