import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazily } from './lazily.ts';

test('it is made when it is first asked for, and once', () => {
  let made = 0;
  const value = lazily(() => {
    made += 1;
    return undefined;
  });
  assert.equal(made, 0);
  assert.deepEqual([value(), value()], [undefined, undefined]);
  assert.equal(made, 1);
});

test('what could not be made is tried again', () => {
  let fails = true;
  const value = lazily(() => {
    if (fails) throw new Error('not yet');
    return 'made';
  });
  assert.throws(value, /not yet/);
  fails = false;
  assert.equal(value(), 'made');
});
