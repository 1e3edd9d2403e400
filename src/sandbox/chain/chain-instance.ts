import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCommandId } from '#kernel/ids.ts';

/** The name of this very chain: payments of a chain that is gone are told apart from those of the one that runs. */
export function chainInstance(directory: string, isNewChain: boolean): string {
  const path = join(directory, 'instance');
  const known = isNewChain ? undefined : readIfThere(path);
  if (known !== undefined && known !== '') return known;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const made = newCommandId();
  const draft = `${path}.${made}.draft`;
  writeFileSync(draft, made, { mode: 0o600, flush: true });
  renameSync(draft, path);
  return made;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
