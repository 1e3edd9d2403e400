import type { KeyObject } from 'node:crypto';
import type { Store } from '#platform/storage/store.ts';
import { createKeyFile, type KeyFile, KeyFileError, readKeyFiles } from './key-file.ts';
import { KEY_SCOPES, type KeyScope, SCOPE_RULES } from './key-scope.ts';
import { ALL_KEYS, type KeyRecord, keyUnit, type NewKey } from './key-unit.ts';

export interface KeyRingOptions {
  readonly store: Store;
  readonly directory: string;
  readonly passphrase: string | undefined;
  /** Opens it although files of keys in force are missing, so that they can be replaced. */
  readonly lacksFiles?: boolean | undefined;
}

/** A key in force has no file on this machine: nothing may be signed with fewer keys than the others sign with. */
export class SignerError extends Error {
  override readonly name = 'SignerError';
}

/** The service's own keys: private ones in files of this machine, the public record of all of them in the database. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #records: readonly KeyRecord[];
  readonly #files: Map<string, KeyFile>;

  private constructor(options: KeyRingOptions, records: readonly KeyRecord[]) {
    this.#options = options;
    this.#records = records;
    this.#files = readKeyFiles(options.directory, options.passphrase);
  }

  /**
   * Makes keys only for an empty database and for scopes that this release added; every other key in force must have
   * its file here, else it refuses.
   */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const { store, directory, passphrase } = options;
    const known = await store.read(ALL_KEYS);
    const wanted = KEY_SCOPES.filter(
      (scope) => known.length === 0 || (SCOPE_RULES[scope].isNew && !known.some((key) => key.scope === scope)),
    );
    if (wanted.length === 0) return new KeyRing(options, known).#checked();
    const keys = wanted.map((scope): NewKey => {
      const file = createKeyFile(directory, `${scope}-001`, passphrase, SCOPE_RULES[scope].algorithm);
      return { keyId: file.keyId, publicKey: file.publicKey, scope };
    });
    return new KeyRing(options, await store.run(keyUnit, { type: 'found', keys })).#checked();
  }

  records(): readonly KeyRecord[] {
    return this.#records;
  }

  inForce(scope: KeyScope): readonly KeyRecord[] {
    return this.#records.filter((record) => record.scope === scope && record.retiredAtMs === null);
  }

  /** Reads what other processes did with the keys. */
  async refresh(): Promise<void> {
    this.learn(await this.#options.store.read(ALL_KEYS));
  }

  /** Takes over the records as a command left them. */
  learn(records: readonly KeyRecord[]): void {
    this.#records = records;
  }

  /** The keys in force whose files this machine lacks. */
  missing(): readonly KeyRecord[] {
    return this.#records.filter(({ keyId, retiredAtMs }) => retiredAtMs === null && this.#fileOf(keyId) === undefined);
  }

  /** The newest private key in force for the scope. */
  signingKey(scope: KeyScope): KeyObject {
    const record = this.inForce(scope).at(-1);
    if (record === undefined) throw new SignerError(`there is no ${scope} key in force`);
    return this.privateKey(record.keyId);
  }

  privateKey(keyId: string): KeyObject {
    const file = this.#fileOf(keyId);
    if (file === undefined) throw new SignerError(`the file of key ${keyId} is not in ${this.#options.directory}`);
    return file.privateKey;
  }

  /** Makes the file of the next key of the scope, or reads it where an interrupted rotation has left it. */
  nextKey(scope: KeyScope): NewKey {
    const { directory, passphrase } = this.#options;
    const number = String(this.#records.filter((record) => record.scope === scope).length + 1).padStart(3, '0');
    const file = createKeyFile(directory, `${scope}-${number}`, passphrase, SCOPE_RULES[scope].algorithm);
    this.#files.set(file.keyId, file);
    return { keyId: file.keyId, publicKey: file.publicKey, scope };
  }

  /** A file that was put there since the start is found without one. */
  #fileOf(keyId: string): KeyFile | undefined {
    const known = this.#files.get(keyId);
    if (known !== undefined) return known;
    const { directory, passphrase } = this.#options;
    const names = new Set([...this.#files.values()].map(({ name }) => name));
    try {
      for (const file of readKeyFiles(directory, passphrase, names).values()) this.#files.set(file.keyId, file);
    } catch (error) {
      // A new file that does not open is as good as none, until somebody mends it.
      if (!(error instanceof KeyFileError)) throw error;
    }
    return this.#files.get(keyId);
  }

  #checked(): this {
    const [missing] = this.missing();
    if (missing === undefined || this.#options.lacksFiles === true) return this;
    const { keyId, scope } = missing;
    throw new KeyFileError(
      `the database belongs to ${scope} key ${keyId}, whose file is not in ${this.#options.directory}: copy it there`,
    );
  }
}
