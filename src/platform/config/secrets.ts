import { readFileSync } from 'node:fs';
import { type FacilitatorKey, facilitatorSecret } from '#protocol/payment/facilitator-token.ts';
import { type Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { Secret } from './secret.ts';

/** Kept apart from the configuration, so that printing that one can never show them. */
export interface Secrets {
  readonly keyPassphrase: Secret | null;
  /** Null unless this service settles on the chain in production. */
  readonly settlerKey: Secret | null;
  /** Reads the credential anew, since it may be renewed while the service runs. Null when none is configured. */
  readonly facilitatorAuth: (() => Secret) | null;
  /** Signs a token for each call to the facilitator. */
  readonly facilitatorKey: FacilitatorKey | null;
}

const MIN_PASSPHRASE_LENGTH = 12;

export function readSecrets({ keyPassphraseFile, settlement }: Config): Secrets {
  const keyFile = settlement?.backend === 'chain' ? settlement.settlerKeyFile : null;
  const authFile = settlement?.facilitatorAuthFile ?? null;
  const facilitatorAuth = authFile === null ? null : () => readAuth(authFile);
  facilitatorAuth?.();
  return {
    keyPassphrase: keyPassphraseFile === null ? null : readPassphrase(keyPassphraseFile),
    settlerKey: keyFile === null ? null : readSettlerKey(keyFile),
    facilitatorAuth,
    facilitatorKey: readFacilitatorKey(settlement),
  };
}

function readPassphrase(path: string): Secret {
  const passphrase = textOf('AVOUCH_KEY_PASSPHRASE_FILE', path);
  if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return new Secret(passphrase);
  throw wrong('AVOUCH_KEY_PASSPHRASE_FILE', `must hold a passphrase of at least ${MIN_PASSPHRASE_LENGTH} characters`);
}

function readSettlerKey(path: string): Secret {
  const key = textOf('AVOUCH_SETTLER_KEY_FILE', path).trim();
  if (/^0x[0-9a-fA-F]{64}$/.test(key)) return new Secret(key);
  throw wrong('AVOUCH_SETTLER_KEY_FILE', 'must hold a private key: 0x and 64 hex digits');
}

function readAuth(path: string): Secret {
  const value = textOf('AVOUCH_FACILITATOR_AUTH_FILE', path).trim();
  if (/^[\x21-\x7e][\x20-\x7e]{0,8191}$/.test(value)) return new Secret(value);
  throw wrong('AVOUCH_FACILITATOR_AUTH_FILE', 'must hold one line: the value of an Authorization header');
}

function readFacilitatorKey(settlement: Config['settlement']): FacilitatorKey | null {
  const { facilitatorKeyId: keyId = null, facilitatorKeyFile: file = null } = settlement ?? {};
  if (keyId === null || file === null) return null;
  const privateKey = facilitatorSecret(textOf('AVOUCH_FACILITATOR_KEY_FILE', file).trim());
  if (privateKey !== undefined) return { keyId, privateKey };
  throw wrong('AVOUCH_FACILITATOR_KEY_FILE', 'must hold the base64 of 64 bytes (Ed25519), or a P-256 key in PEM');
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(name, `cannot be read (${code}): check its path and rights`);
  }
}

function wrong(name: string, fault: string): ConfigError {
  return new ConfigError([`the file that ${name} names ${fault}`]);
}
