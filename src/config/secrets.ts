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
    passphrase = readFileSync(keyPassphraseFile, 'utf8').replace(/\n$/, '');
  } catch {
    throw new ConfigError(['AVOUCH_KEY_PASSPHRASE_FILE cannot be read']);
  }
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw new ConfigError([`AVOUCH_KEY_PASSPHRASE_FILE must hold at least ${SHORTEST_PASSPHRASE} characters`]);
  }
  return { keyPassphrase: new Secret(passphrase) };
}
