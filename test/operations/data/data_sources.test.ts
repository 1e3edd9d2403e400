import assert from 'node:assert/strict';
import { testDataOperation } from './data-operations.ts';

testDataOperation('data_sources', {
  path: '/api/data/sources',
  good: [''],
  bad: { '?id=x': ['id'] },
  async more(service) {
    const { sources } = (await service.call('/api/data/sources')).json as { sources: { id: string; state: string }[] };
    assert.deepEqual([sources.length, new Set(sources.map(({ state }) => state))], [20, new Set(['none'])]);
  },
});
