import { test } from 'node:test';
import { testFuzz, testUnstorable } from './fuzzed-service.ts';

test('whatever is sent, every answer is a declared one or a problem document, and never a 5xx', (t) =>
  testFuzz(t, { requests: 1_000, repeated: 2 }));

test('text that a database or a digest does not take is never a 5xx, in whichever field', (t) => testUnstorable(t));
