/** What a reference leads to: an entry of the log, or facts of its own where none stands behind it. */
export interface FoundReference {
  readonly entry: string | null;
  readonly url: string;
  readonly facts?: {
    readonly valid: boolean | null;
    readonly checks: { readonly name: string; readonly ok: boolean | null }[];
  };
}

/** A kind of reference that the service issues. */
export interface ReferenceForm {
  readonly pattern: RegExp;
  readonly kind: string;
  /** Undefined where none of this text was issued. */
  find(ref: string): Promise<FoundReference | undefined>;
}

/** What is found by its entry alone. */
export function foundEntry(entry: string | null): FoundReference {
  return { entry, url: entry === null ? '/api/attest/ledger' : verifyUrl(entry) };
}

export function verifyUrl(entry: string): string {
  return `/api/attest/verify/${entry}`;
}
