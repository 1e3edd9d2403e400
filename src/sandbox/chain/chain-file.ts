import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, rename, rm, truncate } from 'node:fs/promises';

const DIGEST_CHARS = 64;

/** JSON lines, each behind a digest of itself and of all before it. */
export class ChainFile<Line> {
  readonly #path: string;
  #lines: Line[] = [];
  #digest = '';
  #length = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** A last line that breaks off is dropped: nobody ever saw anything of it. Any other damage throws. */
  static async open<Line>(path: string): Promise<ChainFile<Line>> {
    const file = new ChainFile<Line>(path);
    if (!existsSync(path)) return file;
    const bytes = readFileSync(path);
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', file.#length)) {
      const sealed = bytes.toString('utf8', file.#length, end);
      const json = sealed.slice(DIGEST_CHARS);
      file.#digest = hash('sha256', file.#digest + json);
      if (!sealed.startsWith(file.#digest)) {
        throw new Error(`${path} is damaged at byte ${file.#length}: restore it, or remove it for a new chain`);
      }
      file.#lines.push(JSON.parse(json) as Line);
      file.#length = end + 1;
    }
    await truncate(path, file.#length);
    return file;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** Resolves when the lines are durable. After a failed write the file ends where it did before. */
  async append(...lines: readonly Line[]): Promise<void> {
    let digest = this.#digest;
    let text = '';
    for (const json of lines.map((line) => JSON.stringify(line))) {
      digest = hash('sha256', digest + json);
      text += `${digest}${json}\n`;
    }
    try {
      await appendFile(this.#path, text, { flush: true, mode: 0o600 });
    } catch (error) {
      await truncate(this.#path, this.#length);
      throw error;
    }
    this.#lines.push(...lines);
    this.#digest = digest;
    this.#length += Buffer.byteLength(text);
  }

  /** Puts these lines in the place of all that are there, whole or not at all. */
  async replace(lines: readonly Line[]): Promise<void> {
    const draft = new ChainFile<Line>(`${this.#path}.draft`);
    await rm(draft.#path, { force: true });
    await draft.append(...lines);
    await rename(draft.#path, this.#path);
    this.#lines = draft.#lines;
    this.#digest = draft.#digest;
    this.#length = draft.#length;
  }
}
