import type { Unit } from '#platform/storage/store.ts';
import { platformOf, platformRow } from './rows.ts';
import * as sql from './sql.ts';
import type { Platform } from './state.ts';

/** For the operator's list. */
export const PLATFORMS = sql.ALL_PLATFORMS;

interface SuspensionCommand {
  readonly platformId: string;
  readonly status: Platform['status'];
}

type Platforms = ReadonlyMap<string, Platform>;

/** The operator's: a suspended platform may only seal what it holds. Gives the platform, or null where there is none. */
export const suspensionUnit: Unit<[SuspensionCommand, Platform | null], Platforms> = {
  name: 'mandate_suspension',
  reads: (commands) => [{ sql: sql.PLATFORMS_OF_IDS, list: commands.map(({ platformId }) => platformId) }],
  load: ([rows = []]) => new Map(rows.map(platformOf).map((platform) => [platform.id, platform])),
  decide(platforms, _nowMs, _next, { platformId, status }) {
    const platform = platforms.get(platformId);
    if (platform === undefined) return { state: platforms, result: null };
    const changed = { ...platform, status };
    return { state: new Map(platforms).set(platformId, changed), result: changed };
  },
  writes: (before, after) => [
    {
      sql: sql.PLATFORM_UPSERT,
      rows: [...after]
        .filter(([id, platform]) => before.get(id) !== platform)
        .map(([, platform]) => platformRow(platform)),
    },
  ],
};
