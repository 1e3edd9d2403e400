import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import type { Unit, Write } from '#platform/storage/store.ts';
import { ENGINES, hasPostgres } from '../../../../test/support/databases.ts';
import { openStore } from '../../../../test/support/engines.ts';
import * as sql from '../sql.ts';
import { LOGIN_RETENTION_MS } from './login.ts';
import { LOGIN_EXPIRIES } from './login-unit.ts';

const NOW = Date.UTC(2026, 10, 15);
const OVER = NOW - LOGIN_RETENTION_MS;

const session = (idHash: string, idleUntilMs: number, absoluteUntilMs: number) => ({
  idHash,
  email: 'ops@example.org',
  createdAtMs: OVER,
  usedAtMs: OVER,
  idleUntilMs,
  absoluteUntilMs,
  userAgent: '',
});
const fault = (email: string, sinceMs: number, closedUntilMs: number) => ({ email, wrong: 5, sinceMs, closedUntilMs });
const ROWS = [
  sql.SESSION.upsert([session('idle', NOW, NOW + 1), session('old', NOW + 1, NOW), session('alive', NOW + 1, NOW + 1)]),
  sql.FAULT.upsert([fault('over', OVER, OVER), fault('closed', OVER, OVER + 1), fault('new', OVER + 1, OVER)]),
  sql.KNOWN.upsert([
    { email: 'ops@example.org', mark: 'over', untilMs: NOW },
    { email: 'ops@example.org', mark: 'known', untilMs: NOW + 1 },
  ]),
];
const writing: Unit<[readonly Write[], null], readonly Write[]> = {
  name: 'rows',
  reads: () => ({}),
  load: () => [],
  decide: (_state, _nowMs, _next, rows) => ({ state: rows, result: null }),
  writes: (_before, rows) => rows,
};

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`a session goes at the first of its two ends, wrong codes at the last of theirs (${engine})`, {
    skip,
  }, async () => {
    const clock = new ManualClock(NOW);
    await using opened = await openStore(engine, { injectedClock: clock });
    await opened.store.run(writing, ROWS);
    assert.equal(await expire({ ...opened, clock }, ...LOGIN_EXPIRIES), 4);
    const sessions = await opened.store.read(sql.SESSION.select(''));
    const faults = await opened.store.read(sql.FAULT.select('ORDER BY email'));
    const known = await opened.store.read(sql.KNOWN.select(''));
    assert.deepEqual(
      [sessions.map(({ idHash }) => idHash), faults.map(({ email }) => email), known.map(({ mark }) => mark)],
      [['alive'], ['closed', 'new'], ['known']],
    );
  });
}
