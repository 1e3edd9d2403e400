/** What is wrong with the stored log, and what to do about it. */
export class LogFault extends Error {
  override readonly name = 'LogFault';
  /** The entry that is missing or not the one that was signed, where it is one. */
  readonly seq: number | null;

  constructor(message: string, options: ErrorOptions & { readonly seq?: number } = {}) {
    super(message, options);
    this.seq = options.seq ?? null;
  }
}
