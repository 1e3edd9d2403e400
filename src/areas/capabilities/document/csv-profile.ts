/** The one of `,` `;` and tab that the first line has most of. */
export function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/\r|\n|$/));
  const count = (mark: string) => first.split(mark).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] as string;
}

const TYPES: readonly (readonly [name: string, form: RegExp])[] = [
  ['integer', /^-?(?:0|[1-9]\d{0,14})$/],
  ['number', /^-?\d{1,15}(?:\.\d{1,15})?$/],
  ['boolean', /^(?:true|false)$/i],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
];

export interface ColumnProfile {
  readonly name: string;
  readonly type: string;
  readonly nulls: number;
  readonly distinct: number;
}

/** The narrowest type that all values of a column have, and how many of them are empty or differ. */
export function columnsOf(table: readonly (readonly string[])[]): ColumnProfile[] {
  const [header = []] = table;
  return header.map((name, index) => {
    const filled = new Set<string>();
    let nulls = 0;
    for (let at = 1; at < table.length; at += 1) {
      const value = table[at]?.[index] ?? '';
      if (value === '') nulls += 1;
      else filled.add(value);
    }
    const type = TYPES.find(([, form]) => filled.size > 0 && filled.values().every((value) => form.test(value)))?.[0];
    return { name, type: type ?? 'string', nulls, distinct: filled.size };
  });
}

/** How many rows say the same as one before them. */
export function duplicatesIn(table: readonly (readonly string[])[]): number {
  const seen = new Set<string>();
  for (let at = 1; at < table.length; at += 1) seen.add((table[at] ?? []).join('\u0000'));
  return Math.max(0, table.length - 1) - seen.size;
}

/** The rows as objects: empty cells are null, numbers and booleans have their type. They take the place of the table. */
export function recordsOf(table: string[][], columns: readonly ColumnProfile[]): object[] {
  const records: object[] = table;
  for (let at = 1; at < table.length; at += 1) {
    const row = table[at] ?? [];
    records[at - 1] = Object.fromEntries(columns.map(({ name, type }, index) => [name, typed(row[index] ?? '', type)]));
  }
  records.pop();
  return records;
}

function typed(cell: string, type: string): unknown {
  if (cell === '') return null;
  if (type === 'integer' || type === 'number') return Number(cell);
  return type === 'boolean' ? cell.toLowerCase() === 'true' : cell;
}
