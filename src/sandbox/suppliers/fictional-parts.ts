/** Parts that nobody makes, at prices that nobody asks. */
export interface FictionalPart {
  readonly mpn: string;
  readonly description: string;
  readonly stock: number;
  readonly leadDays: number;
  readonly lifecycle: string;
  /** Quantity and price in hundred-thousandths of a euro. */
  readonly breaks: readonly (readonly [quantity: number, price: number])[];
}

export const MAKER = 'EXAMPLE';

const part = (mpn: string, description: string, more: Omit<FictionalPart, 'mpn' | 'description'>): FictionalPart => ({
  mpn,
  description,
  ...more,
});
const usual = { stock: 12_345, leadDays: 61, lifecycle: 'Active' };

const FICTIONAL_PARTS: readonly FictionalPart[] = [
  part('EX-0603-10K', 'Fictional resistor', { ...usual, breaks: [[1, 1_000], [1_000, 210]] }), // biome-ignore format: pairs
  part('EX-0603-100N', 'Fictional capacitor', { ...usual, breaks: [[1, 2_500], [100, 900], [4_000, 310]] }), // biome-ignore format: pairs
  part('EX-MCU-32', 'Fictional controller', { ...usual, stock: 421, breaks: [[1, 412_345], [10, 380_000], [100, 310_050]] }), // biome-ignore format: pairs
  part('EX-OLD-1', 'Fictional part on its way out', { ...usual, stock: 3, lifecycle: 'End of Life', breaks: [[1, 123_456_789]] }), // biome-ignore format: pairs
  part('EX-NOPRICE-1', 'Fictional part without a price', { ...usual, breaks: [] }),
];

export function partOf(mpn: string): FictionalPart | undefined {
  return FICTIONAL_PARTS.find((one) => one.mpn.toLowerCase() === mpn.toLowerCase());
}

export const euro = (hundredThousandths: number) => hundredThousandths / 100_000;
