import assert from 'node:assert/strict';
import { after } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { testDataOperation } from './data-operations.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start({ clock: new ManualClock(Date.UTC(2026, 10, 15, 10)) });
after(() => service[Symbol.asyncDispose]());

testDataOperation('data_summary', {
  path: '/api/data/summary',
  good: [''],
  bad: { '?id=x': ['id'] },
  service,
  async more() {
    const { items, sandbox } = (await service.call('/api/data/summary')).json as { items: object[]; sandbox: boolean };
    assert.deepEqual(
      items.map((item) => ({ ...item, latest: null })),
      [
        ...[
          ['permits', 68],
          ['leadtimes', 8],
          ['tenders', 35],
          ['laws', 7],
          ['economy', 160],
          ['zones', 10],
          ['natura', 6],
          ['events', 20],
        ].map(([dataset, count]) => ({ dataset, count, latest: null, state: 'fresh' })),
      ],
      'a sandbox reads its stand-ins when it is first asked',
    );
    assert.equal(sandbox, true);
    const { datasets } = (await service.call('/system/status')).json as { datasets: { state: string; rows: number }[] };
    assert.deepEqual(
      datasets.map(({ state, rows }) => [state, rows]),
      [68, 8, 35, 7, 160, 10, 6, 20].map((rows) => ['fresh', rows]),
    );
  },
});
