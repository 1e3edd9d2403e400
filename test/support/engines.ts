// Opens either engine on fresh data, for tests below the service.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { LogSequencer, type SequencerOptions } from '#platform/log/sequencer.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { ed25519NoteSigner } from '#protocol/note.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import type { Engine } from '#platform/storage/engine.ts';
import { type Migration, migrate } from '#platform/storage/migrate.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { PostgresEngine } from '#platform/storage/postgres.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import { nothing } from '#platform/storage/table.ts';
import {
  copySqliteTemplate,
  dropDatabase,
  emptyDatabase,
  type EngineName,
  freshDatabase,
  PATIENCE,
} from './databases.ts';
import { temporaryDirectory } from './temporary.ts';

const clock = systemClock();
const SQLITE_FILE = 'test.db';
const ORIGIN = 'test.invalid/log';
const SIGNER = ed25519NoteSigner(ORIGIN, ed25519PrivateKeyFromSeed(new Uint8Array(32)));

export interface OpenedEngine extends AsyncDisposable {
  readonly engine: Engine;
  /** Another connection to the same data, as a second process would have it. */
  again(): Promise<Engine>;
}

/** An engine on a database without any table. */
export function openEngine(name: EngineName): Promise<OpenedEngine> {
  return openOn(() => emptyDatabase(name));
}

async function openOn(database: (directory: string) => Promise<string | undefined>): Promise<OpenedEngine> {
  const directory = await temporaryDirectory();
  const url = await database(directory);
  const open = async (): Promise<Engine> =>
    url === undefined
      ? new SqliteEngine(join(directory, SQLITE_FILE), clock)
      : PostgresEngine.open({ url, process: newCommandId(), clock, patience: PATIENCE });
  const engines = [await open()];
  return {
    engine: engines[0] as Engine,
    async again() {
      const engine = await open();
      engines.push(engine);
      return engine;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(engines.map((engine) => engine.close()));
      await rm(directory, { recursive: true, force: true });
      if (url !== undefined) await dropDatabase(url);
    },
  };
}

/** A log that one fixed key signs. */
export function testSequencer(options: Partial<SequencerOptions> = {}): LogSequencer {
  return new LogSequencer({ origin: ORIGIN, signers: { inForceRead: nothing(), of: () => [SIGNER] }, ...options });
}

export interface OpenedStore extends OpenedEngine {
  readonly store: GroupCommitter;
  /** A committer of its own on the same data, as a second process would have it. */
  beside(): Promise<GroupCommitter>;
}

export async function openStore(
  name: EngineName,
  options: { injectedClock?: Clock; maxQueue?: number; migrations?: readonly Migration[] } = {},
): Promise<OpenedStore> {
  const opened = await openOn(async (directory) => {
    if (name === 'sqlite') await copySqliteTemplate(directory, SQLITE_FILE);
    return freshDatabase(name);
  });
  if (options.migrations !== undefined) {
    await migrate(opened.engine, [...(await allMigrations()), ...options.migrations]);
  }
  const { injectedClock, maxQueue = 10_000 } = options;
  const clocks = { clock, ...(injectedClock !== undefined && { injectedClock }) };
  const committer = (engine: Engine) => {
    const store = new GroupCommitter({ engine, ...clocks, maxBatch: 256, maxQueue });
    store.attachLog(testSequencer());
    return store;
  };
  return {
    ...opened,
    store: committer(opened.engine),
    beside: async () => committer(await opened.again()),
  };
}
