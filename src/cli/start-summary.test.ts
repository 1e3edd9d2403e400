import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PRODUCTION } from '#platform/config/_settings.ts';
import { readConfig } from '#platform/config/config.ts';
import { VERSION } from '#platform/version.ts';
import { startSummary } from './start-summary.ts';

const PASSWORD = 'marker';

const ORIGIN = 'log.example.org/astralock';

suite('the start summary', () => {
  test('names version, profile, database file, log and email of a sandbox', () => {
    assert.deepEqual(startSummary(readConfig({ DATA_DIR: '/srv/data' }), ORIGIN), {
      version: VERSION,
      profile: 'sandbox',
      database: 'sqlite',
      database_at: '/srv/data/avouch.db',
      log_origin: ORIGIN,
      email: 'outbox',
      witnesses: 'none',
      off: undefined,
    });
  });

  for (const [url, place] of [
    [
      `postgres://user:${PASSWORD}@db.example:5432/avouch?sslmode=require&password=${PASSWORD}`,
      'db.example:5432/avouch',
    ],
    [`postgresql://user:${PASSWORD}@one:5432,two:5432/avouch`, 'one:5432,two:5432/avouch'],
    [`postgres://user:mar@${PASSWORD}@db.example/avouch`, 'db.example/avouch'],
    [`postgres://user:${PASSWORD}@/avouch?host=/run/postgresql`, 'local socket/avouch'],
  ] as const) {
    test(`names the database ${place} without its user and password`, () => {
      const summary = startSummary(readConfig({ DATABASE_URL: url }), ORIGIN);
      assert.deepEqual([summary['database'], summary['database_at']], ['postgres', place]);
      assert.doesNotMatch(JSON.stringify(summary), /mar|user/);
    });
  }

  test('lists what production has switched off', () => {
    const off = { AVOUCH_GITHUB_BASE_URL: 'off', AVOUCH_DATA_INGEST: 'off', AVOUCH_SUSPENSION: 'off' };
    const summary = startSummary(readConfig({ ...PRODUCTION, ...off }), ORIGIN);
    assert.equal(summary['email'], 'off');
    assert.equal(
      summary['off'],
      'card payments, register kvk, register cir, register companies_house, register dvsa_mot, register eu_fsf, open data, suspension, GitHub, model providers',
    );
  });
});
