/** What is wrong with the stored log, and what to do about it. */
export class LogError extends Error {
  override readonly name = 'LogError';
  /** The entry that is missing or not the one that was signed, where it is one. */
  readonly seq: number | null;

  constructor(message: string, options: ErrorOptions & { readonly seq?: number } = {}) {
    super(message, options);
    this.seq = options.seq ?? null;
  }
}
