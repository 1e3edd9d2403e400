/** Reads RFC 4180 text; the separator is the one of `,` `;` and tab that the first line has most of. */
export function readCsv(text: string): string[][] {
  const first = text.slice(0, text.search(/\r|\n|$/));
  const count = (mark: string) => first.split(mark).length;
  const separator = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] as string;
  const rows: string[][] = [];
  let row: string[] = [];
  let [cell, isQuoted] = ['', false];
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; at += 1) {
    const mark = text[at] as string;
    if (isQuoted) {
      if (mark !== '"') cell += mark;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (mark === '"' && cell === '') isQuoted = true;
    else if (mark === separator) endCell();
    else if (mark === '\n' || mark === '\r') {
      if (mark === '\r' && text[at + 1] === '\n') at += 1;
      endRow();
    } else cell += mark;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

const TYPES: readonly (readonly [name: string, form: RegExp])[] = [
  ['integer', /^-?(?:0|[1-9]\d{0,14})$/],
  ['number', /^-?\d{1,15}(?:\.\d{1,15})?$/],
  ['boolean', /^(?:true|false)$/i],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
];

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly nulls: number;
  readonly distinct: number;
}

/** The narrowest type that all values of a column have, and how many of them are empty or differ. */
export function columnsOf([header = [], ...rows]: readonly (readonly string[])[]): Column[] {
  return header.map((name, index) => {
    const values = rows.map((row) => row[index] ?? '');
    const filled = values.filter((value) => value !== '');
    const type = TYPES.find(([, form]) => filled.length > 0 && filled.every((value) => form.test(value)))?.[0];
    return { name, type: type ?? 'string', nulls: values.length - filled.length, distinct: new Set(filled).size };
  });
}

/** The rows as objects: empty cells are null, numbers and booleans have their type. */
export function recordsOf(table: readonly (readonly string[])[], columns: readonly Column[]): object[] {
  return table
    .slice(1)
    .map((row) => Object.fromEntries(columns.map(({ name, type }, index) => [name, typed(row[index] ?? '', type)])));
}

function typed(cell: string, type: string): unknown {
  if (cell === '') return null;
  if (type === 'integer' || type === 'number') return Number(cell);
  return type === 'boolean' ? cell.toLowerCase() === 'true' : cell;
}
