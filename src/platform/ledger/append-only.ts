import type { Engine } from '#platform/storage/engine.ts';

const TABLES = ['ledger_tx', 'ledger_entry'] as const;
const EVENTS = ['update', 'delete'] as const;

/** What keeps rows of the ledger from being changed or removed, beside the code that never does it. */
export type AppendOnly = 'trigger' | 'code';

const SQLITE = TABLES.flatMap((table) =>
  EVENTS.map(
    (event) =>
      `CREATE TRIGGER IF NOT EXISTS ${table}_no_${event} BEFORE ${event.toUpperCase()} ON ${table} BEGIN SELECT RAISE(ABORT, 'append-only'); END`,
  ),
);
const POSTGRES = [
  "CREATE OR REPLACE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''append-only''; END'",
  ...TABLES.flatMap((table) => [
    `DROP TRIGGER IF EXISTS ${table}_no_change ON ${table}`,
    `CREATE TRIGGER ${table}_no_change BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ledger_append_only()`,
    `DROP TRIGGER IF EXISTS ${table}_no_truncate ON ${table}`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only()`,
  ]),
];

const SET_UP = { sqlite: SQLITE, postgres: POSTGRES };
const PRESENT = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'ledger_%_no_%'",
  postgres: "SELECT tgname AS name FROM pg_trigger WHERE tgname LIKE 'ledger_%_no_%'",
};
const ALL = TABLES.length * EVENTS.length;

/** Lets the engine itself refuse changes, where it can; the ledger does without where it cannot. */
export async function keepAppendOnly(engine: Engine): Promise<AppendOnly> {
  const isPresent = async () => (await engine.read(PRESENT[engine.name], [])).length >= ALL;
  if (await isPresent()) return 'trigger';
  try {
    await engine.exclusively(async (query) => {
      for (const statement of SET_UP[engine.name]) await query(statement);
    });
    return 'trigger';
  } catch {
    // Another process may have been quicker.
    return (await isPresent()) ? 'trigger' : 'code';
  }
}
