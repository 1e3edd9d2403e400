import { as, derived, integer, json, nullable, query, table, text } from '#platform/storage/table.ts';
import { type Brief, type BriefId, goneAtMs, openUntilMs } from './brief.ts';
import type { BriefCard } from './card.ts';

export const BRIEF = table(
  'brief',
  {
    id: text<BriefId>(),
    key: text(),
    slots: integer(),
    card: json<BriefCard>(),
    tok: as('tokenHash', text()),
    made_at: as('madeAtMs', integer()),
    changed_at: as('changedAtMs', integer()),
    closed_at: as('closedAtMs', nullable(integer())),
    open_until: derived<Brief>(openUntilMs, 'BIGINT'),
    gone_at: derived<Brief>(goneAtMs, 'BIGINT'),
  },
  { key: ['id'], changes: ['slots', 'card', 'changed_at', 'closed_at', 'open_until', 'gone_at'] },
);

export const BRIEFS_OF_IDS = BRIEF.select('WHERE id IN (...)');
export const BRIEF_OF_ID = BRIEF.select('WHERE id = $1');
export const BRIEFS_OF_KEY = BRIEF.select('WHERE key = $1');
export const COUNTS_OF_KEYS = query('SELECT key, COUNT(*) AS briefs FROM brief WHERE key IN (...) GROUP BY key', {
  key: text(),
  briefs: integer(),
});
export const SLOTS_OF_BRIEFS = query('SELECT id, key, slots, open_until FROM brief WHERE id IN (...)', {
  id: text(),
  key: text(),
  slots: integer(),
  open_until: as('openUntilMs', nullable(integer())),
});
export const BRIEF_EXPIRY = BRIEF.expiring({ by: ['gone_at'] });
