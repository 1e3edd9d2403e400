// Findings that are known and not yet fixed: the checks that a page may fail, by its name in the table.
import type { CheckName } from './page-checks.ts';

export const EXCEPTIONS: Readonly<Record<string, readonly CheckName[]>> = {};
