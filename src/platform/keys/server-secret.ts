import { hkdfSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPrivate } from '#platform/storage/private-file.ts';
import { hmacSha256Hex, randomBytes } from '#kernel/ids.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { integer, table, text } from '#platform/storage/table.ts';
import { createWhole } from '#platform/storage/whole-file.ts';

class ServerSecretError extends Error {
  override readonly name = 'ServerSecretError';
}

const SECRET_TEXT = /^[0-9a-f]{64}$/;
const FILE_NAME = 'server-secret';
/** What keyed hashes are made for; each purpose has a key of its own. */
export type SecretPurpose =
  | 'reject-index'
  | 'seal-idempotency'
  | 'register-cache'
  | 'amh-idempotency'
  | 'amh-control'
  | 'agent-key'
  | 'card-stand-in'
  | 'task-idempotency'
  | 'task-receipt'
  | 'own-platform'
  | 'owner-registrations'
  | 'login-code'
  | 'cabinet-form'
  | 'fingerprint'
  | 'writer-link';

export interface ServerSecretOptions {
  readonly store: Store;
  /** Where the operator keeps it; null: made in the data directory. */
  readonly file: string | null;
  readonly dataDir: string;
}

const SECRET = table('server_secret', { id: integer(), fingerprint: text() }, { key: ['id'] });
const FINGERPRINT = SECRET.select('WHERE id = 1');

const reads = () => ({ secret: FINGERPRINT });

interface FingerprintCommand {
  readonly fingerprint: string;
  readonly replace: boolean;
}

/** The first process records which secret belongs to the database; another secret must be accepted on purpose. */
const fingerprintUnit: Unit<[FingerprintCommand, string], { known: string | null; replaced: boolean }, typeof reads> = {
  name: 'server_secret',
  reads,
  load: ({ secret: [recorded] }) => ({ known: recorded?.fingerprint ?? null, replaced: false }),
  decide(state, _nowMs, _next, { fingerprint, replace }) {
    if (state.known !== null && !replace) return { state, result: state.known };
    return { state: { known: fingerprint, replaced: replace }, result: fingerprint };
  },
  writes: (before, { known, replaced }) => {
    const put = known === null || known === before.known ? [] : [{ id: 1, fingerprint: known }];
    return [replaced ? SECRET.upsert(put) : SECRET.insert(put)];
  },
};

/** The secret that all processes of the service share; every keyed hash has its own key from it. */
export class ServerSecret {
  readonly #secret: Uint8Array;

  private constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** Refuses a secret that is not the one of the database: keyed hashes made under the other would match nothing. */
  static async open(
    { store, file, dataDir }: ServerSecretOptions,
    replace: boolean | undefined,
  ): Promise<ServerSecret> {
    const path = file ?? join(dataDir, FILE_NAME);
    const [recorded] = await store.read(FINGERPRINT);
    const isTaken = recorded === undefined || replace === true;
    if (file === null && isTaken) createWhole(path, Buffer.from(randomBytes(32)).toString('hex'));
    const secret = new ServerSecret(readSecret(path));
    const fingerprint = secret.#fingerprint();
    const known = isTaken
      ? await store.run(fingerprintUnit, { fingerprint, replace: replace === true })
      : recorded.fingerprint;
    if (known === fingerprint) return secret;
    throw new ServerSecretError(
      `the database belongs to another server secret than the one in ${path}: restore that file, or accept this one with ./avouch keys accept-secret`,
    );
  }

  /** What is wrong with the secret of a database, which stays as it is; null where nothing is. */
  static async fault({ store, file, dataDir }: Omit<ServerSecretOptions, 'store'> & { store: Pick<Store, 'read'> }) {
    const path = file ?? join(dataDir, FILE_NAME);
    try {
      const own = new ServerSecret(readSecret(path)).#fingerprint();
      const [recorded] = await store.read(FINGERPRINT);
      const isOther = recorded !== undefined && recorded.fingerprint !== own;
      return isOther ? `the database belongs to another server secret than the one in ${path}` : null;
    } catch (error) {
      if (error instanceof ServerSecretError) return error.message;
      throw error;
    }
  }

  #fingerprint(): string {
    return Buffer.from(this.key('fingerprint')).toString('hex').slice(0, 32);
  }

  key(purpose: SecretPurpose): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, '', `avouch/${purpose}`, 32));
  }

  /** A keyed hash of texts, for tables that must not let anybody guess what was hashed. */
  hasher(purpose: SecretPurpose): (...parts: readonly string[]) => string {
    const key = this.key(purpose);
    return (...parts) => hmacSha256Hex(key, parts.join('\0'));
  }
}

function readSecret(path: string): Uint8Array {
  let secretText: string;
  try {
    if (!isPrivate(statSync(path))) throw new ServerSecretError(`others may read ${path}: chmod 600 it`);
    secretText = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof ServerSecretError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new ServerSecretError(`the server secret in ${path} cannot be read (${code}): check its path and rights`);
  }
  if (!SECRET_TEXT.test(secretText))
    throw new ServerSecretError(`${path} must hold 64 hexadecimal digits: openssl rand -hex 32`);
  const secret = Buffer.from(secretText, 'hex');
  if (isGuessable(secret)) {
    throw new ServerSecretError(`${path} holds a secret that can be guessed: make one with openssl rand -hex 32`);
  }
  return secret;
}

/** Of 32 random bytes about 30 differ, and so do the steps between them; what people type repeats or counts. */
const FEWEST_DIFFERENT = 16;

function isGuessable(secret: Uint8Array): boolean {
  const steps = Array.from(secret.subarray(1), (byte, at) => (byte - (secret[at] ?? 0)) & 0xff);
  return Math.min(new Set(secret).size, new Set(steps).size) < FEWEST_DIFFERENT;
}
