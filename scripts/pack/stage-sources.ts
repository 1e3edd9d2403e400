import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { CHECKOUT } from './checkout-files.ts';

/** Specifiers of files of ours, which are `.js` once their types are stripped. */
const OWN_FILE = /(['"`])((?:\.{1,2}\/|#)[^'"`\n]*)\.ts\1/g;

/** Puts files of the checkout into a package, at their paths: Node strips no types below node_modules. */
export function stageSources(
  folder: string,
  files: Iterable<string>,
  rewritten = (text: string, _file: string) => text,
): void {
  for (const file of files) {
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (file.endsWith('.ts')) writeFileSync(target, rewritten(javascriptOf(file), file));
    else cpSync(join(CHECKOUT, file), target);
  }
}

/** Positions stay, so that the lines of an error are those of the source. */
function javascriptOf(file: string): string {
  const stripped = stripTypeScriptTypes(readFileSync(join(CHECKOUT, file), 'utf8'));
  return stripped.replaceAll(OWN_FILE, '$1$2.js$1').replaceAll(/[ \t]+$/gm, '');
}

/** The file and all that it imports of the checkout, at once or later; what is left out is not followed. */
export function importedBy(entry: string, leftOut: ReadonlySet<string> = new Set()): Set<string> {
  const found = new Set<string>();
  const follow = (file: string): void => {
    if (found.has(file) || leftOut.has(file)) return;
    found.add(file);
    if (!/\.m?[jt]s$/.test(file)) return;
    const text = readFileSync(join(CHECKOUT, file), 'utf8');
    const code = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
    for (const specifier of specifiersIn(file, code)) {
      if (specifier.startsWith('#')) follow(`src/${specifier.slice(1)}`);
      else if (specifier.startsWith('.')) follow(normalize(join(dirname(file), specifier)));
    }
  };
  follow(entry);
  return found;
}

function specifiersIn(file: string, code: string): string[] {
  const { module } = parseSync(file.replace(/\.ts$/, '.js'), code);
  const fixed = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const later = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^'([^']+)'$/.exec(code.slice(start, end));
    return literal?.[1] ?? [];
  });
  return [...fixed, ...passedOn, ...later];
}
