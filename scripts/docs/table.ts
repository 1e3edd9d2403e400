/** A page's front matter, as the list of documents reads it. */
export function frontMatter(members: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(members).map(([name, value]) => `${name}: ${value}`);
  return `---\n${lines.join('\n')}\n---\n`;
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}
