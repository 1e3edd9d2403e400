import { closeSync, mkdirSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCommandId } from '#kernel/ids.ts';

/** The file of the chain; its first line holds its name. */
export const CHAIN_FILE = 'chain.ndjson';
const PROMISED = 'next-instance';
const NAME = /"instance":"([^"]+)"/;
/** The name stands behind a digest, at the beginning. */
const NAME_WITHIN_BYTES = 256;

/**
 * The name of the chain in this directory, or the one that it will have when it is first started: payments of a chain
 * that is gone are told apart from those of the one that runs.
 */
export function chainInstanceIn(directory: string): string {
  const name = nameIn(directory) ?? promisedIn(directory) ?? promise(directory);
  // Meanwhile the chain may have begun under a promise that was there before this one.
  return nameIn(directory) ?? name;
}

/** After the chain has begun: the next one has another name. */
export function forgetPromise(directory: string): void {
  rmSync(join(directory, PROMISED), { force: true });
}

function nameIn(directory: string): string | undefined {
  const start = Buffer.alloc(NAME_WITHIN_BYTES);
  try {
    const file = openSync(join(directory, CHAIN_FILE), 'r');
    readSync(file, start);
    closeSync(file);
  } catch {
    return undefined;
  }
  return NAME.exec(start.toString())?.[1];
}

function promisedIn(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, PROMISED), 'utf8');
  } catch {
    return undefined;
  }
}

/** Another process may be faster: then its promise holds. */
function promise(directory: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = newCommandId();
  try {
    writeFileSync(join(directory, PROMISED), name, { flag: 'wx', mode: 0o600, flush: true });
    return name;
  } catch {
    return promisedIn(directory) ?? name;
  }
}
