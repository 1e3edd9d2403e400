import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from './differences.ts';

const ID = 'tsk_4yfc5xsq7csjk639cxav4dkz32';
const OTHER = 'tsk_0123456789abcdefghjkmnpqrs';

test('answers that differ in drawn ids alone are the same, those in which an id stands for another are not', () => {
  const answer = (id: string, poll: string) => ({ id, poll: `/api/tasks/${poll}`, state: 'open' });
  assert.deepEqual(differences(answer(ID, ID), answer(OTHER, OTHER)), []);
  assert.deepEqual(differences(answer(ID, ID), answer(ID, OTHER)), ['/poll']);
});

test('another word, number, member or length is a difference', () => {
  const before = { state: 'open', count: 1, list: ['a', 'b'] };
  for (const [after, at] of [
    [{ ...before, state: 'done' }, '/state'],
    [{ ...before, count: 2 }, '/count'],
    [{ ...before, more: null }, '/more'],
    [{ ...before, list: ['a'] }, '/list/1'],
  ] as const) {
    assert.deepEqual(differences(before, after), [at]);
  }
});
