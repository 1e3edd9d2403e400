import { DAY_MS } from '#kernel/clock.ts';

export function daysBetween(fromMs: number, toMs: number): number {
  return Math.floor((toMs - fromMs) / DAY_MS);
}
