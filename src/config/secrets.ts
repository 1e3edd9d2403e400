import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from './config.ts';
import { Secret } from './secret.ts';

/** Kept apart from the configuration, so that printing that one can never show them. */
export interface Secrets {
  readonly keyPassphrase: Secret | null;
}

const SHORTEST_PASSPHRASE = 12;

export function readSecrets(config: Config): Secrets {
  const { keyPassphraseFile } = config;
  if (keyPassphraseFile === null) return { keyPassphrase: null };
  let passphrase: string;
  try {
    passphrase = readFileSync(keyPassphraseFile, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const file = 'the file that AVOUCH_KEY_PASSPHRASE_FILE names';
    throw new ConfigError([`${file} cannot be read (${code}): check its path and rights`]);
  }
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    const rule = `must hold a passphrase of at least ${SHORTEST_PASSPHRASE} characters`;
    throw new ConfigError([`the file that AVOUCH_KEY_PASSPHRASE_FILE names ${rule}`]);
  }
  return { keyPassphrase: new Secret(passphrase) };
}
