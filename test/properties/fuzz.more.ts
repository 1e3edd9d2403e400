import { test } from 'node:test';
import { testFuzz } from './fuzzed-service.ts';

test('whatever is sent for longer, every answer is a declared one or a problem document, and never a 5xx', (t) =>
  testFuzz(t, { requests: 12_000, repeated: 8, inherited: true }));
