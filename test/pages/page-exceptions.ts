// Findings that are known and not yet fixed. Empty AWAITED when every page has passed them.
import type { CheckName } from './page-checks.ts';

/** Checks that pages may still fail. */
const AWAITED: readonly CheckName[] = ['danger', 'h1', 'id', 'requests', 'shift', 'table', 'time', 'weight'];

/** Pages that pass every check: nothing is excepted for them. */
const CLEAN: ReadonlySet<string> = new Set(['status']);

export function exceptionsOf(page: string): readonly CheckName[] {
  return CLEAN.has(page) ? [] : AWAITED;
}
