import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewestLessons } from '#areas/tasks/lessons/newest-lessons.ts';
import { readingOf } from '#platform/storage/store.ts';
import { LessonPassages } from './lesson-passages.ts';

interface Told {
  readonly id: string;
  readonly at: number;
}

/** A table of lessons and the ids that an index of them holds. */
function lessonsOf(rows: Told[]) {
  const parts = new Map<string, string[]>();
  let failing = false;
  const read = readingOf(async (_sql, [since, most] = []) => {
    if (failing) throw new Error('the store is out of reach');
    const told = rows.filter(({ at }) => at >= (since as number)).toSorted((a, b) => b.at - a.at);
    return told.slice(0, most as number).map((row) => ({ ...row, body: JSON.stringify({ text: row.id }) }));
  });
  const passages = new LessonPassages((most) => new NewestLessons({ read }, most), {
    appendLessons: (part, some) => parts.set(part, [...(parts.get(part) ?? []), ...some.map(({ body }) => body)]),
    dropLessons: (part) => parts.delete(part),
  });
  return { passages, held: () => [...parts.values()].flat(), fail: (yes: boolean) => (failing = yes) };
}

test('each lesson is indexed once, also one that another process committed later under an earlier clock', async () => {
  const rows = [{ id: 'a', at: 1_000_000 }];
  const { passages, held } = lessonsOf(rows);
  await Promise.all([passages.refresh(), passages.refresh()]);
  rows.push({ id: 'b', at: 1_005_000 }, { id: 'late', at: 990_000 });
  await passages.refresh();
  await passages.refresh();
  assert.deepEqual(held(), ['a', 'late', 'b']);
});

test('the oldest lessons are forgotten above five thousand', async () => {
  const rows = Array.from({ length: 5_200 }, (_, n) => ({ id: `l${n}`, at: n * 1_000 }));
  const { passages, held } = lessonsOf(rows);
  await passages.refresh();
  assert.deepEqual([held().length, held()[0]], [5_000, 'l200']);
  rows.push({ id: 'new', at: 6_000_000 });
  await passages.refresh();
  assert.deepEqual([held().length, held()[0], held().at(-1)], [4_501, 'l700', 'new']);
});

test('a store that is out of reach leaves what was found, and the next read goes on', async () => {
  const rows = [{ id: 'a', at: 1 }];
  const { passages, held, fail } = lessonsOf(rows);
  await passages.refresh();
  fail(true);
  rows.push({ id: 'b', at: 2 });
  await passages.refresh();
  assert.deepEqual(held(), ['a']);
  fail(false);
  await passages.refresh();
  assert.deepEqual(held(), ['a', 'b']);
});
