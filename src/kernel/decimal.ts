const MAX_SAFE_BIG = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the whole number of 10^-decimals in a plain decimal text, or null where it is none, or beyond 2^53. */
export function parseScaled(text: string, decimals: number): number | null {
  const point = text.indexOf('.');
  const units = point === -1 ? text : text.slice(0, point);
  const fraction = point === -1 ? '' : text.slice(point + 1);
  if (!/^\d{1,15}$/.test(units) || (point !== -1 && !/^\d+$/.test(fraction)) || fraction.length > decimals) return null;
  const scaled = Number(units + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(scaled) ? scaled : null;
}

/** Returns the decimal text of a whole number of 10^-decimals, not negative, without zeros behind the last wanted place. */
export function formatScaled(scaled: number, decimals: number, leastDecimals = 0): string {
  const digits = String(scaled).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  let end = digits.length;
  while (end > at + leastDecimals && digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === at ? digits.slice(0, at) : `${digits.slice(0, at)}.${digits.slice(at, end)}`;
}

/** Returns a * b / divisor rounded up, exactly; Infinity where it is beyond 2^53. */
export function mulDivUp(a: number, b: number, divisor: number): number {
  const product = a * b;
  // Below 2^53 a product of whole numbers is exact, and so is a remainder; a quotient need not be.
  if (product <= Number.MAX_SAFE_INTEGER) {
    const rest = product % divisor;
    return (product - rest) / divisor + (rest > 0 ? 1 : 0);
  }
  const by = BigInt(divisor);
  const up = (BigInt(a) * BigInt(b) + by - 1n) / by;
  return up > MAX_SAFE_BIG ? Number.POSITIVE_INFINITY : Number(up);
}

/** Returns the least multiple of the step that is not below the value. */
export function upTo(value: number, step: number): number {
  const rest = value % step;
  return rest === 0 ? value : value - rest + step;
}
