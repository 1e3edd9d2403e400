// The linter with the project's own rules finds defects that were planted: with an interface of the compiler that it no
// longer understands it would find none, and pass.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/child-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const PLANTED = `import { other } from './other.ts';

export type Colour = 'red' | 'green';

async function paint(colour: Colour): Promise<void> {
  await Promise.resolve(other(colour));
}

export function floating(): void {
  paint('red');
}

export function ignored(colours: readonly Colour[]): void {
  colours.forEach(async (colour) => {
    await paint(colour);
  });
}

export function partial(colour: Colour): string {
  switch (colour) {
    case 'red':
      return 'r';
  }
  return '';
}

export function long(): number {
  let count = 0;
${'  count += 1;\n'.repeat(80)}  return count;
}
`;
const OTHER = `import { type Colour, partial } from './planted.ts';

export const other = (colour: Colour) => partial(colour);
`;
const COMPILER = { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, allowImportingTsExtensions: true };

test('the linter finds a floating promise, an async callback, an open switch, an import circle and a long function', async (t) => {
  const folder = await temporaryDirectory();
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...COMPILER, types: [] } }));
  writeFileSync(join(folder, 'src/planted.ts'), PLANTED);
  writeFileSync(join(folder, 'src/other.ts'), OTHER);
  const bin = join(ROOT, 'node_modules/.bin');
  const { status, stdout, stderr } = spawnSync(join(bin, 'oxlint'), ['--type-aware', '--format', 'json', 'src'], {
    cwd: folder,
    // There it finds the part that knows types.
    env: { PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  assert.equal(status, 1, stdout + stderr);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  assert.deepEqual(diagnostics.map(({ code, filename }) => `${filename} ${code}`).toSorted(), [
    'src/other.ts import(no-cycle)',
    'src/planted.ts eslint(max-lines-per-function)',
    'src/planted.ts import(no-cycle)',
    'src/planted.ts typescript(no-floating-promises)',
    'src/planted.ts typescript(no-misused-promises)',
    'src/planted.ts typescript(switch-exhaustiveness-check)',
  ]);
});
