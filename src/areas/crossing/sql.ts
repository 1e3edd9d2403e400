import type { VerifiedIdentity } from '#kernel/identity.ts';
import type { LeaseId } from '#kernel/ids.ts';
import type { MarkKind, ReleaseOutcome } from '#protocol/attestation/leaf-entry.ts';
import { as, derived, flag, integer, json, nullable, query, table, text } from '#platform/storage/table.ts';
import type { EndedLease, LeaseMode } from './lease/lease.ts';
import { fadesAtMs, type Weighed } from './mark/mark-weight.ts';

export const LEASE = table(
  'lease',
  {
    key: text(),
    id: text<LeaseId>(),
    agent: text(),
    mode: text<LeaseMode>(),
    tok: as('tokenHash', text()),
    intent: nullable(text()),
    hops: nullable(integer()),
    addr: as('addressTag', text()),
    since: as('sinceMs', integer()),
    evidence_at: as('evidenceAtMs', nullable(integer())),
    expires_at: as('expiresAtMs', integer()),
    fence: integer(),
    identity: nullable(json<VerifiedIdentity>()),
  },
  { key: ['key', 'id'], changes: ['evidence_at', 'expires_at'] },
);
export const ENDED_LEASE = table(
  'ended',
  {
    id: text<LeaseId>(),
    key: text(),
    agent: text(),
    tok: as('tokenHash', text()),
    addr: as('addressTag', text()),
    mode: text<LeaseMode>(),
    fence: integer(),
    how: text<EndedLease['how']>(),
    ended_at: as('endedAtMs', integer()),
    rev: integer(),
    seq: nullable(integer()),
    outcome: nullable(text<ReleaseOutcome>()),
    mark_seq: as('markSeq', nullable(integer())),
    mark_refused: as('markRefused', nullable(text<'mark_limit' | 'rule_refused'>())),
  },
  { key: ['id'] },
);
export const ONCE = table(
  'once',
  { intent: text(), until: as('untilMs', integer()), fence: integer() },
  { key: ['intent'] },
);
export const TICKET = table(
  'ticket',
  {
    key: text(),
    agent: text(),
    proof: text(),
    place: integer(),
    keep_until: as('keepUntilMs', integer()),
    free_at: as('freeAtMs', nullable(integer())),
  },
  { key: ['key', 'agent', 'proof'] },
);
const SPEAKING = {
  seq: integer(),
  kind: text<MarkKind>(),
  agent: text(),
  note: nullable(text()),
  evidence: nullable(text()),
  leased: flag(),
  addr: as('addressTag', text()),
  at: as('atMs', integer()),
  identity: nullable(json<VerifiedIdentity>()),
};
export const MARK = table(
  'mark',
  { ...SPEAKING, rev: integer(), key: text(), fades_at: derived<Weighed>(fadesAtMs) },
  { key: ['seq'] },
);
export const LOOK = table('look', { key: text(), agent: text(), at: as('atMs', integer()) }, { key: ['key', 'agent'] });

export const LEASES_OF_KEYS = LEASE.select('WHERE key IN (...)');
export const LEASES_OF_AGENT = LEASE.select('WHERE key = $1 AND agent = $2');
/** All leases of the keys that the named leases are on, so that a release needs no second round of reads. */
export const LEASES_OF_SAME_KEYS = LEASE.select('WHERE key IN (SELECT key FROM lease WHERE id IN (...))');
/** Few: each key may have many leases and a long line. */
const KEYS_DUE = 'SELECT key FROM lease WHERE expires_at <= $1 ORDER BY expires_at, fence LIMIT 32';
/** All leases of the keys where one is past its time: whether a key is free also depends on the others. */
export const LEASES_DUE = LEASE.select(`WHERE key IN (${KEYS_DUE})`);
export const KEY_OF_LEASE = query('SELECT key FROM lease WHERE id = $1', { key: text() });
export const ENTRY_OF_LEASE = query(
  `SELECT seq FROM ended WHERE id = $1
  UNION ALL SELECT NULL AS seq FROM lease WHERE id = $1`,
  { seq: nullable(integer()) },
);
export const ENDED_LEASES_BY_ID = ENDED_LEASE.select('WHERE id IN (...)');
/** The live grants of a key, the ended one that is asked about, and the newest ended one. */
export const GRANTS_OF_KEY = query(
  `SELECT fence, mode, expires_at, NULL AS how FROM lease WHERE key = $1
  UNION ALL SELECT fence, mode, ended_at, how FROM ended WHERE key = $1 AND fence = $2
  UNION ALL SELECT fence, mode, ended_at, how FROM ended WHERE key = $1
    AND fence = (SELECT MAX(fence) FROM ended WHERE key = $1)`,
  {
    fence: integer(),
    mode: text<LeaseMode>(),
    expires_at: as('expiresAtMs', integer()),
    how: nullable(text<EndedLease['how']>()),
  },
);
export const ENDED_DUE = ENDED_LEASE.select('WHERE ended_at <= $1 ORDER BY ended_at, rev LIMIT 100');
export const ONCE_OF_INTENTS = ONCE.select('WHERE intent IN (...)');
export const ONCE_OF_LEASES = ONCE.select('WHERE fence IN (SELECT fence FROM lease WHERE id IN (...))');
export const ONCE_DUE = ONCE.select('WHERE until <= $1 ORDER BY until, fence LIMIT 100');
export const TICKETS_OF_KEY = TICKET.select('WHERE key = $1');
export const TICKETS_OF_KEYS = TICKET.select('WHERE key IN (...)');
export const TICKETS_BESIDE = TICKET.select('WHERE key IN (SELECT key FROM lease WHERE id IN (...))');
export const TICKETS_OF_DUE_LEASES = TICKET.select(`WHERE key IN (${KEYS_DUE})`);
/** Whole lines that nobody stands in any more. */
export const TICKETS_DUE = TICKET.select(
  'WHERE key IN (SELECT key FROM ticket GROUP BY key HAVING MAX(keep_until) <= $1 LIMIT 100)',
);
/** At most three rows a day for each caller: an address and a key. */
export const MARKS_OF_CALLERS = MARK.select(`WHERE addr || ' ' || key IN (...)`);
export const MARKS_DUE = query('SELECT seq, fades_at FROM mark WHERE fades_at <= $1 ORDER BY fades_at, seq LIMIT 100', {
  seq: integer(),
  fades_at: as('fadesAtMs', integer()),
});
export const LAST_HELD = query(
  `SELECT key, addr, agent, MAX(ended_at) AS ended_at FROM ended
  WHERE addr || ' ' || key IN (...) GROUP BY key, addr, agent`,
  { key: text(), addr: as('addressTag', text()), agent: text(), ended_at: as('endedAtMs', integer()) },
);

/**
 * A grant leaves at most `MAX_SHARED_LEASES` rows; an earlier version left more. Of too many those that stay longest:
 * such a key is full, and until when, as for a claim. The minus keeps engines from walking the leases of all keys by
 * their expiry.
 */
export const LEASES_OF_KEY = LEASE.select('WHERE key = $1 ORDER BY -expires_at LIMIT 1024');
/** More of either are not looked at for a board. */
export const MAX_BOARD_ROWS = 200;
export const KEYS_HELD = query(
  `SELECT key FROM lease WHERE expires_at > $1 ORDER BY expires_at DESC LIMIT ${MAX_BOARD_ROWS}`,
  { key: text() },
);
export const KEYS_MARKED = query(`SELECT key FROM mark WHERE fades_at > $1 ORDER BY seq DESC LIMIT ${MAX_BOARD_ROWS}`, {
  key: text(),
});
export const LIVE_LEASES = query('SELECT COUNT(*) AS live FROM lease WHERE expires_at > $1', { live: integer() });
export const LOOKERS_OF_KEY = LOOK.select('WHERE key = $1 AND at > $2 LIMIT 512');
/** For units of other areas: the leases on the keys of a list, and until when each lives. */
export const HOLDERS_OF_KEYS = query('SELECT key, expires_at FROM lease WHERE key IN (...)', {
  key: text(),
  expires_at: as('untilMs', integer()),
});

const marksOfKey = (rest: string) =>
  query(
    `SELECT seq, kind, agent, note, evidence, leased, addr, at, identity FROM mark WHERE key = $1 ${rest}`,
    SPEAKING,
  );
/** More marks than this on one key are read by what they count for, not by age alone. */
export const MAX_MARKS = 128;
export const SELECT_LATEST_MARKS = marksOfKey(`AND fades_at > $2 ORDER BY seq DESC LIMIT ${MAX_MARKS}`);
/** A crowd of notes, or of marks without proof, must not hide proven ones: those come for each kind apart. */
export const SELECT_LATEST_SCORED_MARKS = marksOfKey(
  `AND fades_at > $2 AND kind <> 'note' ORDER BY seq DESC LIMIT ${MAX_MARKS}`,
);
export const PROVEN_MARKS = marksOfKey(`AND fades_at > $2 AND kind = $3 AND leased = 1 AND evidence IS NOT NULL
  ORDER BY seq DESC LIMIT 64`);
