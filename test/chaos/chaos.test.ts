import { test } from 'node:test';
import { testChaos } from './mixed-load.ts';

test('mixed load on two services loses and doubles nothing while one of them and the database are killed', (t) =>
  testChaos(t, {
    phase: 'kills',
    seconds: 0,
    seed: 1,
    kills: 1,
    databaseRestarts: 1,
    processes: 1,
    servicesHere: 1,
    clientsOfEach: 1,
  }));
