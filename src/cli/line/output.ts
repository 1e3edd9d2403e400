import type { Env } from '#platform/config/env.ts';
import { systemClock } from '#kernel/clock.ts';
import { Progress } from './progress.ts';

/** What a command may touch of its terminal; data goes to out, diagnostics to err. */
export interface Terminal {
  readonly env: Env;
  /** How many times longer than usual others may take: the machine of a test may be busy. */
  readonly patience?: number;
  /** Whether a person watches standard error: only then is progress shown. */
  readonly isWatched?: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** What a command says. With --json standard output has nothing but JSON, and standard error a JSON document per line. */
export class Output {
  readonly env: Env;
  readonly patience: number;
  readonly isJson: boolean;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, isJson: boolean) {
    this.#terminal = terminal;
    this.env = terminal.env;
    this.patience = terminal.patience ?? 1;
    this.isJson = isJson;
  }

  /** Data in the form in which it is asked for. */
  out(text: string): void {
    this.#terminal.out(text);
  }

  /** Text of the command line itself, where it is not what was asked for. */
  err(text: string): void {
    this.#terminal.err(text);
  }

  /** A result: one JSON document for programs, or lines for people. */
  result(value: unknown, text: string): void {
    this.out(this.isJson ? `${JSON.stringify(value)}\n` : text);
  }

  /** One line of a result for people; programs get the whole at the end. */
  line(text: string): void {
    if (!this.isJson) this.out(`${text}\n`);
  }

  /** Something worth knowing beside the result. */
  note(text: string): void {
    this.#terminal.err(this.isJson ? `${JSON.stringify({ note: text })}\n` : `${text}\n`);
  }

  warn(text: string): void {
    // It goes on after the colon.
    const said = text.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
    this.#terminal.err(this.isJson ? `${JSON.stringify({ warning: text })}\n` : `Warning: ${said}\n`);
  }

  /** How far long work is. Shown to a person at a terminal, and to nobody else. */
  progress(what: string): Progress {
    const isShown = this.#terminal.isWatched === true && !this.isJson;
    const clock = systemClock();
    return new Progress(what, {
      draw: isShown ? (text) => this.#terminal.err(text) : undefined,
      nowMs: () => clock.monotonicMs(),
    });
  }
}
