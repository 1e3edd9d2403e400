import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version of this release, as package.json states it. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const SOURCE = fileURLToPath(new URL('.', import.meta.url));
let build: Promise<string> | undefined;

/** Names the program that runs by what its files and the versions of its packages are; read once. */
export function buildId(): Promise<string> {
  build ??= digestOfFiles();
  return build;
}

async function digestOfFiles(): Promise<string> {
  const names = (await readdir(SOURCE, { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const files = names.filter((name) => !name.endsWith('.test.ts')).toSorted();
  const digest = createHash('sha256').update(await readFile(join(SOURCE, '../package-lock.json')));
  for (const name of files) digest.update(`\0${name}\0`).update(await readFile(join(SOURCE, name)));
  return digest.digest('hex').slice(0, 16);
}
