import type { Clock } from '#kernel/clock.ts';
import { SERVER_FACTS_SQL, type ServerFacts, serverFacts } from './durability.ts';
import type { Engine, Reader } from './engine.ts';
import { onlyOne } from './head.ts';
import { integer, query, text } from './table.ts';

/** How a database server or file keeps what it is told, as it says itself. */
export interface EngineFacts extends ServerFacts {
  readonly engine: Engine['name'];
  /** Whether a connection gets the settings that the service asks for. */
  readonly keepsOptions: boolean;
  /** How far the server's clock is surely ahead of this machine's; null where they are the same. */
  readonly clockAheadMs: number | null;
}

/** `setting` is the value in the unit of the setting, where SHOW would say 1min. Every connection asks for `jit`. */
const MORE_SETTINGS = query(
  `SELECT name, setting, source FROM pg_settings WHERE name IN ('wal_sender_timeout', 'jit')`,
  { name: text(), setting: text(), source: text() },
);
const CLOCK = query('SELECT CAST(extract(epoch from clock_timestamp()) * 1000 AS BIGINT) AS now', { now: integer() });

export async function engineFacts(reader: Reader, engine: Engine['name'], clock: Clock): Promise<EngineFacts> {
  if (engine === 'sqlite') {
    const [settings = {}] = await reader.read<Readonly<Record<string, string>>>('PRAGMA journal_mode');
    return { engine, settings, standbys: 0, keepsOptions: true, clockAheadMs: null };
  }
  const { settings, standbys } = serverFacts(await reader.read(SERVER_FACTS_SQL));
  const more = await reader.read(MORE_SETTINGS);
  const beforeMs = clock.now();
  const { now: serverMs } = onlyOne(await reader.read(CLOCK));
  const clockAheadMs = leastDifference(serverMs, beforeMs, clock.now());
  return {
    engine,
    settings: { ...settings, ...Object.fromEntries(more.map(({ name, setting }) => [name, setting])) },
    standbys,
    keepsOptions: more.some(({ name, source }) => name === 'jit' && source === 'client'),
    clockAheadMs,
  };
}

/** The server told its time at some moment between the two: how long it took to ask is no fault of its clock. */
function leastDifference(serverMs: number, beforeMs: number, afterMs: number): number {
  if (serverMs > afterMs) return serverMs - afterMs;
  return Math.min(0, serverMs - beforeMs);
}
