// The recovery commands as an operator runs them, in this process.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { emptyDatabase, type EngineName } from './databases.ts';
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
export async function run(words: readonly string[], place: Place): Promise<string> {
  const { code, stdout, stderr } = await runCommand(words, serviceEnv(place.dataDir, place.databaseUrl));
  if (code !== 0) throw new Error(stderr);
  return stdout + stderr;
}

export const runBackup = (place: Place, directory: string) => run(['backup', directory], place);
export const runRestore = (place: Place, directory: string, ...more: string[]) =>
  run(['restore', directory, ...more], place);
export const runMove = (from: Place, to: Place) =>
  run(['migrate-store', '--from', from.databaseUrl ?? from.dataDir, '--to', to.databaseUrl ?? to.dataDir], to);

/** What an operator keeps apart from the database. */
export async function takeKeys(from: Place, to: Place): Promise<void> {
  await cp(join(from.dataDir, 'keys'), join(to.dataDir, 'keys'), { recursive: true });
  await cp(join(from.dataDir, 'server-secret'), join(to.dataDir, 'server-secret'));
}
