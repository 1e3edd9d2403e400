import type { Clock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import type { DatabaseLocation, Engine } from './engine.ts';
import type { Snapshot } from './snapshot.ts';
import { SqliteEngine } from './sqlite.ts';
import { SqliteSnapshot } from './sqlite-snapshot.ts';

/** PostgreSQL is loaded only when it is used: the embedded form does without it. */
export async function openEngine(
  location: DatabaseLocation,
  clock: Clock,
  process: string = newCommandId(),
): Promise<Engine> {
  if ('file' in location) return new SqliteEngine(location.file, clock);
  const { PostgresEngine } = await import('./postgres.ts');
  return PostgresEngine.open({ ...location, process, clock });
}

/** The database as it is at this moment, on a connection of its own; whoever writes is not held up. */
export async function openSnapshot(location: DatabaseLocation): Promise<Snapshot> {
  if ('file' in location) return new SqliteSnapshot(location.file);
  const { PostgresSnapshot } = await import('./postgres-snapshot.ts');
  return PostgresSnapshot.open(location);
}
