import { promises, readFileSync } from 'node:fs';
import { sha256Hex } from '#kernel/ids.ts';

/** The version of this release, as package.json states it. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

const SOURCE = new URL('./', import.meta.url);
let build: Promise<string> | undefined;

/** Names the program that runs by what its files and the versions of its packages are; read once. */
export function buildId(): Promise<string> {
  build ??= digestOfFiles();
  return build;
}

async function digestOfFiles(): Promise<string> {
  const names = (await promises.readdir(SOURCE, { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const files = names.filter((name) => !name.endsWith('.test.ts')).toSorted();
  const digests: string[] = [];
  for (const name of ['../package-lock.json', ...files]) {
    digests.push(`${sha256Hex(await promises.readFile(new URL(name, SOURCE), 'utf8'))} ${name}`);
  }
  return sha256Hex(digests.join('\n')).slice(0, 16);
}
