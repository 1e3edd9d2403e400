import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { newToken } from '#kernel/ids.ts';
import { createWhole } from '#platform/storage/whole-file.ts';
import { InputError } from './line/spec.ts';

/** Known to this user of this machine only, so that nobody else can compute what is made from it. Created on first use. */
export function hookSecret(env: Readonly<Record<string, string | undefined>>): string {
  const given = env['XDG_STATE_HOME'] ?? '';
  const path = join(isAbsolute(given) ? given : join(homedir(), '.local/state'), 'avouch/hook-secret');
  const secret = (read(path) ?? created(path)).trim();
  if (!/^[\w-]{43}$/.test(secret)) throw new InputError(`${path} is damaged. Remove it, and the next call creates it.`);
  return secret;
}

/** Where another call was faster, its secret is the one. */
function created(path: string): string {
  try {
    createWhole(path, `${newToken()}\n`);
  } catch {
    throw new InputError(`Cannot write ${path}.`);
  }
  return read(path) ?? '';
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new InputError(`Cannot read ${path}.`);
  }
}
