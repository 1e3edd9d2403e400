/** Rows of RFC 4180 CSV: quoted cells may hold commas, quotes and line ends; blank lines are no rows. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || cell !== '') rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at] as string;
    if (isQuoted) {
      if (one !== '"') cell += one;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else isQuoted = false;
    } else if (one === '"' && cell === '') isQuoted = true;
    else if (one === ',') {
      row.push(cell);
      cell = '';
    } else if (one === '\n') endRow();
    else if (one !== '\r' || text[at + 1] !== '\n') cell += one;
  }
  if (isQuoted) throw new RangeError('a quoted cell does not end');
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
