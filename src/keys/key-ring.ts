import type { KeyObject } from 'node:crypto';
import type { Store } from '#storage/store.ts';
import { createKeyFile, type KeyFile, KeyFileError, readKeyFiles } from './key-file.ts';
import { ALL_KEYS, KEY_SCOPES, type KeyRecord, keyRecord, type KeyScope, keyUnit } from './key-unit.ts';

export interface KeyRingOptions {
  readonly store: Store;
  readonly directory: string;
  readonly passphrase: string | undefined;
}

/** The service's own keys: private ones in files of this machine, the public record of all of them in the database. */
export class KeyRing {
  readonly #options: KeyRingOptions;
  #records: readonly KeyRecord[];
  #files: Map<string, KeyFile>;

  private constructor(options: KeyRingOptions, records: readonly KeyRecord[], files: Map<string, KeyFile>) {
    this.#options = options;
    this.#records = records;
    this.#files = files;
  }

  /** Makes keys only for an empty database; otherwise every key in force must have its file here, else it refuses. */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const { store, directory, passphrase } = options;
    const known = (await store.read(ALL_KEYS)).map(keyRecord);
    if (known.length > 0) return new KeyRing(options, known, readKeyFiles(directory, passphrase)).#checked();
    const made = KEY_SCOPES.map((scope) => ({ scope, file: createKeyFile(directory, `${scope}-001`, passphrase) }));
    const keys = made.map(({ scope, file }) => ({ keyId: file.keyId, publicKey: file.publicKey, scope }));
    const records = await store.run(keyUnit, { type: 'found', keys });
    return new KeyRing(options, records, readKeyFiles(directory, passphrase)).#checked();
  }

  records(): readonly KeyRecord[] {
    return this.#records;
  }

  /** The private key in force for the scope. */
  signingKey(scope: KeyScope): KeyObject {
    const record = this.#records.find((one) => one.scope === scope && one.retiredAtMs === null);
    const file = record === undefined ? undefined : this.#files.get(record.keyId);
    if (file === undefined) throw new KeyFileError(`there is no ${scope} key in force`);
    return file.privateKey;
  }

  /** Makes a new key for the scope; the old one is retired and its public record stays. */
  async rotate(scope: KeyScope): Promise<KeyRecord> {
    const { store, directory, passphrase } = this.#options;
    const number = String(this.#records.filter((record) => record.scope === scope).length + 1).padStart(3, '0');
    const file = createKeyFile(directory, `${scope}-${number}`, passphrase);
    const key = { keyId: file.keyId, publicKey: file.publicKey, scope };
    this.#records = await store.run(keyUnit, { type: 'rotate', key });
    this.#files.set(file.keyId, file);
    return this.#records.find((record) => record.keyId === file.keyId) as KeyRecord;
  }

  #checked(): this {
    for (const { keyId, scope, retiredAtMs } of this.#records) {
      if (retiredAtMs === null && !this.#files.has(keyId)) {
        throw new KeyFileError(
          `the database belongs to ${scope} key ${keyId}, whose file is not in ${this.#options.directory}: copy it there`,
        );
      }
    }
    return this;
  }
}
