// Fresh databases of either engine: copies of one with the schema of today, which is made once for a whole run.
import { constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import { newCommandId } from '#kernel/ids.ts';
import type { Engine } from '#platform/storage/engine.ts';
import { migrate } from '#platform/storage/migrate.ts';
import { PostgresEngine } from '#platform/storage/postgres.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import { allMigrations } from '#platform/storage/all-migrations.ts';
import { sharedPostgres } from './postgres.ts';

/** A busy machine is no outage of others: how many times longer than usual they may take. */
export const PATIENCE = 30;

export const ENGINES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Names the templates to the processes of a run. */
const TEMPLATES_VARIABLE = 'AVOUCH_TEST_TEMPLATES';

interface Templates {
  readonly sqliteFile: string;
  /** The name of the database; null where there is no PostgreSQL. */
  readonly postgres: string | null;
}

const left = new Set<string>();
let own: Promise<Templates> | undefined;

export async function hasPostgres(): Promise<boolean> {
  return (await sharedPostgres()) !== undefined;
}

/** The connection url of a fresh database with the schema of today and no row; undefined for SQLite. */
export async function freshDatabase(engine: EngineName): Promise<string | undefined> {
  if (engine === 'sqlite') return undefined;
  const { postgres } = await templates();
  return createDatabase(postgres ?? undefined);
}

/** The connection url of a database without any table; undefined for SQLite. */
export async function emptyDatabase(engine: EngineName): Promise<string | undefined> {
  return engine === 'sqlite' ? undefined : createDatabase();
}

/** Puts a database with the schema of today and no row into a data directory. */
export async function copySqliteTemplate(dataDir: string, name = 'avouch.db'): Promise<void> {
  const { sqliteFile } = await templates();
  await copyFile(sqliteFile, join(dataDir, name), constants.COPYFILE_FICLONE);
}

export async function dropDatabase(url: string): Promise<void> {
  left.delete(url);
  await (await sharedPostgres())?.dropDatabase(url);
}

/** Leaves a database to the files that follow: it goes with the server. */
export function keepDatabase(url: string): void {
  left.delete(url);
}

/** Removes the databases that a test file made and did not remove itself. */
export async function dropLeftDatabases(): Promise<void> {
  for (const url of left) await dropDatabase(url);
}

/** Makes the templates for every process that is started from now on. */
export async function makeTemplates(): Promise<void> {
  process.env[TEMPLATES_VARIABLE] = JSON.stringify(await newTemplates());
}

async function createDatabase(template?: string): Promise<string> {
  const server = await sharedPostgres();
  if (server === undefined) throw new Error('no PostgreSQL here; guard the test with hasPostgres()');
  const url = await server.createDatabase(template);
  left.add(url);
  return url;
}

/** Those of the run, or, for a file that runs alone, those of this process. */
function templates(): Promise<Templates> {
  const given = process.env[TEMPLATES_VARIABLE];
  own ??= given === undefined ? newTemplates() : Promise.resolve(JSON.parse(given) as Templates);
  return own;
}

async function newTemplates(): Promise<Templates> {
  const folder = mkdtempSync(join(tmpdir(), 'avouch-templates-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const sqliteFile = join(folder, 'avouch.db');
  await migrated(new SqliteEngine(sqliteFile, systemClock()));
  if (existsSync(`${sqliteFile}-wal`)) throw new Error('the SQLite template was not closed in order');
  return { sqliteFile, postgres: await newPostgresTemplate() };
}

async function newPostgresTemplate(): Promise<string | null> {
  const server = await sharedPostgres();
  if (server === undefined) return null;
  const url = await server.createDatabase();
  await migrated(await PostgresEngine.open({ url, process: newCommandId(), clock: systemClock(), patience: PATIENCE }));
  return new URL(url).pathname.slice(1);
}

async function migrated(engine: Engine): Promise<void> {
  try {
    await migrate(engine, await allMigrations());
  } finally {
    await engine.close();
  }
}
