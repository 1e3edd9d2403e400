import { canonicalJson } from '#kernel/canonical-json.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { Claim } from '#protocol/attestation/schema-document.ts';
import type { Store } from '#platform/storage/store.ts';
import type { LookupKey } from './lookup-key.ts';
import * as sql from './sql.ts';

const MAX = 100;
const COVERS = 'Seals that were submitted with index:true.';

export function lookupKeys(claim: Claim): LookupKey[] {
  const { evidence_digests: given } = claim as { evidence_digests?: unknown };
  const digests = (Array.isArray(given) ? given : []).filter(
    (one): one is string => typeof one === 'string' && /^[0-9a-f]{64}$/i.test(one),
  );
  return [
    { sha256: sha256Hex(canonicalJson(claim)), field: 'claim_sha256' },
    ...[...new Set(digests.map((one) => one.toLowerCase()))].map((sha256) => ({
      sha256,
      field: 'evidence_digest' as const,
    })),
  ];
}

/** Rows are written with their entries, so that what the head covers is complete. */
export async function lookUp(store: Pick<Store, 'read'>, log: Pick<PublicLog, 'follow'>, sha256: string) {
  const { size } = await log.follow();
  const found = await store.read(sql.LOOKUPS_OF, [sha256, size, MAX + 1]);
  return {
    sha256,
    matches: found.slice(0, MAX),
    truncated: found.length > MAX,
    covers: COVERS,
    complete_to_seq: size - 1,
    tree_size: size,
  };
}
