import { readFile, writeFile } from 'node:fs/promises';
import { newToken } from '#kernel/ids.ts';
import { InputError } from './line/spec.ts';

/** Writes a new seed, 32 bytes in base64url, for its owner alone; a key that is there stays as it is. */
export async function createSeedFile(path: string, instead: string): Promise<string> {
  const seed = newToken();
  await writeFile(path, `${seed}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    const isThere = error.code === 'EEXIST';
    throw new InputError(
      isThere ? `${path} already exists. A key is never replaced: ${instead}.` : `Cannot write ${path}.`,
    );
  });
  return seed;
}

/** @param command the command that writes such files */
export async function readSeedFile(file: string, command: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT';
    throw new InputError(
      isMissing ? `${file} does not exist. Create a key with \`${command} ${file}\`.` : `Cannot read ${file}.`,
    );
  });
  if (!/^[\w-]{43}\s*$/.test(text)) {
    throw new InputError(`${file} is not a seed file. Use a file that \`${command}\` wrote.`);
  }
  return text.trim();
}
