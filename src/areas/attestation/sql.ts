import {
  appendedTable,
  as,
  flag,
  integer,
  nullable,
  query,
  type RecordOf,
  table,
  text,
} from '#platform/storage/table.ts';
import type { LookupField } from './lookup-key.ts';

export const FEE = appendedTable('seal_fee', {
  owner: text(),
  attestation_id: as('attestationId', text()),
  schema_id: as('schemaId', text()),
  at: as('sealedAtMs', integer()),
  fee_eurocents: as('feeEurocents', integer()),
  fee_status: as('feeStatus', text()),
});
export const REJECT = table('rejects_index', { key: text(), seq: integer() }, { key: ['key'] });
const LOOKUP_COLUMNS = {
  sha256: text(),
  seq: integer(),
  field: text<LookupField>(),
  attestation_id: as('attestationId', text()),
};
export const LOOKUP = table('seal_lookup', LOOKUP_COLUMNS, { key: ['sha256', 'seq', 'field'] });
export type LookupRow = RecordOf<typeof LOOKUP_COLUMNS>;
export const USE = table(
  'seal_idempotency',
  {
    key_hash: as('keyHash', text()),
    fingerprint: text(),
    reservation: text(),
    until: as('untilMs', integer()),
    seq: nullable(integer()),
    holder: as('isHolder', flag()),
    at: as('atMs', integer()),
  },
  { key: ['key_hash'] },
);

export const REJECTS_OF_KEYS = REJECT.select('WHERE key IN (...)');
/** Whoever held the server secret could else still test a guess of what was erased. */
export const REJECT_FORGET = 'DELETE FROM rejects_index WHERE seq IN (VALUES (CAST($1 AS BIGINT)))';

export const LOOKUPS_OF = query(
  'SELECT attestation_id, seq, field FROM seal_lookup WHERE sha256 = $1 AND seq < $2 ORDER BY seq, field LIMIT $3',
  { attestation_id: text(), seq: integer(), field: text<LookupField>() },
);
/** A digest of a short claim can be guessed: it goes with the claim. */
export const LOOKUP_FORGET = 'DELETE FROM seal_lookup WHERE seq IN (VALUES (CAST($1 AS BIGINT)))';

export const USES_OF_KEYS = USE.select('WHERE key_hash IN (...)');
