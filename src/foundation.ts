import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config/config.ts';
import type { Secrets } from '#config/secrets.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { KeyRing } from '#keys/key-ring.ts';
import { type AppendOnly, keepAppendOnly } from '#ledger/append-only.ts';
import { ServerSecret } from '#keys/server-secret.ts';
import type { AskWitness } from '#log/witnessing.ts';
import type { GuardedClientOptions } from '#outbound/guarded-client.ts';
import type { SettlementBackend } from '#payments/settlement.ts';
import { GroupCommitter } from '#storage/committer.ts';
import { DataLock, LockedError } from '#storage/data-lock.ts';
import type { DatabaseLocation, Engine } from '#storage/engine.ts';
import { loadMigrations, migrate } from '#storage/migrate.ts';
import { SqliteEngine } from '#storage/sqlite.ts';
import type { ModelStandInOptions } from './capability-parts.ts';
import type { StandInOptions } from './register-parts.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  /** Another clock for tests; it then also replaces the database's. */
  readonly clock?: Clock;
  /** Takes the server secret in force for the database's, whatever it was before. */
  readonly acceptSecret?: true;
  /** How a witness is asked, where it is not over HTTP. */
  readonly askWitness?: AskWitness;
  /** Opens what moves the money of paid calls; without it the service starts sooner and settles nothing. */
  readonly opensSettlement?: boolean;
  /** Moves the money of paid calls; without one they are refused uncharged. */
  readonly settlement?: SettlementBackend;
  /** Names the chain of a sandbox, which can be lost. */
  readonly chainInstance?: string;
  /** Stand-ins of registers that somebody else started, with figures for them. */
  readonly registerStandIns?: StandInOptions;
  /** A model provider that somebody else started, in the place of the sandbox's own. */
  readonly modelStandIn?: ModelStandInOptions;
  /** Another way to public addresses, for tests, which have none. */
  readonly probing?: GuardedClientOptions['testing'];
}

const MAX_PROCESSES = 64;

/** What a command-line tool or the service stands on: the migrated store and the keys that belong to it. */
export interface Foundation extends AsyncDisposable {
  readonly clock: Clock;
  readonly store: GroupCommitter;
  readonly keyRing: KeyRing;
  readonly serverSecret: ServerSecret;
  /** What keeps the rows of the ledger as they are, beside the code. */
  readonly appendOnly: AppendOnly;
  /** For a thread that opens a connection of its own; holds the password of the database. */
  readonly location: () => DatabaseLocation;
  /** Names the chain of the audit trail that this process continues. */
  readonly processName: string;
  /** Names this start of the process among all, in the store. */
  readonly processId: string;
}

/** Opens store and keys. `owns` takes the data directory for a server; a tool beside it does without. */
export async function openFoundation(options: ServiceOptions, owns: boolean): Promise<Foundation> {
  const { config, secrets } = options;
  const clock = options.clock ?? systemClock();
  await using stack = new AsyncDisposableStack();
  if (!owns && config.databaseUrl === null && !existsSync(join(config.dataDir, 'avouch.db'))) {
    throw new Error(`there is no database in ${config.dataDir}: start the service first, or set DATA_DIR`);
  }
  const processName = owns ? ownDataDir(config, stack) : 'tool';
  const processId = newCommandId();
  const engine = stack.adopt(await openEngine(config, clock, processId), () => {});
  const store = stack.adopt(
    new GroupCommitter({
      engine,
      clock,
      ...(options.clock !== undefined && { injectedClock: options.clock }),
      ...config.commit,
    }),
    (opened) => opened.close(),
  );
  await migrate(engine, [
    ...(await loadMigrations('storage', new URL('./storage/migrations/', import.meta.url))),
    ...(await loadMigrations('keys', new URL('./keys/migrations/', import.meta.url))),
    ...(await loadMigrations('settlement', new URL('./payments/settlement-migrations/', import.meta.url))),
    ...(await loadMigrations('log', new URL('./log/migrations/', import.meta.url))),
    ...(await loadMigrations('ledger', new URL('./ledger/migrations/', import.meta.url))),
    ...(await loadMigrations('mail', new URL('./mail/migrations/', import.meta.url))),
    ...(await loadMigrations('attestation', new URL('./areas/attestation/migrations/', import.meta.url))),
    ...(await loadMigrations('bounties', new URL('./areas/bounties/migrations/', import.meta.url))),
    ...(await loadMigrations('audits', new URL('./areas/audits/migrations/', import.meta.url))),
    ...(await loadMigrations('verdicts', new URL('./areas/verdicts/migrations/', import.meta.url))),
    ...(await loadMigrations('briefs', new URL('./areas/briefs/migrations/', import.meta.url))),
    ...(await loadMigrations('crossing', new URL('./areas/crossing/migrations/', import.meta.url))),
    ...(await loadMigrations('data', new URL('./areas/data/migrations/', import.meta.url))),
    ...(await loadMigrations('discovery', new URL('./areas/discovery/migrations/', import.meta.url))),
    ...(await loadMigrations('mandates', new URL('./areas/mandates/migrations/', import.meta.url))),
    ...(await loadMigrations('wallet', new URL('./areas/wallet/migrations/', import.meta.url))),
    ...(await loadMigrations('capabilities', new URL('./areas/capabilities/migrations/', import.meta.url))),
    ...(await loadMigrations('orders', new URL('./areas/orders/migrations/', import.meta.url))),
    ...(await loadMigrations('look', new URL('./areas/crossing/look-migrations/', import.meta.url))),
    ...(await loadMigrations('lessons', new URL('./areas/lessons/migrations/', import.meta.url))),
    ...(await loadMigrations('tasks', new URL('./areas/tasks/migrations/', import.meta.url))),
    ...(await loadMigrations('cabinet', new URL('./areas/cabinet/migrations/', import.meta.url))),
    ...(await loadMigrations('payments', new URL('./payments/migrations/', import.meta.url))),
  ]);
  const appendOnly = await keepAppendOnly(engine);
  const directory = join(config.dataDir, 'keys');
  const keyRing = await KeyRing.open({ store, directory, passphrase: secrets.keyPassphrase?.reveal() });
  const { serverSecretFile: file, dataDir } = config;
  const serverSecret = await ServerSecret.open({ store, file, dataDir }, options.acceptSecret);
  const kept = stack.move();
  const location = () => databaseLocation(config);
  const dispose = { [Symbol.asyncDispose]: () => kept.disposeAsync() };
  return { clock, store, keyRing, serverSecret, appendOnly, location, processName, processId, ...dispose };
}

/** One server process owns a SQLite data directory; beside PostgreSQL each takes the first free name. */
function ownDataDir(config: Config, stack: AsyncDisposableStack): string {
  if (config.databaseUrl === null) {
    stack.use(DataLock.take(config.dataDir, 'lock', process.pid));
    return 'p1';
  }
  for (let number = 1; ; number += 1) {
    try {
      stack.use(DataLock.take(config.dataDir, `process-${number}`, process.pid));
      return `p${number}`;
    } catch (error) {
      if (!(error instanceof LockedError) || number === MAX_PROCESSES) throw error;
    }
  }
}

function databaseLocation({ databaseUrl, dataDir }: Config): DatabaseLocation {
  return databaseUrl === null ? { file: join(dataDir, 'avouch.db') } : { url: databaseUrl.reveal() };
}

async function openEngine(config: Config, clock: Clock, processId: string): Promise<Engine> {
  const location = databaseLocation(config);
  if ('file' in location) return new SqliteEngine(location.file, clock);
  // Loaded only when it is used: the embedded form starts without it.
  const { PostgresEngine } = await import('#storage/postgres.ts');
  return PostgresEngine.open({ url: location.url, process: processId, clock });
}
