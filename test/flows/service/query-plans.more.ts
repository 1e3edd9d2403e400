// On PostgreSQL, with full tables: no statement that the service reads with walks one of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { dropDatabase, freshDatabase, hasPostgres } from '../../support/databases.ts';
import { FEW_VALUES, MAY_WALK, statements } from './query-plans.ts';

const ROWS = 20_000;
/** By the states that payments leave, where SQLite goes by the payer. */
const BY_STATE = ['OLDEST_UNKNOWN', 'OPEN_OF_PAYERS'];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Fills every table with made-up rows; what the service would refuse does no harm here. */
async function fill(client: pg.Client): Promise<void> {
  const { rows: constraints } = await client.query<{ of: string; name: string }>(
    `SELECT conrelid::regclass::text AS of, conname AS name FROM pg_constraint
     WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace`,
  );
  for (const { of, name } of constraints) await client.query(`ALTER TABLE ${of} DROP CONSTRAINT "${name}"`);
  const { rows: columns } = await client.query<{ of: string; name: string; type: string }>(
    `SELECT c.table_name AS of, c.column_name AS name, c.data_type AS type FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'`,
  );
  for (const [of, own] of Map.groupBy(columns, (column) => column.of)) {
    const values = own.map(({ name, type }) => {
      if (type !== 'text') return FEW_VALUES.has(name) ? 'g % 2' : 'g';
      return FEW_VALUES.has(name) ? `'value ' || g % 8` : `md5(g || '${name}')`;
    });
    const names = own.map(({ name }) => `"${name}"`).join(', ');
    await client.query(
      `INSERT INTO ${of} (${names}) SELECT ${values.join(', ')} FROM generate_series(1, ${ROWS}) g ON CONFLICT DO NOTHING`,
    );
  }
  await client.query('ANALYZE');
}

/** The nodes that look at more than they need, unless a limit ends them in the order in which they come. */
function walks(node: PlanNode, isCut = false): string[] {
  const type = node['Node Type'];
  const cutBelow = type === 'Limit' || (isCut && type !== 'Sort' && type !== 'Aggregate');
  const below = (node.Plans ?? []).flatMap((one) => walks(one, cutBelow));
  if (isCut || node['Relation Name'] === undefined) return below;
  const condition = node['Index Cond'];
  const named = [...(condition ?? '').matchAll(/(\w+|\)) (?:=|<|>)/g)].map(([, name = '']) => name);
  const isWalk = type === 'Seq Scan' || (condition !== undefined && named.every((name) => FEW_VALUES.has(name)));
  return isWalk ? [...below, `${type} of ${node['Relation Name']} ${condition ?? ''}`] : below;
}

test('every statement finds its rows by an index that leads to few, with one key and with 256', {
  skip: !(await hasPostgres()) && 'no PostgreSQL here',
}, async () => {
  const url = await freshDatabase('postgres');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fill(client);
    await client.query('SET plan_cache_mode = force_generic_plan');
    // Small as the tables are, a walk may be the cheaper way today: whether there is another one is what counts.
    await client.query('SET enable_seqscan = off');
    const faults: string[] = [];
    for (const { name, where, texts } of await statements()) {
      if (name in MAY_WALK || BY_STATE.includes(name)) continue;
      for (const text of texts) {
        const places = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
        const given = places === 0 ? '' : `(${Array.from({ length: places }, () => 'NULL').join(', ')})`;
        await client.query(`PREPARE asked AS ${text}`);
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `EXPLAIN (FORMAT JSON) EXECUTE asked${given}`,
        );
        await client.query('DEALLOCATE asked');
        const found = walks(rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode);
        if (found.length > 0) faults.push(`${where} ${name}, ${text.length} characters: ${found.join('; ')}`);
      }
    }
    assert.deepEqual(faults, []);
  } finally {
    await client.end();
    await dropDatabase(url as string);
  }
});
