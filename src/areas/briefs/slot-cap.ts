import type { Row } from '#storage/store.ts';
import * as sql from './sql.ts';

/**
 * For the unit that grants claims: how many agents may hold a key beside each other because briefs name it. The read
 * takes a list of keys and gives one row per brief, at most a hundred for a key. Of several open briefs the most
 * generous one counts, so that nobody narrows a key by writing one more.
 */
export const SLOT_CAP = {
  sql: sql.SLOTS_OF_KEYS,
  of: (row: Row) => ({
    key: row['key'] as string,
    slots: row['slots'] as number,
    /** Null without end. */
    openUntilMs: row['open_until'] as number | null,
  }),
} as const;

type BriefSlots = ReturnType<(typeof SLOT_CAP)['of']>;

/** The cap that the briefs of one key set at a moment; null when none is open. */
export function slotsAt(briefs: readonly BriefSlots[], nowMs: number): number | null {
  const open = briefs.filter(({ openUntilMs }) => openUntilMs === null || openUntilMs > nowMs);
  return open.length === 0 ? null : Math.max(...open.map(({ slots }) => slots));
}
