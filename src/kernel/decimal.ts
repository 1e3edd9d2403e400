const POINT = '.'.charCodeAt(0) - 48;
const MAX_SAFE_BIG = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the whole number of 10^-decimals in a plain decimal text, or null where it is none, or beyond 2^53. */
export function parseScaled(text: string, decimals: number): number | null {
  let scaled = 0;
  let places = -1;
  if (text.length === 0 || text.length > 32) return null;
  // By hand: of a hundred thousand lines this reads a million texts.
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit === POINT && places === -1 && at > 0 && at < text.length - 1) {
      places = 0;
      continue;
    }
    if (digit < 0 || digit > 9) return null;
    if (places !== -1) places += 1;
    scaled = scaled * 10 + digit;
  }
  if (places > decimals) return null;
  for (let place = Math.max(places, 0); place < decimals; place += 1) scaled *= 10;
  return Number.isSafeInteger(scaled) ? scaled : null;
}

/** Returns the decimal text of a whole number of 10^-decimals, not negative, without zeros behind the last wanted place. */
export function formatScaled(scaled: number | bigint, decimals: number, leastDecimals = 0): string {
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
