const FLAG = 'id, subject, rule, signal, at, salt, refusal_id, attestation_id, lifted_at, ends_at';
const SUSPENSION = 'id, subject, rule, at, until, salt, attestation_id, lifted_at, ends_at';
const COUNT = 'name, times, ends_at';

const values = (columns: string) => {
  const places = columns.split(', ').map((_, i) => '$' + String(i + 1));
  return `(${columns}) VALUES (${places.join(', ')})`;
};
const LIFTED = 'ON CONFLICT (id) DO UPDATE SET lifted_at = excluded.lifted_at';
const DUE = 'WHERE ends_at <= $1 ORDER BY ends_at LIMIT 500';

export const FLAGS_OF_SUBJECTS = `SELECT ${FLAG} FROM rule_flag WHERE subject IN (...)`;
export const SUSPENSIONS_OF_SUBJECTS = `SELECT ${SUSPENSION} FROM rule_suspension WHERE subject IN (...)`;
export const FLAGS_OF_IDS = `SELECT ${FLAG} FROM rule_flag WHERE id IN (...)`;
export const SUSPENSIONS_OF_IDS = `SELECT ${SUSPENSION} FROM rule_suspension WHERE id IN (...)`;
export const COUNTS_OF_NAMES = `SELECT ${COUNT} FROM rule_count WHERE name IN (...)`;
export const FLAGS_DUE = `SELECT ${FLAG} FROM rule_flag ${DUE}`;
export const SUSPENSIONS_DUE = `SELECT ${SUSPENSION} FROM rule_suspension ${DUE}`;
export const COUNTS_DUE = `SELECT ${COUNT} FROM rule_count ${DUE}`;

export const FLAG_UPSERT = `INSERT INTO rule_flag ${values(FLAG)} ${LIFTED}`;
export const SUSPENSION_UPSERT = `INSERT INTO rule_suspension ${values(SUSPENSION)} ${LIFTED}`;
export const COUNT_UPSERT = `INSERT INTO rule_count ${values(COUNT)} ON CONFLICT (name) DO UPDATE SET
  times = excluded.times, ends_at = excluded.ends_at`;
export const FLAG_DELETE = 'DELETE FROM rule_flag WHERE id IN (VALUES ($1))';
export const SUSPENSION_DELETE = 'DELETE FROM rule_suspension WHERE id IN (VALUES ($1))';
export const COUNT_DELETE = 'DELETE FROM rule_count WHERE name IN (VALUES ($1))';

export const SUSPENSIONS_NOW = `SELECT ${SUSPENSION} FROM rule_suspension WHERE until > $1 AND lifted_at IS NULL`;
export const FLAGS_OF = `SELECT ${FLAG} FROM rule_flag WHERE subject = $1 ORDER BY at, id`;
export const SUSPENSIONS_OF = `SELECT ${SUSPENSION} FROM rule_suspension WHERE subject = $1 ORDER BY at, id`;
export const ALL_FLAGS = `SELECT ${FLAG} FROM rule_flag ORDER BY at, id`;
export const ALL_SUSPENSIONS = `SELECT ${SUSPENSION} FROM rule_suspension ORDER BY at, id`;
