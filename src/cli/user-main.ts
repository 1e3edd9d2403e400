import { runOnTerminal } from './terminal.ts';
import { USER_COMMANDS } from './user-commands.ts';

await runOnTerminal(USER_COMMANDS);
