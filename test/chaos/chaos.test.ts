import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chaos } from './mixed-load.ts';

test('mixed load on three processes loses and doubles nothing while processes and database are killed', async (t) => {
  const report = await chaos({ phase: 'kills', seconds: 6, seed: 1, kills: 2, databaseRestarts: 1 });
  if (report === undefined) return t.skip('no PostgreSQL');
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual([report.violations, report.other_errors], [[], []]);
  assert.deepEqual([report.kills, report.database_restarts], [2, 1]);
  for (const kind of ['crossing', 'seal', 'pay', 'mandate verify', 'execute', 'mcp create_task']) {
    assert.ok((report.acknowledged[kind] ?? 0) > 0, `nothing of ${kind} was answered`);
  }
});
