// What can take an acknowledged write away again, and how that is found out.

/** One way to lose what was acknowledged. */
export interface DurabilityRisk {
  readonly id: string;
  readonly text: string;
  readonly fix: string;
  /** Nothing is written over such a connection: each answer would promise too much. */
  readonly isRefused: boolean;
}

const SERVER_RISKS: readonly (DurabilityRisk & { readonly isAt: (facts: ServerFacts) => boolean })[] = [
  {
    id: 'fsync_off',
    text: 'fsync = off: a crash of the database server would lose acknowledged writes.',
    fix: 'Set fsync = on in postgresql.conf.',
    isRefused: true,
    isAt: ({ settings }) => settings['fsync'] !== 'on',
  },
  {
    id: 'commit_not_awaited',
    text: 'synchronous_commit does not wait for the disk or the standby: a crash would lose acknowledged writes.',
    fix: 'Set synchronous_commit = on, and connect without a pooler that drops the settings of the service.',
    isRefused: true,
    isAt: (facts) => !waitsForStandby(facts),
  },
  {
    id: 'full_page_writes_off',
    text: 'full_page_writes = off: a power cut can damage pages of the database.',
    fix: 'Set full_page_writes = on in postgresql.conf.',
    isRefused: false,
    isAt: ({ settings }) => settings['full_page_writes'] !== 'on',
  },
  {
    id: 'asynchronous_standby',
    text: 'A failover to an asynchronous standby would lose acknowledged writes and fork the log.',
    fix: 'Set synchronous_standby_names (Patroni: synchronous_mode and synchronous_mode_strict).',
    isRefused: false,
    isAt: ({ settings, standbys }) => standbys > 0 && settings['synchronous_standby_names'] === '',
  },
];

export const NETWORK_FILE_SYSTEM: DurabilityRisk = {
  id: 'network_file_system',
  text: 'The database is on a network file system.',
  fix: 'Put DATA_DIR on a local disk.',
  isRefused: false,
};

/** What an engine knows of how its commits last, as last checked. */
export interface Durability {
  /** What a commit waits for, in the words of the engine. */
  readonly synchronous: string;
  readonly risks: readonly DurabilityRisk[];
}

/** How a PostgreSQL server keeps what it is told, as it says itself. */
export interface ServerFacts {
  /** By name, as the connection that asks has them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Servers that copy this one and may take its place. */
  readonly standbys: number;
}

/** To a user without rights of its own the server names who copies it, and not in which state. */
export const SERVER_FACTS_SQL = `SELECT
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS synchronous_standby_names,
  CAST((SELECT COUNT(*) FROM pg_stat_replication
    WHERE application_name NOT IN ('pg_basebackup', 'pg_receivewal') AND pid NOT IN (
      SELECT active_pid FROM pg_replication_slots WHERE slot_type = 'logical' AND active_pid IS NOT NULL
    )) AS INTEGER) AS standbys`;

export function serverFacts([row]: readonly Readonly<Record<string, unknown>>[]): ServerFacts {
  const { standbys, ...settings } = row ?? {};
  return { settings: settings as Readonly<Record<string, string>>, standbys: standbys as number };
}

/** Whether a commit comes back when this machine, and the standby where there is one, has it on disk. */
export function waitsForStandby({ settings }: Pick<ServerFacts, 'settings'>): boolean {
  return ['on', 'remote_apply'].includes(settings['synchronous_commit'] ?? '');
}

export function risksOf(facts: ServerFacts): readonly DurabilityRisk[] {
  return SERVER_RISKS.filter(({ isAt }) => isAt(facts));
}

/** Says why nothing may be written, and what to do. */
export class DurabilityError extends Error {
  override readonly name = 'DurabilityError';

  constructor({ text, fix }: DurabilityRisk) {
    super(`${text} ${fix}`);
  }
}
