import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewestMap } from './newest-map.ts';

test('the entry that was set longest ago goes when there are too many', () => {
  const map = new NewestMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [3, undefined, 4, 2]);
});

test('an entry that is deleted makes room', () => {
  const map = new NewestMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.delete('b');
  map.set('c', 3);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3]);
  map.clear();
  assert.equal(map.size, 0);
});
