import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestFirst, newestIn, pageOf } from './newest-first.ts';

const made = (id: string, createdAtMs: number) => ({ id, createdAtMs });

test('the newest is first, and of one moment the greater id', () => {
  const sorted = newestFirst([made('a', 1), made('b', 1), made('c', 2)]);
  assert.deepEqual(
    sorted.map(({ id }) => id),
    ['c', 'b', 'a'],
  );
});

test('a page of several lists names the last that it shows, unless nothing follows', () => {
  const lists = [[made('d', 4), made('a', 1)], [made('c', 3)]];
  assert.deepEqual(
    [pageOf(lists, 2).items.map(({ id }) => id), pageOf(lists, 2).nextBefore, pageOf(lists, 3).nextBefore],
    [['d', 'c'], 'c', null],
  );
});

test('states are read one by one and shown together, no more than were asked for', async () => {
  const byState = { open: [made('d', 4), made('a', 1)], done: [made('c', 3)] };
  const asked = { states: ['open', 'done'], limit: 2 };
  const found = await newestIn(asked, async (state) => byState[state as keyof typeof byState]);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['d', 'c'],
  );
});
