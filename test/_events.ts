// Reads the events of either engine beside the service, as a restart would find them.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { EventRow, History } from './_history.ts';

const EVENTS = 'SELECT rev, key, type, at, body FROM event ORDER BY rev';
const HEAD = 'SELECT rev, at FROM head WHERE id = 1';

/** All events and the head, read in one transaction. The data directory is that of SQLite. */
export async function readHistory(dataDir: string, databaseUrl: string | undefined): Promise<History> {
  return databaseUrl === undefined ? readSqlite(join(dataDir, 'avouch.db')) : readPostgres(databaseUrl);
}

function readSqlite(file: string): History {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('BEGIN');
    const head = database.prepare(HEAD).get() as unknown as History['head'];
    return { events: database.prepare(EVENTS).all() as unknown as EventRow[], head };
  } finally {
    database.close();
  }
}

async function readPostgres(url: string): Promise<History> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const head = (await client.query<Record<'rev' | 'at', string>>(HEAD)).rows[0];
    const { rows } = await client.query<Record<keyof EventRow, string>>(EVENTS);
    const events = rows.map((row) => ({ ...row, rev: Number(row.rev), at: Number(row.at) }));
    return { events, head: { rev: Number(head?.rev), at: Number(head?.at) } };
  } finally {
    await client.end();
  }
}
