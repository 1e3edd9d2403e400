import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519KeyId, ed25519PublicBytes } from '#protocol/ed25519.ts';
import { createWhole } from './whole-file.ts';

export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

export interface KeyFile {
  readonly keyId: string;
  /** Raw public key, base64. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Reads every private key of the directory, by key id; refuses files that others may read or that do not open. */
export function readKeyFiles(directory: string, passphrase: string | undefined): Map<string, KeyFile> {
  const files = new Map<string, KeyFile>();
  for (const name of listKeyFiles(directory)) {
    const file = readKeyFile(join(directory, name), name, passphrase);
    files.set(file.keyId, file);
  }
  return files;
}

/** Makes the key `name`, or reads it where another process has just made it. The file appears whole or not at all. */
export function createKeyFile(directory: string, name: string, passphrase: string | undefined): KeyFile {
  const path = join(directory, `${name}.pem`);
  const { privateKey } = generateKeyPairSync('ed25519');
  const sealed = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  createWhole(path, privateKey.export({ type: 'pkcs8', format: 'pem', ...sealed }));
  return readKeyFile(path, `${name}.pem`, passphrase);
}

function listKeyFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.pem'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new KeyFileError(`the key directory ${directory} cannot be read (${code}): make it a readable directory`);
  }
}

function readKeyFile(path: string, name: string, passphrase: string | undefined): KeyFile {
  const pem = readPrivateText(path, name);
  if (passphrase !== undefined && pem.includes('-----BEGIN PRIVATE KEY-----')) {
    const advice = 'encrypt it with that passphrase (openssl pkcs8 -topk8 -v2 aes-256-cbc)';
    throw new KeyFileError(`key file ${name} is not encrypted although AVOUCH_KEY_PASSPHRASE_FILE is set: ${advice}`);
  }
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    const why =
      passphrase === undefined
        ? 'is damaged or encrypted: restore it from a backup or set AVOUCH_KEY_PASSPHRASE_FILE'
        : 'is damaged or has another passphrase: restore it from a backup or correct AVOUCH_KEY_PASSPHRASE_FILE';
    throw new KeyFileError(`key file ${name} ${why}`);
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new KeyFileError(`key file ${name} is not an ed25519 key: restore the right one or move this one away`);
  }
  const bytes = ed25519PublicBytes(createPublicKey(privateKey));
  return { keyId: ed25519KeyId(bytes), publicKey: Buffer.from(bytes).toString('base64'), privateKey };
}

function readPrivateText(path: string, name: string): string {
  let mode: number;
  let text: string;
  try {
    mode = statSync(path).mode & 0o777;
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new KeyFileError(`key file ${name} cannot be read (${code}): give this user the right to read it`);
  }
  if ((mode & 0o077) === 0) return text;
  throw new KeyFileError(`key file ${name} can be read by others (mode ${mode.toString(8)}): run chmod 600 on it`);
}
