import { as, integer, json, nullable, table, text } from '#platform/storage/table.ts';
import type { FlagRule, SignalName, Subject } from './flag-rules.ts';

const COMMON = {
  id: text(),
  subject: text<Subject>(),
  rule: text<FlagRule>(),
  at: as('atMs', integer()),
  salt: text(),
  attestation_id: as('attestationId', text()),
  lifted_at: as('liftedAtMs', nullable(integer())),
  ends_at: as('endsAtMs', integer()),
};
export const FLAG = table(
  'rule_flag',
  { ...COMMON, signal: text<SignalName>(), refusal_id: as('refusalId', nullable(text())) },
  { key: ['id'], changes: ['lifted_at'] },
);
export const SUSPENSION = table(
  'rule_suspension',
  { ...COMMON, until: as('untilMs', integer()) },
  { key: ['id'], changes: ['lifted_at'] },
);
export const COUNT = table(
  'rule_count',
  { name: text(), times: json<readonly number[]>(), ends_at: as('endsAtMs', integer()) },
  { key: ['name'] },
);

export const FLAGS_OF_SUBJECTS = FLAG.select('WHERE subject IN (...)');
export const SUSPENSIONS_OF_SUBJECTS = SUSPENSION.select('WHERE subject IN (...)');
export const FLAGS_OF_IDS = FLAG.select('WHERE id IN (...)');
export const SUSPENSIONS_OF_IDS = SUSPENSION.select('WHERE id IN (...)');
export const COUNTS_OF_NAMES = COUNT.select('WHERE name IN (...)');
export const RULE_EXPIRIES = [FLAG, SUSPENSION, COUNT].map((one) => one.expiring({ by: ['ends_at'] }));

export const SUSPENSIONS_NOW = SUSPENSION.select('WHERE until > $1 AND lifted_at IS NULL');
export const FLAGS_OF = FLAG.select('WHERE subject = $1 ORDER BY at, id');
export const SUSPENSIONS_OF = SUSPENSION.select('WHERE subject = $1 ORDER BY at, id');
export const ALL_FLAGS = FLAG.select('ORDER BY at, id');
export const ALL_SUSPENSIONS = SUSPENSION.select('ORDER BY at, id');
