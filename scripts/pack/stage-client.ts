import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout-files.ts';

/** Without Node's types, unless they are named: the client runs wherever there is fetch. */
const OPTIONS = [
  ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
  ...['--strict', '--rewriteRelativeImportExtensions', '--verbatimModuleSyntax', '--skipLibCheck'],
  '--ignoreConfig',
];
/** Each comment once: in the types, where editors show it. */
const OUTPUTS = [['--declaration', '--emitDeclarationOnly'], ['--removeComments']] as const;

export function stageClient(folder: string): void {
  compile(folder, join(CHECKOUT, 'client'), (text) => text.replace('../verify/avouch-verify.mjs', '@avouch/verify'));
  // It is nothing but types, which editors lay out: printed without blanks and without what ends a line twice.
  const types = readFileSync(join(CHECKOUT, 'client/types.ts'), 'utf8');
  writeFileSync(join(folder, 'dist/types.d.ts'), types.replaceAll(/^ +|;$/gm, ''));
}

/** Compiles the sources of a package into its `dist`, from one folder or several; each is rewritten first, where it names a file of the checkout. */
export function compile(
  folder: string,
  sources: string | readonly string[],
  rewritten: (text: string) => string = (text) => text,
  types = '',
): void {
  const staged = join(folder, 'src');
  mkdirSync(staged, { recursive: true });
  const files = [sources].flat().flatMap((source) => {
    const names = readdirSync(source).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    for (const name of names) writeFileSync(join(staged, name), rewritten(readFileSync(join(source, name), 'utf8')));
    return names.map((name) => join('src', name));
  });
  const tsc = join(CHECKOUT, 'node_modules/.bin/tsc');
  try {
    for (const output of OUTPUTS) {
      const args = [...OPTIONS, ...output, '--types', types, '--rootDir', 'src', '--outDir', 'dist', ...files];
      execFileSync(tsc, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    }
  } catch (error) {
    throw new Error(`${folder}: ${(error as { stdout?: string }).stdout ?? ''}`, { cause: error });
  }
  rmSync(staged, { recursive: true });
}
