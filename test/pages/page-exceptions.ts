// What a page may fail, and why.
import type { CheckName } from './page-checks.ts';

const EXCEPTIONS: Readonly<Record<string, readonly CheckName[]>> = {
  // Without script the notice of what was done does not float: it is above the title.
  'cabinet-key-revoked': ['h1'],
};

export function exceptionsOf(page: string): readonly CheckName[] {
  return EXCEPTIONS[page] ?? [];
}
