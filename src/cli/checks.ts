import { cleanText } from '#kernel/foreign-text.ts';
import type { Check } from '../../verify/avouch-verify.mjs';
import type { Output } from './line/output.ts';

/** One line for each check. What a file says goes in without anything that a terminal would obey. */
export function tellChecks(checks: readonly Check[], output: Output): void {
  for (const { name, ok, detail } of checks) {
    const made = ok === null ? 'not checked' : ok ? 'ok' : 'FAILED';
    output.line(`${made.padEnd(11)} ${name}${detail === undefined ? '' : `: ${cleanText(detail)}`}`);
  }
}

/** Where the keys come from the service itself. */
export const KEY_OF_SERVICE = (option: string) =>
  `This key came from the service itself. Pass ${option} with a key you trust.`;
