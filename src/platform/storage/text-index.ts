import { DatabaseSync, type StatementSync } from 'node:sqlite';

interface IndexedText {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly keywords: string;
}

interface TextHit {
  readonly id: string;
  /** Higher is better; comparable only within one answer. */
  readonly score: number;
}

/** Titles count four times as much as bodies, keywords twice (columns id and part carry no text). */
const RANK = 'bm25(t, 0, 0, 4, 1, 2)';

/** A full-text index in memory, the same beside either store. Texts come and go in named parts. */
export class TextIndex implements Disposable {
  readonly #database = new DatabaseSync(':memory:');
  readonly #insert: StatementSync;
  readonly #search: StatementSync;

  constructor() {
    this.#database.exec(`
      CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, part UNINDEXED, title, body, keywords,
        tokenize = "unicode61 remove_diacritics 2");
      CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row');
    `);
    this.#insert = this.#database.prepare('INSERT INTO t (id, part, title, body, keywords) VALUES (?, ?, ?, ?, ?)');
    this.#search = this.#database.prepare(
      `SELECT id, -${RANK} AS score FROM t WHERE t MATCH ? ORDER BY ${RANK} LIMIT ?`,
    );
  }

  put(part: string, texts: readonly IndexedText[]): void {
    this.#database.exec('BEGIN');
    for (const { id, title, body, keywords } of texts) this.#insert.run(id, part, title, body, keywords);
    this.#database.exec('COMMIT');
  }

  drop(part: string): void {
    this.#database.prepare('DELETE FROM t WHERE part = ?').run(part);
  }

  /** Every word is quoted: nothing in it can be taken for an operator. */
  search(words: readonly string[], limit: number): TextHit[] {
    const quoted = words
      .map((word) => `"${word.replaceAll('"', '').replaceAll('\0', '')}"`)
      .filter((word) => word !== '""');
    if (quoted.length === 0) return [];
    return this.#search.all(quoted.join(' OR '), limit) as unknown as TextHit[];
  }

  /** Every word of all texts, and in how many of them it stands. */
  vocabulary(): Map<string, number> {
    const rows = this.#database.prepare('SELECT term, doc FROM v').all() as { term: string; doc: number }[];
    return new Map(rows.map(({ term, doc }) => [term, doc]));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
