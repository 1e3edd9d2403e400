import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import type { Secrets } from '#platform/config/secrets.ts';
import type { Clock } from '#kernel/clock.ts';
import { readKeyFiles } from '#platform/keys/key-file.ts';
import { ALL_KEYS, type KeyRecord } from '#platform/keys/key-unit.ts';
import { ServerSecret } from '#platform/keys/server-secret.ts';
import { HEAD_NOW as LEDGER_HEAD } from '#platform/ledger/sql.ts';
import { WITNESS_STATES } from '#platform/log/cosign-unit.ts';
import { witnessOperator } from '#protocol/witness-policy.ts';
import { requireCheckpointMemory } from '#platform/log/checkpoint-memory.ts';
import { storedHead } from '#platform/log/public-log.ts';
import { LISTINGS } from '#platform/payments/listing.ts';
import { engineFacts } from '#platform/storage/engine-facts.ts';
import type { Reader } from '#platform/storage/engine.ts';
import { recordedSteps, stepsOf } from '#platform/storage/migrate.ts';
import { openReader } from '#platform/storage/reader.ts';
import { recoveryMarks, wholeStore } from '#platform/storage/recovery-mark.ts';
import { RevisionMemory } from '#platform/storage/revision-memory.ts';
import { startFaultLines } from '../start-error.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { databaseLocation } from '#platform/foundation.ts';
import { CheckpointMemory, requireConfiguredOrigin } from '#platform/log/log-guards.ts';
import { readWitnessPolicy } from '#platform/log/witness-policy-file.ts';
import type { StoreFacts, WitnessFact } from './facts.ts';

/** Reads the database over a read-only connection. */
export async function gatherStore(
  config: Config,
  secrets: Secrets | undefined,
  { clock, patience }: { readonly clock: Clock; readonly patience: number },
): Promise<StoreFacts | string | null> {
  const location = databaseLocation(config, patience);
  if ('file' in location && !existsSync(location.file)) return null;
  let reader: Reader | undefined;
  try {
    reader = await openReader(location);
    return await asked(reader, config, secrets, clock);
  } catch (error) {
    return startFaultLines(error).join(' ');
  } finally {
    await reader?.close();
  }
}

async function asked(
  reader: Reader,
  config: Config,
  secrets: Secrets | undefined,
  clock: Clock,
): Promise<StoreFacts | null> {
  const { serverSecretFile: file, dataDir } = config;
  const engine = await engineFacts(reader, config.databaseUrl === null ? 'sqlite' : 'postgres', clock);
  const query = reader.read.bind(reader);
  const migrations = await allMigrations();
  const recorded = await ifThere(() => recordedSteps(query), []);
  if (recorded.length === 0) return null;
  let [missing, schemaFault]: [number, string | null] = [0, null];
  try {
    missing = migrations.length - stepsOf(recorded, migrations).length;
  } catch (error) {
    schemaFault = (error as Error).message;
  }
  const records = await ifThere(() => reader.read(ALL_KEYS), []);
  return {
    engine,
    schema: { missing, fault: schemaFault },
    marks: await ifThere(() => recoveryMarks(reader), new Map()),
    headAtMs: (await wholeStore.head(query)).atMs,
    logHead: (await ifThere(() => storedHead(reader), undefined)) ?? null,
    logFault: await thrown(async () => requireOwnLog(reader, config)),
    keyFault: await missingKeys(records, dataDir, secrets),
    publicKeys: records.map(({ publicKey }) => publicKey),
    secretFault: await ifThere(() => ServerSecret.fault({ store: reader, file, dataDir }), null),
    isLedgerHalted: (await ifThere(() => reader.read(LEDGER_HEAD), []))[0]?.isHalted ?? false,
    witnesses: withOperators(await ifThere(() => reader.read(WITNESS_STATES), []), config),
    listings: await ifThere(() => reader.read(LISTINGS), []),
  };
}

function withOperators(states: readonly Omit<WitnessFact, 'operator'>[], config: Config): WitnessFact[] {
  let names: ReadonlyMap<string, string> = new Map();
  try {
    const witnesses = readWitnessPolicy(config)?.policy.witnesses ?? [];
    names = new Map(witnesses.map(({ name, key }) => [name, key.name]));
  } catch {
    // Its own check says what is wrong with the file.
  }
  return states.map((state) => ({ ...state, operator: witnessOperator(names.get(state.name) ?? state.name) }));
}

/** For tables that an older schema does not have. */
async function ifThere<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch {
    return otherwise;
  }
}

async function thrown(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function requireOwnLog(reader: Reader, config: Config): Promise<void> {
  await new RevisionMemory(config.dataDir).requireReached(reader);
  const head = await storedHead(reader);
  requireCheckpointMemory(new CheckpointMemory(config.dataDir).checkpoint, head);
  if (head !== undefined && config.baseUrl !== null) requireConfiguredOrigin(config, head.origin);
}

async function missingKeys(
  records: readonly KeyRecord[],
  dataDir: string,
  secrets: Secrets | undefined,
): Promise<string | null> {
  if (secrets === undefined) return null;
  const files = await ifThere(
    async () => readKeyFiles(join(dataDir, 'keys'), secrets.keyPassphrase?.reveal()),
    undefined,
  );
  const lost = records.filter(({ keyId, retiredAtMs }) => retiredAtMs === null && files?.has(keyId) === false);
  if (lost.length === 0) return null;
  return lost
    .map(({ scope, keyId }) => `The file of ${scope} key ${keyId} is not in ${join(dataDir, 'keys')}.`)
    .join(' ');
}
