import { test } from 'node:test';
import { testChaos } from './mixed-load.ts';

test('mixed load on two processes loses and doubles nothing while a process and the database are killed', (t) =>
  testChaos(t, { phase: 'kills', seconds: 0, seed: 1, kills: 1, databaseRestarts: 1, processes: 2 }));
