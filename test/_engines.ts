// Opens either engine on fresh data, for tests below the service.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import { LogSequencer } from '#log/sequencer.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { ed25519NoteSigner } from '#protocol/note.ts';
import { GroupCommitter } from '#storage/committer.ts';
import type { Engine } from '#storage/engine.ts';
import { loadMigrations, type Migration, migrate } from '#storage/migrate.ts';
import { PostgresEngine } from '#storage/postgres.ts';
import { SqliteEngine } from '#storage/sqlite.ts';
import { type EngineName, freshDatabase, temporaryDirectory } from './_harness.ts';

const clock = systemClock();
const ORIGIN = 'test.invalid/log';
const SIGNER = ed25519NoteSigner(ORIGIN, ed25519PrivateKeyFromSeed(new Uint8Array(32)));

export interface OpenedEngine extends AsyncDisposable {
  readonly engine: Engine;
  /** Another connection to the same data, as a second process would have it. */
  again(): Promise<Engine>;
}

export async function openEngine(name: EngineName): Promise<OpenedEngine> {
  const directory = await temporaryDirectory();
  const url = await freshDatabase(name);
  const open = async (): Promise<Engine> =>
    url === undefined
      ? new SqliteEngine(join(directory, 'test.db'), clock)
      : PostgresEngine.open({ url, process: newCommandId(), clock });
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
    },
  };
}

/** The schema of the whole service. */
export async function allMigrations(): Promise<Migration[]> {
  const source = new URL('../src/', import.meta.url);
  return [
    ...(await loadMigrations('storage', new URL('storage/migrations/', source))),
    ...(await loadMigrations('keys', new URL('keys/migrations/', source))),
    ...(await loadMigrations('settlement', new URL('payments/settlement-migrations/', source))),
    ...(await loadMigrations('log', new URL('log/migrations/', source))),
    ...(await loadMigrations('ledger', new URL('ledger/migrations/', source))),
    ...(await loadMigrations('mail', new URL('mail/migrations/', source))),
    ...(await loadMigrations('attestation', new URL('areas/attestation/migrations/', source))),
    ...(await loadMigrations('bounties', new URL('areas/bounties/migrations/', source))),
    ...(await loadMigrations('audits', new URL('areas/audits/migrations/', source))),
    ...(await loadMigrations('verdicts', new URL('areas/verdicts/migrations/', source))),
    ...(await loadMigrations('briefs', new URL('areas/briefs/migrations/', source))),
    ...(await loadMigrations('crossing', new URL('areas/crossing/migrations/', source))),
    ...(await loadMigrations('orders', new URL('areas/orders/migrations/', source))),
    ...(await loadMigrations('data', new URL('areas/data/migrations/', source))),
    ...(await loadMigrations('discovery', new URL('areas/discovery/migrations/', source))),
    ...(await loadMigrations('mandates', new URL('areas/mandates/migrations/', source))),
    ...(await loadMigrations('wallet', new URL('areas/wallet/migrations/', source))),
    ...(await loadMigrations('capabilities', new URL('areas/capabilities/migrations/', source))),
    ...(await loadMigrations('look', new URL('areas/crossing/look-migrations/', source))),
    ...(await loadMigrations('lessons', new URL('areas/lessons/migrations/', source))),
    ...(await loadMigrations('tasks', new URL('areas/tasks/migrations/', source))),
    ...(await loadMigrations('cabinet', new URL('areas/cabinet/migrations/', source))),
    ...(await loadMigrations('payments', new URL('payments/migrations/', source))),
  ];
}

/** A log that one fixed key signs. */
export function testSequencer(): LogSequencer {
  return new LogSequencer({ origin: ORIGIN, signers: { reads: [], of: () => [SIGNER] } });
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
  const opened = await openEngine(name);
  await migrate(opened.engine, [...(await allMigrations()), ...(options.migrations ?? [])]);
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
