/** RFC 4180, one row for each item. A cell that a spreadsheet would run as a formula gets an apostrophe. */
export function csvOf(items: readonly Readonly<Record<string, string | number | null>>[]): string {
  const columns = ['seq', 'tx_id', 'at', 'kind', 'ref', 'amount_eur', 'balance_after_eur', 'hash'];
  const cell = (value: string | number | null | undefined) => {
    const text = String(value ?? '');
    const safe = /^[=+@\t]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = [columns, ...items.map((item) => columns.map((name) => item[name]))];
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
