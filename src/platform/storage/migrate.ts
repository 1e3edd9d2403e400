import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Engine, Ask } from './engine.ts';
import { readingOf } from './store.ts';
import { appendedTable, integer, text } from './table.ts';

export interface Migration {
  readonly area: string;
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

const BOOTSTRAP = [
  `CREATE TABLE IF NOT EXISTS migration (
    area TEXT NOT NULL, number BIGINT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY (area, number))`,
  `INSERT INTO migration (area, number, name, sha256) VALUES ('', 0, 'lock', '') ON CONFLICT (area, number) DO NOTHING`,
];
const LOCK_ROW = "UPDATE migration SET name = 'lock' WHERE area = ''";
const STEP = appendedTable('migration', { area: text(), number: integer(), name: text(), sha256: text() });
const APPLIED = STEP.select("WHERE area <> '' ORDER BY number");
const RECORD = STEP.insert([]).sql;
/** Two processes that create the same table at once collide in PostgreSQL's catalogue; the second try finds it. */
const BOOTSTRAP_TRIES = 5;

class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** The numbered `NNN-name.sql` files of one folder. */
export async function loadMigrations(area: string, folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(file.slice(0, 3));
      if (number !== index + 1) throw new SchemaError(`migrations of ${area} must be numbered without gaps: ${file}`);
      return { area, number, name: file.slice(4, -4), sql: await readFile(new URL(file, folder), 'utf8') };
    }),
  );
}

/** Brings the database to the schema of this release in one transaction, or refuses and changes nothing. */
export async function migrate(engine: Engine, migrations: readonly Migration[]): Promise<void> {
  if (await isUpToDate(engine, migrations)) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await engine.exclusively(async (query) => {
        for (const statement of BOOTSTRAP) await query(statement);
      });
      break;
    } catch (error) {
      if (attempt === BOOTSTRAP_TRIES) throw error;
    }
  }
  await engine.exclusively(async (query) => {
    await query(LOCK_ROW);
    await applyMissing(query, migrations);
  });
}

/** Most starts find nothing to do; they, and tools beside a busy server, then need not wait for the write lock. */
async function isUpToDate(engine: Engine, migrations: readonly Migration[]): Promise<boolean> {
  let steps: readonly AppliedStep[];
  try {
    steps = await readingOf((sql, params = []) => engine.read(sql, params))(APPLIED);
  } catch {
    return false; // an empty database has no such table; any other fault shows itself in what follows
  }
  return appliedSteps(steps, migrations).size === migrations.length;
}

/** Brings a database to these steps inside a transaction that does more than that. */
export async function migrateWithin(query: Ask, migrations: readonly Migration[]): Promise<void> {
  for (const statement of BOOTSTRAP) await query(statement);
  await applyMissing(query, migrations);
}

/** A step that a database has, as it is recorded there. */
export interface AppliedStep {
  readonly area: string;
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

export async function recordedSteps(ask: Ask): Promise<readonly AppliedStep[]> {
  return readingOf(ask)(APPLIED);
}

/** Those of our steps that a database with these recorded ones has; refuses one that this release does not have. */
export function stepsOf(recorded: readonly AppliedStep[], migrations: readonly Migration[]): Migration[] {
  const applied = appliedSteps(recorded, migrations);
  return migrations.filter(({ area, number }) => applied.has(`${area}/${number}`));
}

async function applyMissing(query: Ask, migrations: readonly Migration[]): Promise<void> {
  const applied = appliedSteps(await readingOf(query)(APPLIED), migrations);
  for (const migration of migrations) {
    if (applied.has(`${migration.area}/${migration.number}`)) continue;
    for (const statement of statements(migration.sql)) await query(statement);
    await query(RECORD, [migration.area, migration.number, migration.name, digest(migration.sql)]);
  }
}

/** The steps that the database has; refuses one that this release does not have in exactly this form. */
function appliedSteps(steps: readonly AppliedStep[], migrations: readonly Migration[]): Set<string> {
  const known = new Map(migrations.map((migration) => [`${migration.area}/${migration.number}`, migration]));
  const applied = new Set<string>();
  for (const { area, number, name, sha256 } of steps) {
    const id = `${area}/${number}`;
    const migration = known.get(id);
    if (migration === undefined) {
      throw new SchemaError(
        `the database has schema step ${id} (${name}), which this release does not know: run the release that made it or a newer one`,
      );
    }
    if (sha256 !== digest(migration.sql)) {
      throw new SchemaError(
        `schema step ${id} (${name}) was applied with another text than this release has: run the release that made the database`,
      );
    }
    applied.add(id);
  }
  return applied;
}

function statements(sql: string): string[] {
  return sql
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

function digest(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}
