import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sha256Hex } from '#kernel/ids.ts';

/** The version of this release, as package.json states it. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const SOURCE = new URL('../', import.meta.url);
const LOCKFILE = '../package-lock.json';
let build: string | undefined;

/** Names the program that runs by what its files and the versions of its packages are; read once. */
export function buildId(): string {
  build ??= digestOfFiles();
  return build;
}

/** In one turn: a file a turn would take as long as a thousand turns of a busy process. */
function digestOfFiles(): string {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  const files = names.filter((name) => !name.endsWith('.test.ts')).toSorted();
  // A package has no lockfile: its own file names its packages then.
  const versions = existsSync(new URL(LOCKFILE, SOURCE)) ? LOCKFILE : '../package.json';
  const lines = [versions, ...files].map((name) => `${sha256Hex(readFileSync(new URL(name, SOURCE), 'utf8'))} ${name}`);
  return sha256Hex(lines.join('\n')).slice(0, 16);
}
