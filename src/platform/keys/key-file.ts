import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519KeyId, ed25519PublicBytes } from '#protocol/ed25519.ts';
import { mlDsa44PublicBytes } from '#protocol/ml-dsa.ts';
import { createWhole } from '#platform/storage/whole-file.ts';
import { isPrivate } from '#platform/storage/private-file.ts';

export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** What a key file may hold, and how its raw public bytes are read. An ML-DSA key is stored as its seed (RFC 9881). */
const PUBLIC_BYTES = { ed25519: ed25519PublicBytes, 'ml-dsa-44': mlDsa44PublicBytes } as const;
export type KeyAlgorithm = keyof typeof PUBLIC_BYTES;

export interface KeyFile {
  /** Of the file, without its directory. */
  readonly name: string;
  readonly keyId: string;
  /** Raw public key, base64. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/**
 * Reads the private keys of the directory, by key id; refuses files that others may read or that do not open. Files
 * whose names are known are left alone, so that looking for a new one costs next to nothing.
 */
export function readKeyFiles(
  directory: string,
  passphrase: string | undefined,
  known: ReadonlySet<string> = new Set(),
): Map<string, KeyFile> {
  const files = new Map<string, KeyFile>();
  for (const name of listKeyFiles(directory)) {
    if (known.has(name)) continue;
    const file = readKeyFile(join(directory, name), name, passphrase);
    files.set(file.keyId, file);
  }
  return files;
}

/** Makes the key `name`, or reads it where another process has just made it. The file appears whole or not at all. */
export function createKeyFile(
  directory: string,
  name: string,
  passphrase: string | undefined,
  algorithm: KeyAlgorithm = 'ed25519',
): KeyFile {
  const path = join(directory, `${name}.pem`);
  const { privateKey } = newKeyPair(algorithm);
  const sealed = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  createWhole(path, privateKey.export({ type: 'pkcs8', format: 'pem', ...sealed }));
  return readKeyFile(path, `${name}.pem`, passphrase);
}

function newKeyPair(algorithm: KeyAlgorithm): { privateKey: KeyObject } {
  return algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ml-dsa-44');
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
  const kind = privateKey.asymmetricKeyType as KeyAlgorithm;
  if (PUBLIC_BYTES[kind] === undefined) {
    const advice = 'restore the right one or move this one away';
    throw new KeyFileError(`key file ${name} is neither an ed25519 nor an ml-dsa-44 key: ${advice}`);
  }
  const bytes = PUBLIC_BYTES[kind](createPublicKey(privateKey));
  return { name, keyId: ed25519KeyId(bytes), publicKey: Buffer.from(bytes).toString('base64'), privateKey };
}

function readPrivateText(path: string, name: string): string {
  let stats: Stats;
  let text: string;
  try {
    stats = statSync(path);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new KeyFileError(`key file ${name} cannot be read (${code}): give this user the right to read it`);
  }
  if (isPrivate(stats)) return text;
  const mode = stats.mode & 0o777;
  throw new KeyFileError(`key file ${name} can be read by others (mode ${mode.toString(8)}): run chmod 600 on it`);
}
