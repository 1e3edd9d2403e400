import type { Id } from '#kernel/ids.ts';
import {
  appendedTable,
  as,
  type Column,
  derived,
  flag,
  integer,
  json,
  mapped,
  nullable,
  query,
  table,
  text,
} from '#platform/storage/table.ts';
import type { ImportedMandate } from './ap2/import.ts';
import type { CheckResult, VerifyRequest } from './checks.ts';
import { VOIDABLE } from './handshake.ts';
import { type MandateBody, termsOf } from './mandate-body.ts';
import type {
  KeptSeal,
  Mandate,
  MandateErasure,
  Narrowing,
  RegisteredPlatform,
  RemainingBudget,
  Revocation,
  Verification,
  VoidRecord,
} from './state.ts';

export const PLATFORM = table(
  'amh_platform',
  {
    id: text(),
    name: text(),
    mcp_url: as('mcpUrl', text()),
    contact: text(),
    status: text<RegisteredPlatform['status']>(),
    addr: as('addressTag', text()),
    created_at: as('createdAtMs', integer()),
  },
  { key: ['id'], changes: ['status'] },
);
export const PLATFORM_KEY = table(
  'amh_key',
  {
    key_sha256: as('hash', text()),
    key_id: as('keyId', text()),
    platform_id: as('ownerId', text()),
    created_at: as('createdAtMs', integer()),
    last_used_at: as('lastUsedAtMs', nullable(integer())),
    revoked_at: as('revokedAtMs', nullable(integer())),
  },
  { key: ['key_sha256'], changes: ['last_used_at', 'revoked_at'] },
);
const COUNTED = { reserved: integer(), committed: integer(), actions: integer() };
/** None is kept as NULL. */
const narrowings: Column<readonly Narrowing[]> = {
  type: 'TEXT',
  of: (cell) => JSON.parse((cell as string | null) ?? '[]') as Narrowing[],
  cell: (list) => (list.length === 0 ? null : JSON.stringify(list)),
};
export const MANDATE = table(
  'amh_mandate',
  {
    ...COUNTED,
    id: text(),
    body: as('bodyText', text()),
    sha256: text(),
    assurance: text<Mandate['assurance']>(),
    principal_pubkey: derived(({ body }: Mandate) => body.principal_pubkey ?? null),
    control_sha256: as('controlHash', text()),
    cap: derived(({ terms }: Mandate) => terms.cap),
    valid_from: derived(({ terms }: Mandate) => terms.validFromMs),
    valid_until: derived(({ terms }: Mandate) => terms.validUntilMs),
    holds: integer(),
    over_cap: as('isOverCap', flag()),
    sealed_after_revocation: as('isSealedAfterRevocation', flag()),
    created_at: as('createdAtMs', integer()),
    attestation_id: as('attestationId', text()),
    log_seq: as('seq', integer()),
    revocation: nullable(json<Revocation>()),
    agent_id: derived(({ body }: Mandate) => body.agent_id),
    narrowings,
    voids: integer(),
    ap2: nullable(json<ImportedMandate>()),
    erased: nullable(json<MandateErasure>()),
  },
  {
    key: ['id'],
    changes: [
      'reserved',
      'committed',
      'actions',
      'holds',
      'over_cap',
      'sealed_after_revocation',
      'revocation',
      'narrowings',
      'voids',
    ],
  },
);
export const PERIOD = table(
  'amh_period',
  { mandate_id: as('mandateId', text()), period_start: as('startMs', integer()), ...COUNTED },
  { key: ['mandate_id', 'period_start'] },
);
export const NONCE = appendedTable('amh_nonce', { nonce_key: as('nonceKey', text()) });
export const AP2_USE = appendedTable('amh_ap2_use', { use_key: as('useKey', text()), owner: text() });
export const MANDATE_VERIFICATION = table(
  'amh_verification',
  {
    ref: text(),
    mandate_id: as('mandateId', text()),
    platform_id: as('platformId', text()),
    payload_key: as('payloadKey', text()),
    request: json<VerifyRequest>(),
    amount: derived(({ request }: Verification) => request.amount),
    decision: text<Verification['decision']>(),
    reason: text<Verification['reason']>(),
    checks: json<readonly CheckResult[]>(),
    remaining: nullable(json<RemainingBudget>()),
    state: text<Verification['state']>(),
    reserved: integer(),
    committed: integer(),
    late: as('isLate', flag()),
    over_cap: as('isOverCap', flag()),
    period_start: as('periodStartMs', integer()),
    created_at: as('createdAtMs', integer()),
    expires_at: as('expiresAtMs', nullable(integer())),
    attestation_id: as('attestationId', text()),
    log_seq: as('seq', integer()),
    voided: nullable(json<VoidRecord>()),
    ap2_reference: as('ap2Reference', nullable(text())),
  },
  { key: ['ref'], changes: ['state', 'reserved', 'committed', 'late', 'over_cap', 'voided'] },
);
export const MANDATE_SEAL = appendedTable('amh_seal', {
  attestation_id: as('attestationId', text()),
  ref: text(),
  outcome: text<KeptSeal['outcome']>(),
  body_sha256: as('bodySha256', text()),
  external_ref: as('externalRef', nullable(text())),
  settlement_ref: as('settlementRef', nullable(text())),
  evidence: nullable(text()),
  answer: text(),
  at: as('atMs', integer()),
  log_seq: as('seq', integer()),
});
/** $1 is the mandate, $2 what is left of its body, $3 the erasure. */
export const MANDATE_ERASE = `UPDATE amh_mandate SET body = gone.column2, principal_pubkey = NULL, agent_id = NULL,
  ap2 = NULL, erased = gone.column3 FROM (VALUES ($1, $2, $3)) AS gone WHERE id = gone.column1`;
/** $1 is the verification, $2 what is left of what was asked. */
export const REQUEST_FORGET = `UPDATE amh_verification SET request = gone.column2
  FROM (VALUES ($1, $2)) AS gone WHERE ref = gone.column1`;
/** $1 is the entry; $2 and $4 are members of the kept answer as JSON has them, $3 and $5 what takes their place. */
export const SEAL_FORGET = `UPDATE amh_seal SET external_ref = NULL, settlement_ref = NULL, evidence = NULL,
  answer = replace(replace(answer, erased.column2, erased.column3), erased.column4, erased.column5)
  FROM (VALUES ($1, $2, $3, $4, $5)) AS erased WHERE attestation_id = erased.column1`;
export const APPROVAL = table(
  'amh_approval',
  {
    ref: text(),
    mandate_id: as('mandateId', text()),
    payload_key: as('payloadKey', text()),
    amount: integer(),
    currency: text(),
    expires_at: as('expiresAtMs', integer()),
    used_by: as('usedBy', nullable(text())),
  },
  { key: ['ref'], changes: ['used_by'] },
);
export const MANDATE_ANSWER = table(
  'amh_answer',
  {
    key_hash: as('keyHash', text()),
    body_sha256: as('bodySha256', text()),
    answer: text(),
    expires_at: as('expiresAtMs', integer()),
  },
  { key: ['key_hash'] },
);

/** Mandates with what follows from their body. */
const mandates = (rest: string) =>
  mapped(MANDATE.select(rest), (row): Mandate => {
    const body = { ...(JSON.parse(row.bodyText) as MandateBody), ...row.ap2?.fields };
    return { ...row, body, terms: termsOf(body, row.createdAtMs, row.narrowings.at(-1)?.platforms) };
  });

/** All keys of the platforms that the named keys belong to. */
export const KEYS_OF_HASHES = PLATFORM_KEY.select(
  'WHERE platform_id IN (SELECT platform_id FROM amh_key WHERE key_sha256 IN (...))',
);
export const PLATFORMS_OF_KEYS = PLATFORM.select(
  'WHERE id IN (SELECT platform_id FROM amh_key WHERE key_sha256 IN (...))',
);
export const PLATFORMS_OF_IDS = PLATFORM.select('WHERE id IN (...)');
export const ALL_PLATFORMS = PLATFORM.select('ORDER BY created_at, id');
export const REGISTERED_FROM = query('SELECT addr, created_at FROM amh_platform WHERE addr IN (...)', {
  addr: as('addressTag', text()),
  created_at: as('createdAtMs', integer()),
});
export const MANDATES_OF_IDS = mandates('WHERE id IN (...)');
export const MANDATES_OF_REFS = mandates('WHERE id IN (SELECT mandate_id FROM amh_verification WHERE ref IN (...))');
/** The newest period of each: the current one, or none has begun since. */
export const NEWEST_PERIODS = PERIOD.query(`SELECT ${PERIOD.columns('p')} FROM amh_period p WHERE p.mandate_id IN (...)
  AND p.period_start = (SELECT MAX(q.period_start) FROM amh_period q WHERE q.mandate_id = p.mandate_id)`);
export const PERIODS_OF_REFS = PERIOD.query(`SELECT ${PERIOD.columns('p')} FROM amh_period p JOIN amh_verification v
  ON v.mandate_id = p.mandate_id AND v.period_start = p.period_start WHERE v.ref IN (...)`);
export const VERIFICATIONS_OF_REFS = MANDATE_VERIFICATION.select('WHERE ref IN (...)');
/** An index on the state would lead SQLite to every handshake ever made, from three keys on: the state is hidden from it. */
export const VERIFICATIONS_OF_PAYLOADS = MANDATE_VERIFICATION.select(
  `WHERE (state || '') IN ('verified', 'placed', 'confirmed', 'delivered') AND payload_key IN (...)`,
);
/** What is over, or nearly, of the named mandates: all of it, however many others are over too. */
export const HOLDS_DUE_OF_MANDATES = MANDATE_VERIFICATION.select(
  `WHERE state = 'verified' AND expires_at <= $1 AND mandate_id IN (...)`,
);
export const PERIODS_DUE_OF_MANDATES = PERIOD.query(`SELECT ${PERIOD.columns('p')} FROM amh_period p
  WHERE (p.mandate_id, p.period_start) IN (SELECT v.mandate_id, v.period_start FROM amh_verification v
  WHERE v.state = 'verified' AND v.expires_at <= $1 AND v.mandate_id IN (...))`);
/** Those of all mandates, a portion at a time. */
export const HOLDS_DUE = MANDATE_VERIFICATION.select(
  `WHERE state = 'verified' AND expires_at <= $1 ORDER BY expires_at, ref LIMIT 100`,
);
export const MANDATES_DUE = mandates(`WHERE id IN (SELECT mandate_id FROM amh_verification
  WHERE state = 'verified' AND expires_at <= $1 ORDER BY expires_at, ref LIMIT 100)`);
export const PERIODS_DUE =
  PERIOD.query(`SELECT ${PERIOD.columns('p')} FROM amh_period p JOIN (SELECT mandate_id, period_start
  FROM amh_verification WHERE state = 'verified' AND expires_at <= $1 ORDER BY expires_at, ref LIMIT 100) v
  ON v.mandate_id = p.mandate_id AND v.period_start = p.period_start`);
export const AP2_USES_OF_KEYS = AP2_USE.select('WHERE use_key IN (...)');
/** Mandates that were imported under one of the keys. */
export const MANDATES_OF_AP2_KEYS = mandates('WHERE id IN (SELECT owner FROM amh_ap2_use WHERE use_key IN (...))');
export const NONCES_OF_KEYS = NONCE.select('WHERE nonce_key IN (...)');
export const SEALS_OF_REFS = MANDATE_SEAL.select('WHERE ref IN (...)');
export const APPROVALS_OF_REFS = APPROVAL.select('WHERE ref IN (...)');
export const ANSWERS_OF_KEYS = MANDATE_ANSWER.select('WHERE key_hash IN (...)');
export const ANSWER_EXPIRY = MANDATE_ANSWER.expiring({ by: ['expires_at'] });

export const MANDATE_OF_ID = mandates('WHERE id = $1');
export const MANDATES_OF_AGENT = mandates(`WHERE agent_id = $1 AND created_at <= $2 AND (created_at < $2 OR id < $3)
  ORDER BY created_at DESC, id DESC LIMIT $4`);
export const VERIFICATION_OF_REF = MANDATE_VERIFICATION.select('WHERE ref = $1');
/** Of each verification of a mandate and of each of its seals. */
export const ENTRIES_OF_MANDATE = query(
  `SELECT ref, attestation_id, log_seq FROM amh_verification WHERE mandate_id = $1
  UNION ALL SELECT s.ref, s.attestation_id, s.log_seq FROM amh_seal s JOIN amh_verification v ON v.ref = s.ref
  WHERE v.mandate_id = $1 ORDER BY log_seq`,
  { ref: text(), attestation_id: as('attestationId', text()), log_seq: as('seq', integer()) },
);
export const SEALS_OF_REF = MANDATE_SEAL.select('WHERE ref = $1 ORDER BY log_seq');
export const OPEN_HOLDS = MANDATE_VERIFICATION.select(
  `WHERE state = 'verified' AND mandate_id = $1 ORDER BY expires_at LIMIT 1000`,
);
const VOIDABLE_STATES = [...VOIDABLE].map((state) => `'${state}'`).join(', ');
/** What a platform holds of a mandate, has committed or could still commit. */
export const USES_OF_PLATFORM = query(
  `SELECT ref FROM amh_verification
  WHERE mandate_id = $1 AND platform_id = $2 AND state IN (${VOIDABLE_STATES}) ORDER BY ref LIMIT $3`,
  { ref: text() },
);
/** Who has used a mandate. Of one that was used very often the first ones stand for all. */
export const PLATFORMS_THAT_USED = query(
  `SELECT u.platform_id, MAX(p.name) AS name, COUNT(*) AS uses,
  CAST(SUM(u.reserved) AS BIGINT) AS reserved, CAST(SUM(u.committed) AS BIGINT) AS committed
  FROM (SELECT platform_id, reserved, committed FROM amh_verification
    WHERE mandate_id = $1 AND state IN (${VOIDABLE_STATES}) ORDER BY platform_id LIMIT 10000) u
  JOIN amh_platform p ON p.id = u.platform_id GROUP BY u.platform_id ORDER BY u.platform_id`,
  {
    platform_id: text(),
    name: as('untrusted_name', text()),
    uses: integer(),
    reserved: as('reserved_cents', integer()),
    committed: as('committed_cents', integer()),
  },
);
export const PERIOD_OF = PERIOD.select('WHERE mandate_id = $1 AND period_start = $2');
export const PLATFORM_FROM = query('SELECT id FROM amh_platform WHERE addr = $1 ORDER BY created_at, id LIMIT 1', {
  id: text<Id<'plt_'>>(),
});
export const KEY_OF_HASH = query('SELECT platform_id FROM amh_key WHERE key_sha256 = $1 AND revoked_at IS NULL', {
  platform_id: as('platformId', text()),
});
