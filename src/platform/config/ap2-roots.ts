import { readFileSync } from 'node:fs';
import { type Ap2Roots, NO_ROOTS, parseAp2Roots } from '#protocol/ap2/trust.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

const SETTING = 'AVOUCH_AP2_ROOTS_FILE';

/** Trusts nobody where no file is set; a file that cannot be used stops the start. */
export function readAp2Roots({ ap2RootsFile }: Pick<Config, 'ap2RootsFile'>): Ap2Roots {
  if (ap2RootsFile === null) return NO_ROOTS;
  let text: string;
  try {
    text = readFileSync(ap2RootsFile, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`the file that ${SETTING} names cannot be read (${code}): check its path and rights`]);
  }
  try {
    return parseAp2Roots(text);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError([`the file that ${SETTING} names has no certificates and no keys to use: ${message}`]);
  }
}
