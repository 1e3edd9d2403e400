import { as, integer, mapped, nullable, query, type RecordOf, table, text } from '#platform/storage/table.ts';

/** Where a check stands in the public log. */
export interface CheckSeal {
  readonly attestationId: string;
  readonly seq: number;
  readonly atMs: number;
}

export interface FreeCheck {
  readonly id: string;
  /** Day tag of the address: those of one day are all that bear it. */
  readonly addressTag: string;
  /** The whole answer, in canonical JSON. */
  readonly answer: string;
  readonly purpose: string | null;
  readonly atMs: number;
  readonly seal: CheckSeal | null;
}

const CHECK_COLUMNS = {
  id: text(),
  addr: as('addressTag', text()),
  answer: text(),
  purpose: nullable(text()),
  at: as('atMs', integer()),
  attestation_id: as('attestationId', nullable(text())),
  log_seq: as('logSeq', nullable(integer())),
  sealed_at: as('sealedAtMs', nullable(integer())),
};
export const CHECK = table('free_check', CHECK_COLUMNS, {
  key: ['id'],
  changes: ['attestation_id', 'log_seq', 'sealed_at'],
});

type StoredCheck = RecordOf<typeof CHECK_COLUMNS>;

/** A check as its columns hold it. */
export function storedCheck({ seal, ...check }: FreeCheck): StoredCheck {
  const { attestationId = null, seq = null, atMs = null } = seal ?? {};
  return { ...check, attestationId, logSeq: seq, sealedAtMs: atMs };
}

function checkOf({ attestationId, logSeq, sealedAtMs, ...check }: StoredCheck): FreeCheck {
  const isSealed = attestationId !== null && logSeq !== null && sealedAtMs !== null;
  return { ...check, seal: isSealed ? { attestationId, seq: logSeq, atMs: sealedAtMs } : null };
}

const checks = (rest: string) => mapped(CHECK.select(rest), checkOf);

export const CHECKS_OF_IDS = checks('WHERE id IN (...)');
export const CHECK_OF_ID = checks('WHERE id = $1');
export const ASKED_FROM = query('SELECT id, addr FROM free_check WHERE addr IN (...)', {
  id: text(),
  addr: as('addressTag', text()),
});
export const COUNT_FROM = query('SELECT COUNT(*) AS checks FROM free_check WHERE addr = $1', { checks: integer() });
