import { ALL_COMMANDS } from './cli/commands.ts';
import { runOnTerminal } from './cli/terminal.ts';

await runOnTerminal(ALL_COMMANDS);
