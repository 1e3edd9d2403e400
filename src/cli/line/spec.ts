import type { Output } from './output.ts';

/** One option of a command. The same row is parsed, checked and shown in help. */
export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** Stands for the value in help, such as `<seconds>`; a flag has none. */
  readonly value?: string;
  readonly help: string;
  /** What holds without the option. */
  readonly fallback?: string;
  readonly isRequired?: boolean;
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly number?: NumberForm;
  /** What the option means when no value follows it. */
  readonly alone?: string;
}

export interface NumberForm {
  readonly isWhole?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** A word that is not an option. */
export interface Operand {
  readonly name: string;
  readonly help: string;
  readonly isOptional?: boolean;
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
}

/** What a command line says, after every word of it was checked against the tables. */
export interface Given {
  readonly operands: readonly string[];
  /** Values of the options that are given at most once. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Values of the options that may be repeated. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  readonly flags: ReadonlySet<string>;
}

/** Resolves with the exit code. */
export type Run = (given: Given, output: Output) => Promise<number>;

export interface CommandSpec {
  readonly name: string;
  /** One line, in sentence case. */
  readonly summary: string;
  readonly operands?: readonly Operand[];
  readonly options?: readonly Option[];
  /** Paragraphs that say more than the summary. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
  /** Exit codes that mean something of their own for this command. */
  readonly exits?: Readonly<Record<number, string>>;
  readonly subcommands?: readonly CommandSpec[];
  /** What --json prints; null for a command whose --json is an option of its own. */
  readonly json?: string | null;
  /** Takes the arguments apart by itself, since its options depend on them. */
  readonly isRaw?: boolean;
  /** Help about what the arguments name, where there is such. */
  readonly helpAbout?: (args: readonly string[]) => Promise<string | undefined>;
  /** Loaded when it runs: help needs nothing of the service. */
  readonly load?: () => Promise<Run>;
}

/** What a command needs is missing or cannot be used, as the message says: exit code 1. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The command line itself is wrong, and nothing was done: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The words of the command whose help says more; that of the command that runs where there is none. */
  readonly path: string | undefined;

  constructor(message: string, path?: string) {
    super(message);
    this.path = path;
  }
}
