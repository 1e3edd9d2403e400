import { join } from 'node:path';
import { readTextIfThere, replaceDurably } from './durable-file.ts';
import { STORE_HEAD } from './head.ts';
import { StorageError, type Store } from './store.ts';

/** The name of the file in the data directory that holds the newest revision which its processes have seen. */
const REVISION_FILE = 'revision-high-water';

/**
 * The newest revision that processes of a data directory have seen, kept beside the database. Fences are revisions: a
 * database that was put back would give them a second time.
 */
export class RevisionMemory {
  readonly #file: string;
  #newest: number;

  constructor(dataDir: string) {
    this.#file = join(dataDir, REVISION_FILE);
    this.#newest = this.#there();
  }

  /** Throws where the database is behind what is remembered. */
  async requireReached(store: Pick<Store, 'read'>): Promise<void> {
    const [head] = await store.read(STORE_HEAD);
    const rev = head?.rev ?? 0;
    if (rev >= this.#newest) return;
    const remembered = `${REVISION_FILE} in DATA_DIR knows revision ${this.#newest}`;
    const cure = 'restore the newest database with ./avouch restore, or correct DATABASE_URL and DATA_DIR';
    throw new StorageError('set_back', `the database is at revision ${rev}, but ${remembered}: ${cure}`);
  }

  /** Remembers a revision that is newer than all before. */
  raise(rev: number): void {
    if (rev <= this.#newest) return;
    // Another process with the same directory may have seen more.
    this.#newest = Math.max(rev, this.#there());
    if (this.#newest === rev) replaceDurably(this.#file, `${rev}\n`);
  }

  #there(): number {
    const text = readTextIfThere(this.#file);
    if (text === undefined) return 0;
    if (/^\d{1,15}\n$/.test(text)) return Number(text);
    throw new StorageError(
      'set_back',
      `${REVISION_FILE} in DATA_DIR is damaged: restore it from a backup, or remove it`,
    );
  }
}
