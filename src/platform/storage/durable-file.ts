import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { newCommandId } from '#kernel/ids.ts';

/** The text of a file; undefined where there is none. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a small file: after a crash it holds the old text or the new one, after the return the new one. */
export function replaceDurably(path: string, text: string): void {
  const draft = `${path}.${newCommandId()}.draft`;
  try {
    synced(draft, 'wx', (handle) => writeSync(handle, text));
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  synced(dirname(path), 'r', () => {});
}

function synced(path: string, flags: string, work: (handle: number) => void): void {
  const handle = openSync(path, flags, 0o600);
  try {
    work(handle);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
