/** Money is a whole number of micro units, millionths of a euro or dollar: exact up to 2^53, nine thousand million. */
const DECIMAL = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/;
const MICRO_PER_UNIT = 1_000_000;

/** Returns the micro units of a decimal text such as `12.50`, or null when it is no amount. */
export function parseMicro(text: string): number | null {
  const parts = DECIMAL.exec(text);
  if (!parts) return null;
  const [, units, fraction = ''] = parts;
  return Number(units) * MICRO_PER_UNIT + Number(fraction.padEnd(6, '0'));
}

/** Returns the shortest decimal text of an amount; it may be negative. */
export function formatMicro(amountMicro: number): string {
  const micro = Math.abs(whole(amountMicro));
  const units = Math.floor(micro / MICRO_PER_UNIT);
  const fraction = String(micro % MICRO_PER_UNIT)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${amountMicro < 0 ? '-' : ''}${units}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `up` is towards positive, `down` towards negative infinity; the two halves differ only at an exact half. */
export type Rounding = 'up' | 'down' | 'half_up' | 'half_even';

/** Returns value * numerator / denominator, rounded once; throws when a number is not whole or beyond 2^53. */
export function mulDiv(value: number, numerator: number, denominator: number, rounding: Rounding): number {
  if (whole(denominator) <= 0) throw new RangeError(`a denominator is above 0, not ${denominator}`);
  const product = BigInt(whole(value)) * BigInt(whole(numerator));
  const divisor = BigInt(denominator);
  // BigInt division cuts towards 0; the floor leaves a remainder from 0 up to the divisor.
  const remainder = ((product % divisor) + divisor) % divisor;
  const floor = (product - remainder) / divisor;
  return whole(Number(ROUNDS_UP[rounding](floor, 2n * remainder, divisor) ? floor + 1n : floor));
}

const ROUNDS_UP: Readonly<Record<Rounding, (floor: bigint, twiceRemainder: bigint, divisor: bigint) => boolean>> = {
  up: (_floor, twice) => twice > 0n,
  down: () => false,
  half_up: (_floor, twice, divisor) => twice >= divisor,
  half_even: (floor, twice, divisor) => twice > divisor || (twice === divisor && floor % 2n !== 0n),
};

function whole(amount: number): number {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number within 2^53: ${amount}`);
  return amount;
}
