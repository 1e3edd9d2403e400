import { cleanText } from '#kernel/foreign-text.ts';

const GAP = '  ';
/** A longer cell shifts what follows it, rather than the whole column. */
const MAX_WIDTH = 48;

/** A table for people: a header, then rows whose cells stand below each other. Cells cannot steer the terminal. */
export function columns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows.map((row) => row.map((cell) => cleanText(cell)))];
  const widths = header.map((_, at) => {
    const lengths = lines.map((line) => (line[at] ?? '').length);
    return Math.max(...lengths.filter((length) => length <= MAX_WIDTH), 0);
  });
  const shown = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return `${shown.join('\n')}\n`;
}
