import type { Clock } from '#kernel/clock.ts';
import type { Engine, Reader } from './engine.ts';
import { onlyOne } from './head.ts';
import { integer, query, text } from './table.ts';

/** How a database server or file keeps what it is told, as it says itself. */
export interface EngineFacts {
  readonly engine: Engine['name'];
  /** Settings that durability rests on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Servers that copy this one, and the names of those that commits wait for. */
  readonly standbys: number;
  readonly synchronousStandbys: string;
  /** How far the server's clock is surely ahead of this machine's; null where they are the same. */
  readonly clockAheadMs: number | null;
}

/** `setting` is the value in the unit of the setting, where SHOW would say 1min. */
const POSTGRES_SETTINGS = query(
  `SELECT name, setting FROM pg_settings WHERE name IN
  ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sender_timeout')`,
  { name: text(), setting: text() },
);
const CLOCK = query('SELECT CAST(extract(epoch from clock_timestamp()) * 1000 AS BIGINT) AS now', { now: integer() });
const STANDBYS = query('SELECT CAST(COUNT(*) AS BIGINT) AS count FROM pg_stat_replication', { count: integer() });

export async function engineFacts(reader: Reader, engine: Engine['name'], clock: Clock): Promise<EngineFacts> {
  const shown = async (sql: string) => String(Object.values((await reader.read(sql))[0] ?? {})[0]);
  if (engine === 'sqlite') {
    const settings = { journal_mode: await shown('PRAGMA journal_mode') };
    return { engine, settings, standbys: 0, synchronousStandbys: '', clockAheadMs: null };
  }
  const rows = await reader.read(POSTGRES_SETTINGS);
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const beforeMs = clock.now();
  const { now: serverMs } = onlyOne(await reader.read(CLOCK));
  const clockAheadMs = leastDifference(serverMs, beforeMs, clock.now());
  return {
    engine,
    settings,
    clockAheadMs,
    standbys: onlyOne(await reader.read(STANDBYS)).count,
    synchronousStandbys: await shown('SHOW synchronous_standby_names'),
  };
}

/** The server told its time at some moment between the two: how long it took to ask is no fault of its clock. */
function leastDifference(serverMs: number, beforeMs: number, afterMs: number): number {
  if (serverMs > afterMs) return serverMs - afterMs;
  return Math.min(0, serverMs - beforeMs);
}
