import { cleanText } from '#kernel/foreign-text.ts';
import type { Check } from '../../verify/avouch-verify.mjs';
import type { Terminal } from './command.ts';

/** One line for each check. What a file says goes in without anything that a terminal would obey. */
export function tellChecks(checks: readonly Check[], terminal: Terminal): void {
  for (const { name, ok, detail } of checks) {
    const made = ok === null ? 'not checked' : ok ? 'ok' : 'FAILED';
    terminal.out(`${made.padEnd(11)} ${name}${detail === undefined ? '' : `: ${cleanText(detail)}`}\n`);
  }
}
