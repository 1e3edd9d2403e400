import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { Tx } from './state.ts';

/** What the first transaction follows. */
export const GENESIS = '0'.repeat(64);

type Posting = readonly (readonly [account: string, amountMicro: number])[];

/** The digest of what a transaction moves; the audit makes it again from the entries. */
export function fingerprintOf(kind: string, ref: string | null, legs: Posting): string {
  return sha256Hex(canonicalJson([kind, ref, legs]));
}

/** The digest of a transaction and, through the one before it, of all that came before. */
export function chainHash(
  prevHash: string,
  {
    id,
    kind,
    idem,
    fingerprint,
    ref,
    atMs,
    meta,
  }: Pick<Tx, 'id' | 'kind' | 'idem' | 'fingerprint' | 'ref' | 'atMs' | 'meta'>,
): string {
  return sha256Hex(`${prevHash}\n${canonicalJson([id, kind, idem, fingerprint, ref, atMs, meta])}`);
}
