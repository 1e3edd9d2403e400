import type { CommandGroup } from './command-line.ts';
import type { CommandSpec } from './line/spec.ts';
import { USE } from './specs/use.ts';
import { VERIFY } from './specs/verify.ts';

/** Need the service itself, its packages or its data. */
export const NEED_THE_SERVICE: ReadonlySet<string> = new Set([
  ...['tour', 'pay', 'call', 'screen'],
  ...['fsck', 'audit-trail', 'witness'],
]);

const without = (commands: readonly CommandSpec[]) => commands.filter(({ name }) => !NEED_THE_SERVICE.has(name));

/** What callers of a service do from anywhere: the commands of the package `@avouch/cli`. */
export const USER_COMMANDS: readonly CommandGroup[] = [
  { title: 'Use', commands: without(USE) },
  { title: 'Verify', commands: without(VERIFY) },
];
