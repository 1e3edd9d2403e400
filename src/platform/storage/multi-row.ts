import { MAX_ROWS_PER_STATEMENT } from './engine.ts';
import type { Cell, Write } from './store.ts';

/** The one group of a write's text, with at most one level of brackets inside, such as CAST($1 AS BIGINT). */
const VALUES_GROUP = /VALUES \(((?:[^()]|\([^()]*\))*)\)/;

/** One-row text to multi-row texts of 256, 128, .. 1 rows, so that few texts are ever prepared. */
export function multiRow(write: Write): readonly { text: string; values: readonly Cell[] }[] {
  const statements: { text: string; values: readonly Cell[] }[] = [];
  for (let from = 0; from < write.rows.length; ) {
    let size = MAX_ROWS_PER_STATEMENT;
    while (size > write.rows.length - from) size /= 2;
    const rows = write.rows.slice(from, from + size);
    statements.push({ text: expandedText(write.sql, size), values: rows.flat() });
    from += size;
  }
  return statements;
}

const expandedTexts = new Map<string, string>();

function expandedText(sql: string, rows: number): string {
  if (rows === 1) return sql;
  const name = `${rows} ${sql}`;
  let text = expandedTexts.get(name);
  if (text === undefined) {
    text = sql.replace(VALUES_GROUP, (_, group: string) => {
      const width = group.split('$').length - 1;
      const groups = Array.from({ length: rows }, (_row, row) => {
        return `(${group.replaceAll(/\$(\d+)/g, (_mark, column: string) => `$${row * width + Number(column)}`)})`;
      });
      return `VALUES ${groups.join(', ')}`;
    });
    expandedTexts.set(name, text);
  }
  return text;
}
