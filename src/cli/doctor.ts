import type { Command } from './command.ts';
export const doctor = {} as Command;
