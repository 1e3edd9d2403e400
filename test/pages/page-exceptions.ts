// Findings that are known and not yet fixed. Empty AWAITED when every page has passed them.
import type { CheckName } from './page-checks.ts';

/** Checks that pages may still fail. */
const AWAITED: readonly CheckName[] = [];

/** Pages that pass all others, with what they still fail. */
const HELD: Readonly<Record<string, readonly CheckName[]>> = {};

export function exceptionsOf(page: string): readonly CheckName[] {
  return HELD[page] ?? AWAITED;
}
