import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EXTRAS_FOLDER, extraFolder, readExtras } from '#platform/config/extras.ts';
import { extrasIn } from './extras.ts';
import { Output } from './line/output.ts';
import { UsageError } from './line/spec.ts';

const folder = mkdtempSync(join(tmpdir(), 'avouch-test-extras-'));
after(() => rmSync(folder, { recursive: true }));

const MANIFEST = {
  name: 'x',
  version: '1.0.0',
  description: 'Does a thing',
  dependencies: { one: '1.0.0', two: '2.0.0' },
};

function writeManifest(path: string, manifest: object): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
}

async function run(action: 'list' | 'install', ...operands: string[]) {
  let [out, err] = ['', ''];
  const terminal = { env: {}, out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const given = { operands, values: {}, lists: {}, flags: new Set<string>() };
  const code = await extrasIn(folder)[action](given, new Output(terminal, false));
  return { code, out, err };
}

test('an extra is listed with its state and versions, and used only when it is whole', async () => {
  writeManifest('thing', MANIFEST);
  const line = async () => (await run('list')).out;
  assert.equal(await line(), 'thing: not installed (one 1.0.0, two 2.0.0). Does a thing.\n');
  writeManifest('thing/node_modules/one', { version: '1.0.0' });
  assert.equal(await line(), 'thing: incomplete (one 1.0.0, two missing). Does a thing.\n');
  writeManifest('thing/node_modules/two', { version: '1.9.0' });
  assert.equal(await line(), 'thing: incomplete (one 1.0.0, two 1.9.0). Does a thing.\n');
  assert.equal(extraFolder('thing', folder), null);
  writeManifest('thing/node_modules/two', { version: '2.0.0' });
  assert.equal(await line(), 'thing: installed (one 1.0.0, two 2.0.0). Does a thing.\n');
  assert.equal(extraFolder('thing', folder), join(folder, 'thing'));
  assert.deepEqual(await run('install', 'thing'), { code: 0, out: await line(), err: '' });
});

test('an install that fails says what npm said and leaves nothing half done', async () => {
  // Without a lockfile npm refuses before it asks anybody.
  writeManifest('unlocked', MANIFEST);
  writeManifest('unlocked/node_modules/one', { version: '1.0.0' });
  await assert.rejects(run('install', 'unlocked'), /The extra unlocked could not be installed\. npm: [\s\S]*EUSAGE/);
  assert.equal(existsSync(join(folder, 'unlocked/node_modules')), false);
});

test('installing an extra that does not exist is a usage error that names those that do', async () => {
  await assert.rejects(
    run('install', 'banana'),
    (error) => error instanceof UsageError && /Known: thing, unlocked\.$/.test(error.message),
  );
});

test('every shipped extra has exact versions, and a lockfile with hashes and without hosts', () => {
  const shipped = readExtras();
  assert.deepEqual(
    shipped.map(({ name }) => name),
    ['ocr'],
  );
  for (const { name, packages } of shipped) {
    const text = readFileSync(join(EXTRAS_FOLDER, name, 'package-lock.json'), 'utf8');
    const locked = (JSON.parse(text) as { packages: Record<string, { version?: string; integrity?: string }> })
      .packages;
    assert.doesNotMatch(text, /https?:/);
    for (const one of packages) assert.equal(locked[`node_modules/${one.name}`]?.version, one.wanted);
    for (const [path, { integrity }] of Object.entries(locked)) {
      if (path !== '') assert.match(integrity ?? '', /^sha512-/, path);
    }
  }
});
