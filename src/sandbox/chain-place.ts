import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where in the data directory the chain lies. */
export const CHAIN_FOLDER = 'chain';
const FILE = 'rpc-url';

/** Tells the other processes on this data directory where the one chain of the sandbox answers. */
export function publishChainUrl(directory: string, rpcUrl: string): Disposable {
  const path = join(directory, FILE);
  writeFileSync(path, rpcUrl, { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** Where the chain answers that another process runs; undefined when none does. */
export function publishedChainUrl(directory: string): string | undefined {
  try {
    const url = readFileSync(join(directory, FILE), 'utf8').trim();
    return URL.parse(url)?.hostname === '127.0.0.1' ? url : undefined;
  } catch {
    return undefined;
  }
}
