import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Found, Query, Unit, Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { type BriefCommand, type BriefResult, type BriefsState, decide } from './decide.ts';
import * as sql from './sql.ts';

/** How this area learns, inside its own transaction, until when agents hold the keys of a list. */
export type HolderRead = Query<{ readonly key: string; readonly untilMs: number }>;

export type BriefUnit = Unit<[BriefCommand, BriefResult], BriefsState, typeof reads>;

/**
 * How commands of briefs read and write their rows. Of a claim and a change in one batch the change counts as the
 * earlier one: whoever reads the brief after the claim was answered reads what it was granted on.
 */
export function briefUnit(holders: HolderRead): BriefUnit {
  return { name: 'briefs', reads: (commands) => reads(commands, holders), load, decide, writes };
}

function reads(commands: readonly BriefCommand[], holders: HolderRead) {
  const ids = new Set<string>();
  const keysMade = new Set<string>();
  const keysChanged = new Set<string>();
  for (const command of commands) {
    if (command.type === 'make') keysMade.add(command.key);
    else {
      ids.add(command.id);
      keysChanged.add(command.key);
    }
  }
  return {
    named: listed(sql.BRIEFS_OF_IDS, ids),
    counted: listed(sql.COUNTS_OF_KEYS, keysMade),
    held: listed(holders, keysChanged),
  };
}

function load({ named, counted, held }: Found<typeof reads>): BriefsState {
  const heldUntilMs = new Map<string, number>();
  for (const { key, untilMs } of held) heldUntilMs.set(key, Math.max(untilMs, heldUntilMs.get(key) ?? 0));
  return {
    briefs: VersionedMap.by(named, ({ id }) => id),
    counts: VersionedMap.by(counted, ({ key }) => key),
    heldUntilMs,
  };
}

function writes(before: BriefsState, after: BriefsState): readonly Write[] {
  return sql.BRIEF.diff(before.briefs, after.briefs);
}
