import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCommandId } from '#kernel/ids.ts';

const STATES = ['blocks.ndjson', 'anvil-state.json'];
const PROMISED = 'instance.next';

/** The name that the chain in this directory has, or will have when it is first started: known before it runs. */
export function promisedChainInstance(directory: string): string {
  const isNew = !STATES.some((file) => existsSync(join(directory, file)));
  const known = readIfThere(join(directory, isNew ? PROMISED : 'instance'));
  if (known !== undefined && known !== '') return known;
  return write(directory, isNew ? PROMISED : 'instance', newCommandId());
}

/** The name of this very chain: payments of a chain that is gone are told apart from those of the one that runs. */
export function chainInstance(directory: string, isNewChain: boolean): string {
  const path = join(directory, 'instance');
  const known = isNewChain ? undefined : readIfThere(path);
  if (known !== undefined && known !== '') return known;
  return write(directory, 'instance', readIfThere(join(directory, PROMISED)) || newCommandId());
}

function write(directory: string, file: string, name: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, file);
  const draft = `${path}.${newCommandId()}.draft`;
  writeFileSync(draft, name, { mode: 0o600, flush: true });
  renameSync(draft, path);
  return name;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
