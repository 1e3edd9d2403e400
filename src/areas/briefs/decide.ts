import { sameHash } from '#kernel/ids.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import {
  type Brief,
  type BriefId,
  cardCharacters,
  changedCard,
  goneAtMs,
  HELD_FIELDS,
  MAX_BRIEFS_OF_KEY,
  MAX_CARD_CHARACTERS,
} from './brief.ts';
import type { BriefCard, CardField } from './card.ts';

export interface BriefsState {
  readonly briefs: VersionedMap<BriefId, Brief>;
  /** How many briefs name each key on which one is made. */
  readonly counts: VersionedMap<string, { readonly briefs: number }>;
  /** Until when the last of its holders has each key on which a brief is changed, if nobody refreshes. */
  readonly heldUntilMs: ReadonlyMap<string, number>;
}

interface MakeCommand {
  readonly type: 'make';
  readonly id: BriefId;
  readonly key: string;
  readonly slots: number;
  readonly card: BriefCard;
  readonly tokenHash: string;
}

interface ChangeCommand {
  readonly type: 'change';
  readonly id: BriefId;
  /** Of the brief; it never changes. */
  readonly key: string;
  readonly tokenHash: string;
  readonly given: Readonly<Partial<Record<CardField, string | undefined>>>;
  readonly slots: number | undefined;
  readonly closes: boolean;
}

export type BriefCommand = MakeCommand | ChangeCommand;

interface Moment {
  readonly atMs: number;
  /** The newest revision; a brief takes none. */
  readonly rev: number;
}

export type BriefResult =
  | (Moment & { readonly outcome: 'stored'; readonly brief: Brief })
  | (Moment & { readonly outcome: 'held'; readonly untilMs: number })
  | (Moment & { readonly outcome: 'key_crowded' | 'unknown' | 'bad_token' | 'closed' | 'too_long' });

interface Decided {
  readonly state: BriefsState;
  readonly result: BriefResult;
}

export function decide(
  state: BriefsState,
  nowMs: number,
  next: { readonly rev: number },
  command: BriefCommand,
): Decided {
  const moment = { atMs: nowMs, rev: next.rev - 1 };
  return command.type === 'make' ? make(state, moment, command) : change(state, moment, command);
}

function make(state: BriefsState, moment: Moment, { type: _type, ...given }: MakeCommand): Decided {
  const known = state.counts.get(given.key)?.briefs ?? 0;
  if (known >= MAX_BRIEFS_OF_KEY) return { state, result: { outcome: 'key_crowded', ...moment } };
  const brief: Brief = { ...given, madeAtMs: moment.atMs, changedAtMs: moment.atMs, closedAtMs: null };
  const briefs = state.briefs.with(brief.id, brief);
  const counts = state.counts.with(brief.key, { briefs: known + 1 });
  return { state: { ...state, briefs, counts }, result: { outcome: 'stored', ...moment, brief } };
}

function change(state: BriefsState, moment: Moment, command: ChangeCommand): Decided {
  const refuse = (outcome: 'unknown' | 'bad_token' | 'closed' | 'too_long'): Decided => {
    return { state, result: { outcome, ...moment } };
  };
  const brief = state.briefs.get(command.id);
  if (brief === undefined || goneAtMs(brief) <= moment.atMs) return refuse('unknown');
  if (!sameHash(brief.tokenHash, command.tokenHash)) return refuse('bad_token');
  const card = changedCard(brief.card, command.given);
  const slots = command.slots ?? brief.slots;
  const isSame = slots === brief.slots && JSON.stringify(card) === JSON.stringify(brief.card);
  if (brief.closedAtMs !== null && !isSame) return refuse('closed');
  if (cardCharacters(card) > MAX_CARD_CHARACTERS) return refuse('too_long');
  const untilMs = state.heldUntilMs.get(brief.key) ?? 0;
  if (untilMs > moment.atMs && HELD_FIELDS.some((field) => card[field] !== brief.card[field])) {
    return { state, result: { outcome: 'held', ...moment, untilMs } };
  }
  const closedAtMs = brief.closedAtMs ?? (command.closes ? moment.atMs : null);
  if (isSame && closedAtMs === brief.closedAtMs) return { state, result: { outcome: 'stored', ...moment, brief } };
  const changed: Brief = { ...brief, card, slots, closedAtMs, changedAtMs: moment.atMs };
  const briefs = state.briefs.with(brief.id, changed);
  return { state: { ...state, briefs }, result: { outcome: 'stored', ...moment, brief: changed } };
}
