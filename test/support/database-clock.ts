// A PostgreSQL server whose clock can be set, for one database: a function of its own stands before that of the server.
import pg from 'pg';

const SCHEMA = `
  CREATE SCHEMA settable;
  CREATE TABLE settable.stepped_by (ms BIGINT NOT NULL);
  INSERT INTO settable.stepped_by VALUES (0);
  CREATE FUNCTION settable.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + (SELECT ms FROM settable.stepped_by) * interval ''1 ms''';`;
const SEARCH_PATH = '-c search_path=settable,pg_catalog,public';

export interface DatabaseClock {
  /** The address of the database with that clock. */
  readonly url: string;
  /** From now on its clock is off by so much. */
  readonly step: (ms: number) => Promise<void>;
}

export async function settableDatabaseClock(databaseUrl: string): Promise<DatabaseClock> {
  const ask = async (sql: string, values: readonly unknown[] = []) => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await (values.length === 0 ? client.query(sql) : client.query(sql, [...values]));
    await client.end();
  };
  await ask(SCHEMA);
  return {
    url: `${databaseUrl}?options=${encodeURIComponent(SEARCH_PATH)}`,
    step: (ms) => ask('UPDATE settable.stepped_by SET ms = $1', [ms]),
  };
}
