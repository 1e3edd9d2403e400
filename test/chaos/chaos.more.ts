import { test } from 'node:test';
import { testChaos } from './mixed-load.ts';

test('mixed load on three processes loses and doubles nothing while processes and database are killed', (t) =>
  testChaos(t, { phase: 'kills', seconds: 10, seed: 1, kills: 3, databaseRestarts: 2 }));

test('mixed load loses and doubles nothing while the database is killed and stopped', (t) =>
  testChaos(t, { phase: 'restarts', seconds: 6, seed: 2, kills: 0, databaseRestarts: 2 }));

test('mixed load sees no failed call while the workers of a service are replaced', (t) =>
  testChaos(t, { phase: 'rolling', seconds: 6, seed: 3, kills: 0, databaseRestarts: 0 }));

test('mixed load loses and doubles nothing while a standby takes the place of its primary', (t) =>
  testChaos(t, { phase: 'failover', seconds: 6, seed: 4, kills: 0, databaseRestarts: 1 }));

test('mixed load sees no failed call while backups are made, and the last of them restores to what was told', (t) =>
  testChaos(t, { phase: 'backup', seconds: 6, seed: 5, kills: 0, databaseRestarts: 0 }));
