/** A table written as one text: letter and Latin form in turn, `-` for a letter without one. */
export function letterTable(text: string): Map<string, string> {
  const cells = text.split(' ');
  const table = new Map<string, string>();
  for (let at = 0; at < cells.length; at += 2) {
    const latin = cells[at + 1] as string;
    table.set(cells[at] as string, latin === '-' ? '' : latin);
  }
  return table;
}
