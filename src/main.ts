import { setFlagsFromString } from 'node:v8';
import { ALL_COMMANDS } from './cli/commands.ts';
import { runOnTerminal } from './cli/terminal.ts';

// Else V8 collects the whole heap for every 64 MB of bodies that come: in a flood of them that took more than all calls.
setFlagsFromString('--external-memory-accounted-in-global-limit');
await runOnTerminal(ALL_COMMANDS);
