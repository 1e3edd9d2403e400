import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import type { Secrets } from '#platform/config/secrets.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { KeyRing } from '#platform/keys/key-ring.ts';
import { type AppendOnly, keepAppendOnly } from '#platform/ledger/append-only.ts';
import { ServerSecret } from '#platform/keys/server-secret.ts';
import type { AskWitness } from '#platform/log/witnessing.ts';
import type { GuardedClientOptions } from '#platform/outbound/guarded-client.ts';
import type { SettlementBackend } from '#platform/payments/settlement.ts';
import type { GivenModels, GivenRegisters } from './simulators.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { DataLock, LockedError } from '#platform/storage/data-lock.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { migrate } from '#platform/storage/migrate.ts';
import { openEngine } from '#platform/storage/open-engine.ts';
import { keepPrivate } from '#platform/storage/private-file.ts';
import { requireServable, SERVABLE_MARKS } from '#platform/storage/recovery-mark.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';

import type { SimulatorFigures } from '#platform/registers/open-registers.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  /** Another clock for tests; it then also replaces the database's. */
  readonly clock?: Clock;
  /** Takes the server secret in force for the database's, whatever it was before. */
  readonly acceptSecret?: true;
  /** Opens although files of keys in force are missing, to replace them. */
  readonly lacksKeyFiles?: true;
  /** How a witness is asked, where it is not over HTTP. */
  readonly askWitness?: AskWitness;
  /** Opens what moves the money of paid calls; without it the service starts sooner and settles nothing. */
  readonly opensSettlement?: boolean;
  /** Puts the digest of the usage rules into the log; without it the log of a start has one entry. */
  readonly sealsRules?: boolean;
  /** Moves the money of paid calls; without one they are refused uncharged. */
  readonly settlement?: SettlementBackend;
  /** Names the chain of a sandbox, which can be lost. */
  readonly chainInstance?: string;
  /** Simulators of registers that somebody else started, and figures for them. */
  readonly registerSimulators?: SimulatorFigures & { readonly simulators?: GivenRegisters };
  /** A model provider that somebody else started, in the place of the sandbox's own. */
  readonly modelSimulator?: GivenModels;
  /** How many times longer than usual it waits for others: the machine of a test may be busy. */
  readonly patience?: number;
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
  const { config, secrets, patience = 1 } = options;
  const clock = options.clock ?? systemClock();
  const location = () => databaseLocation(config, patience);
  await using stack = new AsyncDisposableStack();
  if (!owns && config.databaseUrl === null && !existsSync(join(config.dataDir, 'avouch.db'))) {
    throw new Error(`there is no database in ${config.dataDir}: start the service first, or set DATA_DIR`);
  }
  const processName = owns ? ownDataDir(config, stack) : 'tool';
  if (owns && config.databaseUrl === null) keepPrivate(join(config.dataDir, 'avouch.db'), config.profile === 'sandbox');
  const processId = newCommandId();
  const engine = stack.adopt(await openEngine(location(), clock, processId), () => {});
  const store = stack.adopt(
    new GroupCommitter({
      engine,
      clock,
      ...(options.clock !== undefined && { injectedClock: options.clock }),
      ...config.commit,
      patience,
    }),
    (opened) => opened.close(),
  );
  await migrate(engine, await allMigrations());
  requireServable(await store.read(SERVABLE_MARKS));
  const appendOnly = await keepAppendOnly(engine);
  const directory = join(config.dataDir, 'keys');
  const passphrase = secrets.keyPassphrase?.reveal();
  const keyRing = await KeyRing.open({ store, directory, passphrase, lacksFiles: options.lacksKeyFiles });
  const { serverSecretFile: file, dataDir } = config;
  const serverSecret = await ServerSecret.open({ store, file, dataDir }, options.acceptSecret);
  const kept = stack.move();
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

export function databaseLocation({ databaseUrl, dataDir }: Config, patience = 1): DatabaseLocation {
  return databaseUrl === null ? { file: join(dataDir, 'avouch.db') } : { url: databaseUrl.reveal(), patience };
}
