import { hash } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';

/** What was asked, before any normalisation: the buyer can write it down and hash it again. */
export interface FingerprintedRequest {
  readonly method: string;
  readonly path: string;
  /** Decoded; a name that is given twice has a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Lower-case hex, only when there was a body. */
  readonly bodySha256?: string | undefined;
}

/** `request_sha256` of receipts and payment records: SHA-256 over the canonical JSON of the request, in hex. */
export function requestFingerprint({ method, path, query, bodySha256 }: FingerprintedRequest): string {
  const body = bodySha256 === undefined ? {} : { body_sha256: bodySha256 };
  return hash('sha256', canonicalJson({ method, path, query, ...body }), 'hex');
}

/** Pairs of a query in the order in which they came, as the fingerprint takes them. */
export function fingerprintQuery(pairs: Iterable<readonly [string, string]>): Record<string, string | string[]> {
  const grouped = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = grouped.get(name);
    if (values === undefined) grouped.set(name, [value]);
    else values.push(value);
  }
  // Not a plain assignment: a parameter may be called __proto__.
  return Object.fromEntries(
    Array.from(grouped, ([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  );
}
