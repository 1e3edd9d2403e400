import type { ErasedEntry } from '#platform/log/erasure.ts';
import type { Write } from '#platform/storage/store.ts';
import * as sql from './sql.ts';

/** What is kept of seals whose entries are erased: the references, and the seed and the reference in the kept answer. */
export function forgetSeals(entries: readonly ErasedEntry[]): readonly Write[] {
  const rows = entries.map(({ attestationId, seed, claim }) => [
    attestationId,
    ...cleared('disclosure_seed', seed && Buffer.from(seed, 'base64url').toString('base64')),
    ...cleared('order_id', externalRefIn(claim)),
  ]);
  return [{ sql: sql.SEAL_FORGET, rows }];
}

/** A member as JSON.stringify wrote it, and without its value; a member that is not there is looked for as nothing. */
function cleared(name: string, value: string | null): readonly [string, string] {
  return value === null ? ['', ''] : [JSON.stringify({ [name]: value }).slice(1, -1), `"${name}":null`];
}

function externalRefIn(claim: string | null): string | null {
  const { external_ref: ref } = JSON.parse(claim ?? '{}') as { readonly external_ref?: unknown };
  return typeof ref === 'string' ? ref : null;
}
