// The recovery commands as an operator runs them, in this process.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../src/cli/command.ts';
import { backupCommand } from '../../src/cli/backup.ts';
import { migrateStoreCommand } from '../../src/cli/migrate-store.ts';
import { restoreCommand } from '../../src/cli/restore.ts';
import { emptyDatabase, type EngineName, PATIENCE } from './databases.ts';
import { temporaryDirectory } from './temporary.ts';
import { serviceEnv } from './service.ts';

export interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

const made: string[] = [];

export async function newPlace(engine: EngineName): Promise<Place> {
  const dataDir = await temporaryDirectory();
  made.push(dataDir);
  return { dataDir, databaseUrl: await emptyDatabase(engine) };
}

export async function removePlaces(): Promise<void> {
  for (const path of made) await rm(path, { recursive: true, force: true });
}

/** Gives what the command said; throws what it refuses. */
export async function run(command: Command, args: readonly string[], place: Place): Promise<string> {
  let said = '';
  const say = (text: string) => void (said += text);
  const env = serviceEnv(place.dataDir, place.databaseUrl);
  await command.run(args, { env, patience: PATIENCE, out: say, err: say });
  return said;
}

export const runBackup = (place: Place, directory: string) => run(backupCommand, [directory], place);
export const runRestore = (place: Place, directory: string, ...more: string[]) =>
  run(restoreCommand, [directory, ...more], place);
export const runMove = (from: Place, to: Place) =>
  run(migrateStoreCommand, ['--from', from.databaseUrl ?? from.dataDir, '--to', to.databaseUrl ?? to.dataDir], to);

/** What an operator keeps apart from the database. */
export async function takeKeys(from: Place, to: Place): Promise<void> {
  await cp(join(from.dataDir, 'keys'), join(to.dataDir, 'keys'), { recursive: true });
  await cp(join(from.dataDir, 'server-secret'), join(to.dataDir, 'server-secret'));
}
