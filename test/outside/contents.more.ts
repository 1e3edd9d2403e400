// What gets into a package: every file of the small ones by name, and of the service nothing that is not to be published.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Packed } from './packed.ts';

const packed = await Packed.make();
after(() => packed[Symbol.asyncDispose]());

const LISTED = JSON.parse(readFileSync(new URL('contents.json', import.meta.url), 'utf8')) as Record<string, string[]>;
const NEVER = /\.test\.|\/_[^/]+$|\.map$|\.env|\.pem$|\.seed$|\.key$|\.db$|\.log$|node_modules|\.npmrc$/;

function filesOf(name: string): string[] {
  const text = execFileSync('tar', ['-tzf', packed.fileOf(name)], { encoding: 'utf8' });
  return text
    .trimEnd()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
    .toSorted();
}

for (const [name, files] of Object.entries(LISTED)) {
  test(`the package ${name} has the files that are listed, and no other`, () => {
    assert.deepEqual(filesOf(name), files);
  });
}

test('no package has a test, a key, a setting, a database or a map in it', () => {
  for (const name of [...Object.keys(LISTED), 'server']) {
    const found = filesOf(name).filter((path) => NEVER.test(path));
    assert.deepEqual(found, [], name);
  }
});
