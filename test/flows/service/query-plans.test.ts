// No statement that the service reads with walks a table that grows, however many keys a batch names.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { copySqliteTemplate } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { FEW_VALUES, MAY_WALK, statements } from './query-plans.ts';

/** Rows of a plan that look at more than they need: those in no order of an index, and those of a state at large. */
function walks(plan: readonly string[], text: string): string[] {
  const isCut = text.includes('LIMIT') && !plan.includes('USE TEMP B-TREE FOR ORDER BY');
  // The first or last of an index.
  const isEnd = /^SELECT (?:MIN|MAX)\(/.test(text);
  return plan.filter((row) => {
    const [, table, conditions] = /^(?:SCAN|SEARCH) (\w+)(?:.*\((.*)\))?/.exec(row) ?? [];
    // What a part of the same statement made is as long as that part.
    const isMade = plan.some((other) => other === `CO-ROUTINE ${table}` || other === `MATERIALIZE ${table}`);
    if (table === undefined || row === 'SCAN CONSTANT ROW' || isMade || isCut) return false;
    if (row === `SEARCH ${table}` || (row.startsWith('SEARCH') && isEnd)) return false;
    if (conditions === undefined) return true;
    return conditions.split(' AND ').every((one) => FEW_VALUES.has(one.replace(/=\?$/, '')));
  });
}

test('every statement finds its rows by an index that leads to few, with one key and with 256', async () => {
  const directory = await temporaryDirectory();
  await copySqliteTemplate(directory);
  using stack = new DisposableStack();
  const database = new DatabaseSync(join(directory, 'avouch.db'));
  stack.defer(() => database.close());
  const known = await statements();
  assert.ok(known.length > 290, `${known.length} statements`);
  const faults = known.flatMap(({ name, where, texts }) =>
    texts.flatMap((text) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${text.replaceAll(/\$(\d+)/g, '?$1')}`).all();
      const found = walks(
        rows.map(({ detail }) => String(detail)),
        text,
      );
      return found.length === 0
        ? []
        : [{ name, fault: `${where} ${name}, ${text.length} characters: ${found.join('; ')}` }];
    }),
  );
  assert.deepEqual(
    faults.filter(({ name }) => !(name in MAY_WALK)).map(({ fault }) => fault),
    [],
  );
  const walking = new Set(faults.map(({ name }) => name));
  assert.deepEqual(
    Object.keys(MAY_WALK).filter((name) => !walking.has(name)),
    [],
    'names that need no leave',
  );
});
