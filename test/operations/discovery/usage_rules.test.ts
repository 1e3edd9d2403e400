import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';
import { expectProblem } from '../../support/client.ts';

documentTest('usage_rules', async (service, statuses, answer) => {
  const { version, effective_from, canon, rules, changelog } = answer.json as Record<string, unknown> & {
    rules: { id: string; key: string; level: string }[];
    changelog: { version: string; date: string }[];
  };
  assert.deepEqual([version, effective_from, canon], ['v1.2.0-2026-05-12', '2026-04-29', '3.5.0']);
  assert.deepEqual(
    rules.map(({ id, key, level }) => `${id} ${key} ${level}`),
    [
      'R1 founder_impersonation hard',
      'R2 secret_request hard',
      'R3 quota_evasion automatic',
      'R4 warranty_promise legal filter',
      'R5 robotics_claims soft',
    ],
  );
  assert.deepEqual(
    changelog.map((row) => `${row.version} ${row.date}`),
    ['v1.0.0 2026-04-29', 'v1.1.0 2026-04-29', 'v1.2.0 2026-05-12'],
  );
  const named = await service.call(`/api/rules-of-engagement?version=${String(version)}`);
  assert.equal(named.text, answer.text);
  const other = await service.call('/api/rules-of-engagement?version=v9');
  expectProblem(statuses.saw(other), 404, 'unknown_rules_version');
});
