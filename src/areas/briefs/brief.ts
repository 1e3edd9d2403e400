import { DAY_MS } from '#kernel/clock.ts';
import type { Id } from '#kernel/ids.ts';
import { type BriefCard, CARD_FIELDS, type CardField, deadlineOf } from './card.ts';

export type BriefId = Id<'brf_'>;

/** A stored card. The principal's token itself is never kept, only its hash. */
export interface Brief {
  readonly id: BriefId;
  readonly key: string;
  readonly slots: number;
  readonly card: BriefCard;
  readonly tokenHash: string;
  readonly madeAtMs: number;
  readonly changedAtMs: number;
  readonly closedAtMs: number | null;
}

export const MAX_SLOTS = 100;
export const MAX_FIELD_CHARACTERS = 2_000;
export const MAX_CARD_CHARACTERS = 8_000;
/** A key is read with all its briefs when it is claimed, so their number has an end. */
export const MAX_BRIEFS_OF_KEY = 100;
export const RETENTION_AFTER_END_MS = 30 * DAY_MS;
export const IDLE_RETENTION_MS = 180 * DAY_MS;

/** What a worker works to: it does not change while an agent holds the key. */
export const HELD_FIELDS: readonly CardField[] = ['goal', 'acceptance', 'target', 'boundaries', 'output'];

/** Until when agents may take it up; null without end. */
export function openUntilMs({ closedAtMs, card }: Brief): number | null {
  const ends = [closedAtMs, deadlineOf(card.expires_at)].filter((ms) => ms !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** When it is deleted; one that was changed after its end is kept as long as if it had ended then. */
export function goneAtMs(brief: Brief): number {
  const endMs = openUntilMs(brief);
  if (endMs === null) return brief.changedAtMs + IDLE_RETENTION_MS;
  return Math.max(endMs, brief.changedAtMs) + RETENTION_AFTER_END_MS;
}

export type BriefState = 'open' | 'closed' | 'expired';

export function stateOf(brief: Brief, nowMs: number): BriefState {
  if (brief.closedAtMs !== null) return 'closed';
  const endMs = openUntilMs(brief);
  return endMs !== null && endMs <= nowMs ? 'expired' : 'open';
}

/** The fields that were given with text; a blank one is empty. */
export function cardOf(given: Readonly<Partial<Record<CardField, string | undefined>>>): BriefCard {
  const entries = CARD_FIELDS.map((field) => [field, given[field]] as const).filter(([, text]) => text);
  return Object.fromEntries(entries);
}

/** The card with the fields that were given in place of its own. */
export function changedCard(
  card: BriefCard,
  given: Readonly<Partial<Record<CardField, string | undefined>>>,
): BriefCard {
  const replaced = Object.entries(given).filter(([, text]) => text !== undefined);
  return cardOf({ ...card, ...Object.fromEntries(replaced) });
}

export function cardCharacters(card: BriefCard): number {
  return Object.values(card).reduce((sum, text) => sum + Array.from(text).length, 0);
}
