import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519KeyId, ed25519PublicBytes } from '#protocol/ed25519.ts';

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
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${name}.pem`);
  const { privateKey } = generateKeyPairSync('ed25519');
  const sealed = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', ...sealed }) as string;
  const draft = `${path}.${process.pid}.draft`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, pem);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readKeyFile(path, `${name}.pem`, passphrase);
}

function listKeyFiles(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.pem'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new KeyFileError(`the key directory ${directory} cannot be read`, { cause: error });
  }
}

function readKeyFile(path: string, name: string, passphrase: string | undefined): KeyFile {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new KeyFileError(`key file ${name} can be read by others (mode ${mode.toString(8)}): run chmod 600 on it`);
  }
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: readFileSync(path), ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const why = passphrase === undefined ? 'is damaged or needs a passphrase' : 'is damaged or has another passphrase';
    throw new KeyFileError(`key file ${name} ${why}`, { cause: error });
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new KeyFileError(`key file ${name} is not an ed25519 key`);
  const bytes = ed25519PublicBytes(createPublicKey(privateKey));
  return { keyId: ed25519KeyId(bytes), publicKey: Buffer.from(bytes).toString('base64'), privateKey };
}
