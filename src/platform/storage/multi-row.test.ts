import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { listText, paddedLists, paddedSize } from './engine.ts';
import { multiRow } from './multi-row.ts';

test('a write of three rows becomes texts of two and one row with the values in order', () => {
  const write = {
    sql: 'INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO NOTHING',
    rows: [
      ['x', 1],
      ['y', 2],
      ['z', 3],
    ],
  };
  assert.deepEqual(multiRow(write), [
    { text: 'INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT (a) DO NOTHING', values: ['x', 1, 'y', 2] },
    { text: 'INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO NOTHING', values: ['z', 3] },
  ]);
});

test('brackets inside the group are kept', () => {
  const write = { sql: 'DELETE FROM t WHERE n IN (VALUES (CAST($1 AS BIGINT)))', rows: [[1], [2]] };
  assert.equal(
    multiRow(write)[0]?.text,
    'DELETE FROM t WHERE n IN (VALUES (CAST($1 AS BIGINT)), (CAST($2 AS BIGINT)))',
  );
});

test('any number of rows is sent completely, in at most nine sizes of text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_500 }), (count) => {
      const rows = Array.from({ length: count }, (_, index) => [index]);
      const statements = multiRow({ sql: 'INSERT INTO t (a) VALUES ($1)', rows });
      assert.deepEqual(
        statements.flatMap(({ values }) => values),
        rows.flat(),
      );
      for (const { text, values } of statements) assert.equal(text.split('$').length - 1, values.length);
      for (const { values } of statements) assert.equal(paddedSize(values.length), values.length);
    }),
  );
});

test('lists are padded with their last key, so that nothing else is read', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 700 }), (list) => {
      const chunks = paddedLists(list);
      assert.deepEqual(new Set(chunks.flat()), new Set(list));
      for (const chunk of chunks) assert.equal(paddedSize(chunk.length), chunk.length);
    }),
  );
  assert.equal(listText('SELECT a FROM t WHERE k IN (...)', 2), 'SELECT a FROM t WHERE k IN ($1, $2)');
  assert.equal(listText('WHERE a = $1 AND k IN (...) AND b < $2', 2), 'WHERE a = $1 AND k IN ($3, $4) AND b < $2');
});
