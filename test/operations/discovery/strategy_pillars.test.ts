import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('strategy_pillars', (_service, _statuses, { json }) => {
  const pillars = json['pillars'] as { id: string; maturity: string; claimable: boolean; surfaces: string[] }[];
  assert.deepEqual(
    pillars.find(({ id }) => id === 'robotics'),
    { ...pillars.at(-1), id: 'robotics', maturity: 'design', claimable: false, surfaces: [] },
  );
  for (const { id, maturity, claimable, surfaces } of pillars) {
    assert.equal(surfaces.length === 0, maturity === 'design', id);
    assert.equal(claimable, maturity !== 'design', id);
  }
  assert.deepEqual(
    pillars
      .filter(({ maturity }) => maturity === 'live')
      .map(({ id }) => id)
      .slice(0, 3),
    ['verification', 'coordination', 'attestation'],
  );
});
