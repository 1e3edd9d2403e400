import type { Env } from '#config/env.ts';

/** What a command may touch of its terminal; data goes to out, diagnostics to err. */
export interface Terminal {
  readonly env: Env;
  out(text: string): void;
  err(text: string): void;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly examples: readonly string[];
  /** Resolves with the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function helpOf({ name, summary, usage, examples }: Command): string {
  const shown = examples.map((example) => `  ${example}`).join('\n');
  return `avouch ${name}: ${summary}\n\nUsage: ./avouch ${usage}\n\nExamples:\n${shown}\n\nExit codes: 0 done, 1 refused or failed, 2 wrong usage\n`;
}

/** Runs it and gives its exit code; what it refuses or fails with is told on the terminal. */
export async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await command.run(args, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`avouch ${command.name}: ${error.message}\n\n${helpOf(command)}`);
      return 2;
    }
    const { startFaultLines } = await import('./start-fault.ts');
    for (const line of startFaultLines(error)) terminal.err(`avouch ${command.name}: ${line}\n`);
    return 1;
  }
}
