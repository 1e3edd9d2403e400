import { test } from 'node:test';
import { testKillLoop } from './kills.ts';

test('killed with SIGKILL under load and started again on SQLite, no acknowledged write is lost and none is done twice', (t) =>
  testKillLoop(t, { target: 'sqlite', rounds: 1 }));
