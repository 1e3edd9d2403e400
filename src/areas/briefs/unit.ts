import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import { type Brief, type BriefId, goneAtMs, openUntilMs } from './brief.ts';
import type { Card } from './card.ts';
import { type BriefCommand, type BriefResult, type BriefsState, decide } from './decide.ts';
import * as sql from './sql.ts';

/** How this room learns, inside its own transaction, until when agents hold keys. */
export interface HolderRead {
  /** Reads a row for each lease on the keys of a list. */
  readonly sql: string;
  readonly of: (row: Row) => { readonly key: string; readonly untilMs: number };
}

export type BriefUnit = Unit<BriefCommand, BriefsState, BriefResult>;

/**
 * How commands of briefs read and write their rows. Of a claim and a change in one batch the change counts as the
 * earlier one: whoever reads the brief after the claim was answered reads what it was granted on.
 */
export function briefUnit(holders: HolderRead): BriefUnit {
  return { name: 'briefs', reads: (commands) => reads(commands, holders), load: loadWith(holders), decide, writes };
}

function reads(commands: readonly BriefCommand[], holders: HolderRead): readonly Read[] {
  const ids = new Set<string>();
  const keysMade = new Set<string>();
  const keysChanged = new Set<string>();
  let dueBeforeMs = Number.NEGATIVE_INFINITY;
  for (const command of commands) {
    if (command.type === 'sweep') dueBeforeMs = Math.max(dueBeforeMs, command.dueBeforeMs);
    else if (command.type === 'make') keysMade.add(command.key);
    else {
      ids.add(command.id);
      keysChanged.add(command.key);
    }
  }
  return [
    { sql: sql.BRIEFS_OF_IDS, list: [...ids] },
    { sql: sql.COUNTS_OF_KEYS, list: [...keysMade] },
    { sql: holders.sql, list: [...keysChanged] },
    dueBeforeMs < 0 ? { sql: sql.BRIEFS_DUE, list: [] } : { sql: sql.BRIEFS_DUE, params: [dueBeforeMs] },
  ];
}

function loadWith(holders: HolderRead): BriefUnit['load'] {
  return ([named = [], counted = [], held = [], due = []]) => {
    const heldUntilMs = new Map<string, number>();
    for (const { key, untilMs } of held.map(holders.of)) {
      heldUntilMs.set(key, Math.max(untilMs, heldUntilMs.get(key) ?? 0));
    }
    return {
      briefs: VersionedMap.of([...named, ...due].map((row) => [row['id'] as BriefId, briefOfRow(row)] as const)),
      counts: VersionedMap.of(
        counted.map((row) => [row['key'] as string, { briefs: row['briefs'] as number }] as const),
      ),
      heldUntilMs,
      due: due.map((row) => row['id'] as BriefId),
    };
  };
}

function writes(before: BriefsState, after: BriefsState): readonly Write[] {
  const gone: Cell[][] = [];
  const put: Cell[][] = [];
  for (const [id, briefBefore] of after.briefs.changesSince(before.briefs)) {
    const brief = after.briefs.get(id);
    if (brief !== undefined) put.push(cellsOf(brief));
    else if (briefBefore !== undefined) gone.push([id]);
  }
  return [
    { sql: sql.BRIEF_DELETE, rows: gone },
    { sql: sql.BRIEF_UPSERT, rows: put },
  ];
}

export function briefOfRow(row: Row): Brief {
  return {
    id: row['id'] as BriefId,
    key: row['key'] as string,
    slots: row['slots'] as number,
    card: JSON.parse(row['card'] as string) as Card,
    tokenHash: row['tok'] as string,
    madeAtMs: row['made_at'] as number,
    changedAtMs: row['changed_at'] as number,
    closedAtMs: row['closed_at'] as number | null,
  };
}

function cellsOf(brief: Brief): Cell[] {
  const { id, key, slots, card, tokenHash, madeAtMs, changedAtMs, closedAtMs } = brief;
  const ends = [openUntilMs(brief), goneAtMs(brief)];
  return [id, key, slots, JSON.stringify(card), tokenHash, madeAtMs, changedAtMs, closedAtMs, ...ends];
}
