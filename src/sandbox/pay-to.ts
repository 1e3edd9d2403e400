import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from '#kernel/ids.ts';
import { type Hex, hexOf, isAddress } from '#protocol/payment/hex.ts';

const FILE = 'sandbox-pay-to';

/** The account that test money goes to. Nobody has its key: nothing is ever paid out of it. */
export function ensureSandboxPayTo(dataDir: string): Hex {
  const known = sandboxPayTo(dataDir);
  if (known !== undefined) return known;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(dataDir, FILE), `${hexOf(randomBytes(20))}\n`, { flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const made = sandboxPayTo(dataDir);
  if (made === undefined) throw new Error(`${FILE} is damaged: remove it and a new one is made`);
  return made;
}

/** The account that a sandbox with this data directory made, if one did. */
export function sandboxPayTo(dataDir: string): Hex | undefined {
  try {
    const text = readFileSync(join(dataDir, FILE), 'utf8').trim();
    return isAddress(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
