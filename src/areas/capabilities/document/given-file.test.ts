import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64Field } from './given-file.ts';

test('base64 of a file is taken with and without its padding, and nothing else is', () => {
  for (const text of ['aGVsbG8=', 'aGVsbG8', 'aGVsbA==', 'aGVsbA', 'QUJD', '++//', 'A'.repeat(100_000)])
    assert.equal(base64Field.safeParse(text).success, true, text.slice(0, 20));
  for (const text of [
    '',
    'QUJ',
    'QUJD!',
    'QU JD',
    'QUJD\n',
    'QU-D',
    'QU_D',
    'QU=D',
    'QUJD===',
    '=QUJD',
    'QUJDé',
    `${'A'.repeat(100_000)}*`,
    'data:image/png;base64,QUJD',
  ])
    assert.equal(base64Field.safeParse(text).success, false, text.slice(-20));
});
