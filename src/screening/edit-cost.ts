const CONFUSABLE = new Set<number>();
for (const pair of '0o 1i 1l 5s 6b 9g 9q ck ei hn ij iy ou kq vw sz ae ao bp dt mn gj fv bv gk ai'.split(' ')) {
  CONFUSABLE.add((pair.charCodeAt(0) << 8) | pair.charCodeAt(1));
  CONFUSABLE.add((pair.charCodeAt(1) << 8) | pair.charCodeAt(0));
}
const H = 104;
const DIGIT_COST = 1.5;
const CONFUSABLE_COST = 0.7;
const SOFT_COST = 0.6;
const SWAP_COST = 0.8;
const FIRST_LETTER_FACTOR = 1.0;
const WIDTH = 64;
const rows = new Float64Array(WIDTH * WIDTH);

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function changeCost(a: number, b: number): number {
  if (CONFUSABLE.has((a << 8) | b)) return CONFUSABLE_COST;
  return isDigit(a) || isDigit(b) ? DIGIT_COST : 1;
}

/** One letter more or less: an h and a doubled letter cost less. */
function gapCost(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isDigit(code)) return DIGIT_COST;
  return code === H || (at > 0 && text.charCodeAt(at - 1) === code) ? SOFT_COST : 1;
}

/** Cost of turning one word into the other (restricted Damerau); Infinity as soon as it must pass the limit. */
export function editCost(left: string, right: string, limit: number): number {
  const a = left.length <= right.length ? left : right;
  const b = left.length <= right.length ? right : left;
  if ((b.length - a.length) * SOFT_COST > limit || b.length >= WIDTH) return Number.POSITIVE_INFINITY;
  rows[0] = 0;
  for (let column = 1; column <= b.length; column += 1)
    rows[column] = (rows[column - 1] as number) + gapCost(b, column - 1);
  for (let row = 1; row <= a.length; row += 1) {
    const base = row * WIDTH;
    const gapA = gapCost(a, row - 1);
    const codeA = a.charCodeAt(row - 1);
    rows[base] = (rows[base - WIDTH] as number) + gapA;
    let least = rows[base];
    for (let column = 1; column <= b.length; column += 1) {
      const codeB = b.charCodeAt(column - 1);
      const factor = row === 1 && column === 1 ? FIRST_LETTER_FACTOR : 1;
      let cost =
        (rows[base - WIDTH + column - 1] as number) + (codeA === codeB ? 0 : changeCost(codeA, codeB) * factor);
      cost = Math.min(
        cost,
        (rows[base - WIDTH + column] as number) + gapA,
        (rows[base + column - 1] as number) + gapCost(b, column - 1),
      );
      const isSwap = row > 1 && column > 1 && codeA === b.charCodeAt(column - 2) && codeB === a.charCodeAt(row - 2);
      if (isSwap && codeA !== codeB) cost = Math.min(cost, (rows[base - 2 * WIDTH + column - 2] as number) + SWAP_COST);
      rows[base + column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
  }
  const cost = rows[a.length * WIDTH + b.length] as number;
  return cost <= limit ? cost : Number.POSITIVE_INFINITY;
}
