import type { CommandGroup } from './command-line.ts';
import { OPERATE } from './specs/operate.ts';
import { USE } from './specs/use.ts';
import { VERIFY } from './specs/verify.ts';

/** Every command, as `./avouch` has them. */
export const ALL_COMMANDS: readonly CommandGroup[] = [
  { title: 'Use', commands: USE },
  { title: 'Verify', commands: VERIFY },
  { title: 'Operate', commands: OPERATE },
];
