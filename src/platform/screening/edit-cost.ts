const DIGIT_COST = 1.5;
const CONFUSABLE_COST = 0.7;
const SOFT_COST = 0.6;
const SWAP_COST = 0.8;
const WIDTH = 64;
const ASCII = 128;
const H = 104;
/** Cost of one letter in the place of another, for letters of ASCII. */
const CHANGES = new Float64Array(ASCII * ASCII).fill(1);
for (let digit = 48; digit <= 57; digit += 1) {
  for (let other = 0; other < ASCII; other += 1) {
    CHANGES[digit * ASCII + other] = DIGIT_COST;
    CHANGES[other * ASCII + digit] = DIGIT_COST;
  }
}
for (const pair of '0o 1i 1l 5s 6b 9g 9q ck ei hn ij iy ou kq vw sz ae ao bp dt mn gj fv bv gk ai'.split(' ')) {
  const [a, b] = [pair.charCodeAt(0), pair.charCodeAt(1)];
  CHANGES[a * ASCII + b] = CONFUSABLE_COST;
  CHANGES[b * ASCII + a] = CONFUSABLE_COST;
}
const rows = new Float64Array(WIDTH * WIDTH);
const gaps = new Float64Array(WIDTH);

/** One letter more or less: an h and a doubled letter cost less. */
function gapCost(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return DIGIT_COST;
  return code === H || (at > 0 && text.charCodeAt(at - 1) === code) ? SOFT_COST : 1;
}

/** Cost of turning one word into the other (restricted Damerau); Infinity as soon as it must pass the limit. */
export function editCost(left: string, right: string, limit: number): number {
  const a = left.length <= right.length ? left : right;
  const b = left.length <= right.length ? right : left;
  const width = b.length;
  if ((width - a.length) * SOFT_COST > limit || width >= WIDTH) return Number.POSITIVE_INFINITY;
  rows[0] = 0;
  for (let column = 1; column <= width; column += 1) {
    const gap = gapCost(b, column - 1);
    gaps[column] = gap;
    rows[column] = (rows[column - 1] as number) + gap;
  }
  for (let row = 1; row <= a.length; row += 1) {
    const base = row * WIDTH;
    const above = base - WIDTH;
    const gapA = gapCost(a, row - 1);
    const codeA = a.charCodeAt(row - 1);
    const before = row > 1 ? a.charCodeAt(row - 2) : -1;
    let cost = (rows[above] as number) + gapA;
    rows[base] = cost;
    let least = cost;
    for (let column = 1; column <= width; column += 1) {
      const codeB = b.charCodeAt(column - 1);
      let best = rows[above + column - 1] as number;
      if (codeA !== codeB) best += codeA < ASCII && codeB < ASCII ? (CHANGES[codeA * ASCII + codeB] as number) : 1;
      best = Math.min(best, (rows[above + column] as number) + gapA, cost + (gaps[column] as number));
      if (before === codeB && column > 1 && codeA !== codeB && codeA === b.charCodeAt(column - 2))
        best = Math.min(best, (rows[above - WIDTH + column - 2] as number) + SWAP_COST);
      cost = best;
      rows[base + column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
  }
  const cost = rows[a.length * WIDTH + width] as number;
  return cost <= limit ? cost : Number.POSITIVE_INFINITY;
}
