/** Money, probabilities and hours are millionths in BigInt: 10^6 ppm times 10^15 micro-USD passes 2^53. */
export const MILLION = 1_000_000n;
const MICRO_PER_CENT = 10_000n;

/** The millionths of a decimal text with at most six decimals; the field patterns have checked its form. */
export function microOf(decimal: string): bigint {
  const [units = '', fraction = ''] = decimal.split('.');
  return BigInt(units) * MILLION + BigInt(fraction.padEnd(6, '0'));
}

export function optionalMicro(decimal: string | undefined): bigint | undefined {
  return decimal === undefined ? undefined : microOf(decimal);
}

/** A published ratio such as 1.2 as an exact number of millionths. */
export function ppmOf(ratio: number): bigint {
  return microOf(String(ratio));
}

/** value times a published ratio, cut to the micro unit. */
export function share(valueMicro: bigint, ratio: number): bigint {
  return (valueMicro * ppmOf(ratio)) / MILLION;
}

/** Half up: an exact half goes towards positive infinity. The divisor is above 0. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return floorQuotient(2n * dividend + divisor, 2n * divisor);
}

function floorQuotient(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

export function smallest(first: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  return others.reduce<bigint>((least, value) => (value !== undefined && value < least ? value : least), first);
}

/** The JSON number nearest to value / 10^decimals; 0 is never -0. */
export function jsonNumber(value: bigint, decimals: number): number {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return Number(`${value < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`);
}

export function microNumber(amountMicro: bigint): number {
  return jsonNumber(amountMicro, 6);
}

/** Rounded half up to the cent. */
export function centNumber(amountMicro: bigint): number {
  return jsonNumber(roundedQuotient(amountMicro, MICRO_PER_CENT), 2);
}
