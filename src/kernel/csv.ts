export interface CsvTable {
  readonly rows: string[][];
  /** False where the text ends inside a quoted cell. */
  readonly isWhole: boolean;
}

/** Rows of RFC 4180: quoted cells may hold separators, quotes and line ends; blank lines are no rows. */
export function readCsv(text: string, separator = ','): CsvTable {
  const rows: string[][] = [];
  let row: string[] = [];
  let [cell, isQuoted] = ['', false];
  // What was read of the cell begins here and is not in `cell` yet.
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const take = (to: number) => {
    cell = cell === '' ? text.slice(from, to) : cell + text.slice(from, to);
  };
  const endCell = (at: number) => {
    take(at);
    row.push(cell);
    [cell, from] = ['', at + 1];
  };
  const endRow = (at: number) => {
    endCell(at);
    // A copy has no room for more cells, which would be most of a table of small ones.
    if (row.length > 1 || row[0] !== '') rows.push(row.slice());
    row = [];
  };
  for (let at = from; at < text.length; at += 1) {
    const mark = text[at] as string;
    if (isQuoted) {
      if (mark !== '"') continue;
      take(at);
      isQuoted = text[at + 1] === '"';
      from = at + 1;
      if (isQuoted) at += 1;
    } else if (mark === '"' && cell === '' && from === at) {
      isQuoted = true;
      from = at + 1;
    } else if (mark === separator) endCell(at);
    else if (mark === '\n' || mark === '\r') {
      const isPair = mark === '\r' && text[at + 1] === '\n';
      endRow(at);
      if (isPair) at += 1;
      from = at + 1;
    }
  }
  if (cell !== '' || from < text.length || row.length > 0) endRow(text.length);
  return { rows, isWhole: !isQuoted };
}

type CsvCell = string | number | null;

/** What a spreadsheet would run as a formula; a negative number is none. */
const FORMULA = /^(?:[=+@\t\r]|-(?!\d*\.?\d+$))/;

/** RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe. */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

function written(cell: CsvCell): string {
  const text = String(cell ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
