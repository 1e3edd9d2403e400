// Bills of materials of any size, always the same.

/** A bill of so many lines: assemblies of 8 lines in up to 6 levels, each bought part with 3 or 4 offers of 6 breaks. */
export function billOf(lines: number): { bom: object; buys: number } {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const assemblies = Math.ceil(lines / 8);
  const buys = Math.max(4, Math.round(lines * 0.29));
  const parts: object[] = [];
  let left = lines;
  for (let at = 0; at < assemblies; at += 1) {
    const here: object[] = [];
    for (let line = 0; line < 8 && left > 0; line += 1, left -= 1) {
      const below = at * 7 + line + 1;
      const part = line < 7 && below < assemblies && at < assemblies / 7 ? `a${below}` : `b${random(buys)}`;
      here.push({ part, qty: String(1 + random(4)), scrap_pct: line % 3 === 0 ? '1.5' : '0', setup_qty: '2' });
    }
    parts.push({ id: `a${at}`, make: { lead_days: random(5), cost_eur: '0.35', lines: here } });
  }
  for (let at = 0; at < buys; at += 1) {
    const offers = Array.from({ length: 3 + (at % 2) }, (_, index) => ({
      supplier: `EXAMPLE-${index}`,
      sku: `EX-${at}-${index}`,
      moq: 1 + random(20),
      multiple: 1 + random(5),
      stock: random(100_000),
      lead_days: random(40),
      breaks: [1, 10, 100, 1_000, 10_000, 100_000].map((from, step) => [from, `0.0${90 - step * 9 - random(5)}`]),
    }));
    parts.push({ id: `b${at}`, mpn: `EX-${at}`, offers });
  }
  return { bom: { root: 'a0', parts }, buys };
}
