import { test } from 'node:test';
import { testFuzz } from './fuzzed-service.ts';

test('whatever is sent, every answer is a declared one or a problem document, and never a 5xx', (t) =>
  testFuzz(t, { requests: 1_000, repeated: 2 }));
