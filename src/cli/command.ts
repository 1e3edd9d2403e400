import type { Env } from '#platform/config/env.ts';

/** What a command may touch of its terminal; data goes to out, diagnostics to err. */
export interface Terminal {
  readonly env: Env;
  /** How many times longer than usual others may take: the machine of a test may be busy. */
  readonly patience?: number;
  out(text: string): void;
  err(text: string): void;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly examples: readonly string[];
  /** Says more of what the arguments name than the members above do. */
  help?(args: readonly string[]): Promise<string | undefined>;
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
