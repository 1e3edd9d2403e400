import assert from 'node:assert/strict';
import { documentTest } from '../_documents.ts';

documentTest('coordination_manifest', async (service, _statuses, { json }) => {
  const { endpoints, lanes, lease, key_rules, signals } = json as {
    endpoints: { path: string }[];
    lanes: { lane: string; steps: string[] }[];
    lease: object;
    key_rules: { examples: { given: string; key: string }[] };
    signals: { code: string; signal: string }[];
  };
  const paths = endpoints.map(({ path }) => path);
  for (const name of [
    'look',
    'claim',
    'release',
    'mark',
    'check',
    'fence',
    'watch',
    'brief',
    'brief/lint',
    'brief/check',
  ]) {
    assert.ok(paths.includes(`/v1/${name}`), name);
  }
  assert.ok(paths.includes('/v1/bounties'));
  assert.deepEqual(
    lanes.map(({ lane }) => lane),
    ['bounty', 'arbitrage'],
  );
  for (const { steps } of lanes) for (const path of steps) assert.ok(paths.includes(path), path);
  assert.partialDeepStrictEqual(lease, {
    ...{ modes: ['shared', 'exclusive', 'once'], ttl_s: { min: 30, max: 3600, default: 600 }, clearance_s: 15 },
    ...{ once_days: 30, look_memory_s: 900, held_long_s: 21_600, event_days: 7 },
  });
  for (const { given, key } of key_rules.examples) {
    const look = await service.call(`/v1/look?key=${encodeURIComponent(given)}`);
    assert.equal(look.json['key'], key, given);
  }
  assert.deepEqual([...new Set(signals.map(({ signal }) => signal))], ['RED', 'AMBER', 'GREEN']);
  assert.equal(new Set(signals.map(({ code }) => code)).size, signals.length);
});
