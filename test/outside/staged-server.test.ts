// What the packed service and the image say of their own commands: neither has the scripts of a checkout.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { calledAs, IMAGE, PACKAGE, packagedDoor } from '../../scripts/pack/stage-server.ts';
import { ROOT } from '../support/child-service.ts';

const OF_CHECKOUT = /(?<!import .*)['"`\s(]\.\/avouch(?!-verify)|npm start|npm ci\b/;

const sources = globSync('src/**/*.ts', { cwd: ROOT, exclude: (name) => /\.test\.ts$|^_/.test(name) });

function linesFor(program: typeof PACKAGE): string[] {
  return sources.flatMap((file) =>
    calledAs(program, readFileSync(join(ROOT, file), 'utf8'), file)
      .split('\n')
      .filter((line) => OF_CHECKOUT.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

test('the packed service names its own command wherever a checkout names ./avouch or npm start', () => {
  assert.ok(sources.length > 500, `${sources.length} sources`);
  assert.deepEqual(linesFor(PACKAGE), []);
  const help = readFileSync(join(ROOT, 'src/cli/line/help.ts'), 'utf8');
  assert.match(calledAs(PACKAGE, help, 'src/cli/line/help.ts'), /Usage: npx @avouch\/server <command>/);
});

test('the image names the command that runs in it to operators, and its pages leave callers the one of a checkout', () => {
  const named = linesFor(IMAGE);
  assert.deepEqual(
    named.filter((line) => /^src\/(?:cli|platform)\//.test(line)),
    [],
  );
  assert.ok(named.some((line) => line.startsWith('src/areas/discovery/')));
});

test('no printed command runs a package whose name on npm is not ours', () => {
  const found = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bnpx (?!-y @avouch\/|@avouch\/)\S+/g)].map(
      ([text]) => `${file}: ${text}`,
    ),
  );
  assert.deepEqual(found, []);
});

test('the door of the package says what to install there, and loads its JavaScript', () => {
  const door = packagedDoor();
  assert.match(door, /install this package without --omit=optional/);
  assert.match(door, /import\('\.\.\/src\/main\.js'\)/);
  assert.doesNotMatch(door, /npm start|npm ci/);
});
