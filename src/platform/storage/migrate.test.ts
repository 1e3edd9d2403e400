import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openEngine } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { type Migration, migrate } from './migrate.ts';

const FIRST: Migration = { area: 'a', number: 1, name: 'first', sql: 'CREATE TABLE t (id TEXT PRIMARY KEY);\n' };
const SECOND: Migration = { area: 'a', number: 2, name: 'second', sql: 'ALTER TABLE t ADD COLUMN n BIGINT;\n' };
const BROKEN: Migration = {
  area: 'a',
  number: 2,
  name: 'broken',
  sql: "INSERT INTO t (id) VALUES ('x');\nNONSENSE;\n",
};

for (const name of ENGINES) {
  suite(`migrations on ${name}`, {
    skip: name === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('each step is applied once, also when asked again', async () => {
      await using opened = await openEngine(name);
      await migrate(opened.engine, [FIRST]);
      await migrate(opened.engine, [FIRST, SECOND]);
      await migrate(opened.engine, [FIRST, SECOND]);
      assert.deepEqual(await opened.engine.read('SELECT id, n FROM t', []), [], 'both steps have been applied');
      const steps = await opened.engine.read("SELECT name FROM migration WHERE area = 'a' ORDER BY number", []);
      assert.deepEqual(
        steps.map((step) => step['name']),
        ['first', 'second'],
      );
    });

    test('a step that fails leaves nothing of its whole run behind', async () => {
      await using opened = await openEngine(name);
      await migrate(opened.engine, [FIRST]);
      await assert.rejects(migrate(opened.engine, [FIRST, BROKEN]));
      assert.deepEqual(await opened.engine.read('SELECT id FROM t', []), []);
      await migrate(opened.engine, [FIRST, SECOND]);
    });

    test('a database from a newer release is refused, and the message says so', async () => {
      await using opened = await openEngine(name);
      await migrate(opened.engine, [FIRST, SECOND]);
      await assert.rejects(
        migrate(opened.engine, [FIRST]),
        /schema step a\/2 \(second\), which this release does not know/,
      );
    });

    test('a step whose text changed after it was applied is refused', async () => {
      await using opened = await openEngine(name);
      await migrate(opened.engine, [FIRST]);
      const changed = { ...FIRST, sql: 'CREATE TABLE t (id TEXT PRIMARY KEY, x TEXT);\n' };
      await assert.rejects(migrate(opened.engine, [changed]), /applied with another text/);
    });

    test('processes that start together on an empty database agree', async () => {
      await using opened = await openEngine(name);
      const engines = [opened.engine, ...(name === 'postgres' ? [await opened.again(), await opened.again()] : [])];
      await Promise.all(engines.map((engine) => migrate(engine, [FIRST, SECOND])));
      assert.deepEqual(await opened.engine.read('SELECT id FROM t', []), []);
    });
  });
}
