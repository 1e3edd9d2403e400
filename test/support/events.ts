// Reads the events of either engine beside the service, as a restart would find them.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { EventRow, History } from '../chaos/history.ts';

const EVENTS = 'SELECT rev, key, type, at, body FROM event ORDER BY rev';
const HEAD = 'SELECT rev, at FROM head WHERE id = 1';

/** What is kept beside the events, for checks of everything that crossing writes. */
export interface CrossingRows {
  /** In the order of their numbers. */
  readonly entries: readonly { readonly seq: number; readonly leaf: string }[];
  readonly marks: readonly { readonly seq: number; readonly key: string; readonly addr: string; readonly at: number }[];
}

const ENTRIES = 'SELECT seq, leaf FROM entries ORDER BY seq';
const MARKS = 'SELECT seq, key, addr, at FROM mark ORDER BY seq';

/** Log entries and marks; nothing may write meanwhile. */
export async function readCrossingRows(dataDir: string, databaseUrl: string | undefined): Promise<CrossingRows> {
  if (databaseUrl === undefined) {
    using database = new DatabaseSync(join(dataDir, 'avouch.db'), { readOnly: true });
    const all = (sql: string) => database.prepare(sql).all() as unknown[];
    return { entries: all(ENTRIES), marks: all(MARKS) } as CrossingRows;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const all = async (sql: string) =>
      (await client.query<Record<string, string>>(sql)).rows.map((row) => ({
        ...row,
        seq: Number(row['seq']),
        ...('at' in row && { at: Number(row['at']) }),
      }));
    return { entries: await all(ENTRIES), marks: await all(MARKS) } as unknown as CrossingRows;
  } finally {
    await client.end();
  }
}

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
