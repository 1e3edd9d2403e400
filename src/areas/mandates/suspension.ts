import type { Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import * as sql from './sql.ts';
import type { RegisteredPlatform } from './state.ts';

/** For the operator's list. */
export const PLATFORMS = sql.ALL_PLATFORMS;

interface SuspensionCommand {
  readonly platformId: string;
  readonly status: RegisteredPlatform['status'];
}

type Platforms = ReadonlyMap<string, RegisteredPlatform>;

const reads = (commands: readonly SuspensionCommand[]) => ({
  platforms: listed(
    sql.PLATFORMS_OF_IDS,
    commands.map(({ platformId }) => platformId),
  ),
});

/** The operator's: a suspended platform may only seal what it holds. Gives the platform, or null where there is none. */
export const suspensionUnit: Unit<[SuspensionCommand, RegisteredPlatform | null], Platforms, typeof reads> = {
  name: 'mandate_suspension',
  reads,
  load: ({ platforms }) => new Map(platforms.map((platform) => [platform.id, platform])),
  decide(platforms, _nowMs, _next, { platformId, status }) {
    const platform = platforms.get(platformId);
    if (platform === undefined) return { state: platforms, result: null };
    const changed = { ...platform, status };
    return { state: new Map(platforms).set(platformId, changed), result: changed };
  },
  writes: (before, after) => [
    sql.PLATFORM.upsert([...after.values()].filter((platform) => before.get(platform.id) !== platform)),
  ],
};
