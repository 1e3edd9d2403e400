import { VersionedMap } from '#kernel/versioned-map.ts';
import { addressSubject } from '#platform/usage-rules/flag-rules.ts';
import type { Found, Unit, Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { countName, decideBy, type FlagCommand, type FlagDeed, type FlagFigures, type FlagsState } from './decide.ts';
import * as sql from './sql.ts';

export type FlagUnit = Unit<FlagDeed, FlagsState, typeof reads>;

/** How flags, suspensions and what is counted for them are read and written. */
export function flagUnit(figures: FlagFigures): FlagUnit {
  return { name: 'rule_flags', reads, load, decide: decideBy(figures), writes };
}

function reads(commands: readonly FlagCommand[]) {
  const subjects = new Set(commands.flatMap(subjectsOf));
  const ids = new Set(commands.flatMap((command) => (command.type === 'lift' ? [command.id] : [])));
  const counts = commands.flatMap((command) => (command.type === 'count' ? command.counts : []));
  return {
    flagsOfSubjects: listed(sql.FLAGS_OF_SUBJECTS, subjects),
    flags: listed(sql.FLAGS_OF_IDS, ids),
    suspensionsOfSubjects: listed(sql.SUSPENSIONS_OF_SUBJECTS, subjects),
    suspensions: listed(sql.SUSPENSIONS_OF_IDS, ids),
    counts: listed(sql.COUNTS_OF_NAMES, new Set(counts.map(({ signal, of }) => countName(signal, of)))),
  };
}

function subjectsOf(command: FlagCommand): readonly string[] {
  if (command.type === 'flag') return [command.subject];
  return command.type === 'count' ? [addressSubject(command.addressTag)] : [];
}

function load(found: Found<typeof reads>): FlagsState {
  const flags = [...found.flagsOfSubjects, ...found.flags];
  const suspensions = [...found.suspensionsOfSubjects, ...found.suspensions];
  return {
    flags: VersionedMap.by(flags, ({ id }) => id),
    suspensions: VersionedMap.by(suspensions, ({ id }) => id),
    counts: VersionedMap.by(found.counts, ({ name }) => name),
  };
}

function writes(before: FlagsState, after: FlagsState): readonly Write[] {
  return [
    ...sql.FLAG.diff(before.flags, after.flags),
    ...sql.SUSPENSION.diff(before.suspensions, after.suspensions),
    ...sql.COUNT.diff(before.counts, after.counts),
  ];
}
