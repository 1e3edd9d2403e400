import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from './turns.ts';

test('work that comes all at once is done one piece in a turn of the event loop, in its order', async () => {
  const turns = new Turns();
  const done: number[] = [];
  const all = [0, 1, 2, 3, 4].map((piece) => turns.run(() => done.push(piece)));
  let seen = 0;
  while (done.length < all.length) {
    await nextTurn();
    assert.ok(done.length <= seen + 1, `${done.length - seen} pieces in one turn`);
    seen = done.length;
  }
  assert.deepEqual(done, [0, 1, 2, 3, 4]);
  assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5]);
});

test('work that fails is told to who asked for it, and the next goes on', async () => {
  const turns = new Turns();
  const fails = turns.run(() => {
    throw new Error('broken');
  });
  const next = turns.run(() => 'done');
  await assert.rejects(fails, /broken/);
  assert.equal(await next, 'done');
});
