import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VersionedMap } from '#kernel/versioned-map.ts';
import {
  appendedTable,
  as,
  derived,
  flag,
  given,
  integer,
  json,
  listed,
  nullable,
  query,
  table,
  text,
} from './table.ts';

interface Part {
  readonly id: string;
  readonly count: number;
  readonly isOld: boolean;
  readonly note: string | null;
  readonly tags: readonly string[] | null;
}

const PART = table(
  'part',
  {
    id: text(),
    n: as('count', integer()),
    old: as('isOld', flag()),
    note: nullable(text()),
    tags: nullable(json<readonly string[]>()),
    double: derived(({ count }: Part) => 2 * count),
  },
  { key: ['id'], changes: ['n', 'old'] },
);

test('a value becomes the cells of its row and comes back from them', () => {
  const parts: readonly Part[] = [
    { id: 'a', count: 3, isOld: true, note: null, tags: ['x', 'y'] },
    { id: 'b', count: 0, isOld: false, note: 'n', tags: null },
  ];
  assert.deepEqual(parts.map(PART.cells), [
    ['a', 3, 1, null, '["x","y"]', 6],
    ['b', 0, 0, 'n', null, 0],
  ]);
  const { of } = PART.select('');
  const row = { id: 'a', n: 3, old: 1, note: null, tags: '["x","y"]' };
  assert.deepEqual(of(row), parts[0]);
});

test('the texts of a table name its columns once: derived ones are written and never read', () => {
  assert.equal(PART.select('WHERE id = $1').sql, 'SELECT id, n, old, note, tags FROM part WHERE id = $1');
  assert.equal(PART.columns('p'), 'p.id, p.n, p.old, p.note, p.tags');
  const insertion = 'INSERT INTO part (id, n, old, note, tags, double) VALUES ($1, $2, $3, $4, $5, $6)';
  assert.equal(PART.insert([]).sql, insertion);
  assert.equal(PART.upsert([]).sql, `${insertion} ON CONFLICT (id) DO UPDATE SET n = excluded.n, old = excluded.old`);
});

test('a row is deleted by its key, whose numbers are said to be numbers', () => {
  const pair = table('pair', { name: text(), seq: integer() }, { key: ['name', 'seq'] });
  assert.deepEqual(pair.remove([['a', 1]]), {
    sql: 'DELETE FROM pair WHERE (name, seq) IN (VALUES ($1, CAST($2 AS BIGINT)))',
    rows: [['a', 1]],
  });
  assert.match(pair.upsert([]).sql, /DO NOTHING$/, 'nothing of it can change');
});

test('the difference of two versions of a map is what went and what changed', () => {
  const part = (id: string, count: number): Part => ({ id, count, isOld: false, note: null, tags: null });
  const before = VersionedMap.by([part('a', 1), part('b', 2), part('c', 3)], ({ id }) => id);
  const after = before.without('a').with('b', part('b', 5)).with('d', part('d', 4)).without('never there');
  const [gone, put] = PART.diff(before, after);
  assert.deepEqual(gone?.rows, [['a']]);
  assert.deepEqual(put?.rows.map(([id, count]) => [id, count]).toSorted(), [
    ['b', 5],
    ['d', 4],
  ]);
});

test('a query whose text leaves out a column of its rows fails instead of giving undefined', () => {
  const { of } = query('SELECT a FROM t', { a: integer(), b: integer() });
  assert.throws(() => of({ a: 1 }), /gave no column b/);
});

test('a read without anything to ask for is left out, and a table that is only appended to has no way to change it', () => {
  const log = appendedTable('log', { seq: integer() });
  assert.deepEqual(listed(log.select(''), new Set(['a'])).list, ['a']);
  assert.deepEqual([given(log.select(''), null).list, given(log.select(''), [1]).params], [[], [1]]);
  assert.equal('remove' in log || 'upsert' in log || 'diff' in log, false);
});
