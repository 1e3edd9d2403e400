import { WORD_CLASSES, type WordClass } from './words/classes.ts';

/** Classes of words as bits, 32 in each number. */
export interface Mask {
  readonly low: number;
  readonly high: number;
}

export const NONE: Mask = { low: 0, high: 0 };
const HALF = 32;

export function maskOf(...names: readonly WordClass[]): Mask {
  return names.map(bitOf).reduce(union, NONE);
}

export function union(a: Mask, b: Mask): Mask {
  return { low: a.low | b.low, high: a.high | b.high };
}

export function without(a: Mask, b: Mask): Mask {
  return { low: a.low & ~b.low, high: a.high & ~b.high };
}

export function meets(a: Mask, b: Mask): boolean {
  return ((a.low & b.low) | (a.high & b.high)) !== 0;
}

export function isNone({ low, high }: Mask): boolean {
  return (low | high) === 0;
}

function bitOf(name: WordClass): Mask {
  // Calm words, the first ones, have no class at all.
  if (name === 'calm') return NONE;
  const index = WORD_CLASSES.indexOf(name) - 1;
  return index < HALF ? { low: 1 << index, high: 0 } : { low: 0, high: 1 << (index - HALF) };
}
