import { VersionedMap } from '#kernel/versioned-map.ts';
import { addressSubject } from '#platform/usage-rules/flag-rules.ts';
import type { Read, Row, Unit, Write } from '#platform/storage/store.ts';
import { countName, decide, type FlagCommand, type FlagFigures, type FlagResult, type FlagsState } from './decide.ts';
import { countOf, countRow, flagOf, flagRow, suspensionOf, suspensionRow } from './flag.ts';
import * as sql from './sql.ts';

export type FlagUnit = Unit<[FlagCommand, FlagResult], FlagsState>;

/** How flags, suspensions and what is counted for them are read and written. */
export function flagUnit(figures: FlagFigures): FlagUnit {
  return {
    name: 'rule_flags',
    reads,
    load,
    decide: (state, nowMs, _next, command) => decide(state, nowMs, command, figures),
    writes,
  };
}

function reads(commands: readonly FlagCommand[]): readonly Read[] {
  const listed = (text: string, of: (command: FlagCommand) => readonly string[]): Read => {
    return { sql: text, list: [...new Set(commands.flatMap(of))] };
  };
  const sweep = commands.find((command) => command.type === 'sweep');
  const due = (text: string): Read =>
    sweep === undefined ? { sql: text, list: [] } : { sql: text, params: [sweep.dueBeforeMs] };
  const ids = (command: FlagCommand) => (command.type === 'lift' ? [command.id] : []);
  return [
    listed(sql.FLAGS_OF_SUBJECTS, subjectsOf),
    listed(sql.FLAGS_OF_IDS, ids),
    due(sql.FLAGS_DUE),
    listed(sql.SUSPENSIONS_OF_SUBJECTS, subjectsOf),
    listed(sql.SUSPENSIONS_OF_IDS, ids),
    due(sql.SUSPENSIONS_DUE),
    listed(sql.COUNTS_OF_NAMES, (command) =>
      command.type === 'count' ? command.counts.map(({ signal, of }) => countName(signal, of)) : [],
    ),
    due(sql.COUNTS_DUE),
  ];
}

function subjectsOf(command: FlagCommand): readonly string[] {
  if (command.type === 'flag') return [command.subject];
  return command.type === 'count' ? [addressSubject(command.addressTag)] : [];
}

function load(given: readonly (readonly Row[])[]): FlagsState {
  const mapped = <V extends object>(places: readonly number[], of: (row: Row) => V, key: (value: V) => string) =>
    VersionedMap.of(
      places
        .flatMap((place) => given[place] ?? [])
        .map(of)
        .map((value) => [key(value), value] as const),
    );
  return {
    flags: mapped([0, 1, 2], flagOf, ({ id }) => id),
    suspensions: mapped([3, 4, 5], suspensionOf, ({ id }) => id),
    counts: mapped([6, 7], countOf, ({ name }) => name),
  };
}

function writes(before: FlagsState, after: FlagsState): readonly Write[] {
  const changed = <V extends object>(was: VersionedMap<string, V>, is: VersionedMap<string, V>) => {
    const keys = [...is.changesSince(was).keys()];
    return { kept: keys.flatMap((key) => is.get(key) ?? []), gone: keys.filter((key) => is.get(key) === undefined) };
  };
  const flags = changed(before.flags, after.flags);
  const suspensions = changed(before.suspensions, after.suspensions);
  const counts = changed(before.counts, after.counts);
  return [
    { sql: sql.FLAG_UPSERT, rows: flags.kept.map(flagRow) },
    { sql: sql.SUSPENSION_UPSERT, rows: suspensions.kept.map(suspensionRow) },
    { sql: sql.COUNT_UPSERT, rows: counts.kept.map(countRow) },
    { sql: sql.FLAG_DELETE, rows: flags.gone.map((id) => [id]) },
    { sql: sql.SUSPENSION_DELETE, rows: suspensions.gone.map((id) => [id]) },
    { sql: sql.COUNT_DELETE, rows: counts.gone.map((name) => [name]) },
  ];
}
