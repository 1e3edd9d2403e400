import { test } from 'node:test';
import { testMandateRace } from './mandate-verifiers.ts';

test('killed amid verifies on sqlite: never over the cap, nothing allowed is forgotten', (t) =>
  testMandateRace(t, { engine: 'sqlite', processes: 1, verifies: 90, kills: 1 }));
