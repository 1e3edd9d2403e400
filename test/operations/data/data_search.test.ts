import assert from 'node:assert/strict';
import { testDataOperation } from './data-operations.ts';

testDataOperation('data_search', {
  path: '/api/data/search',
  good: ['?query=fence', '?query=%22%20NEAR(a%20b)%20*%20%00'],
  bad: { '?limit=3': ['query', 'limit'] },
  async more(service) {
    const { results } = (await service.call('/api/data/search?query=fence')).json as {
      results: { id: string; url: string }[];
    };
    assert.ok(results.length > 0 && results.length <= 10);
    for (const { id, url } of results) {
      const { pathname, search } = new URL(url);
      const { status, json } = await service.call(`${pathname}${search}`);
      assert.deepEqual([status, json['id']], [200, id], 'what search finds can be fetched at its address');
    }
  },
});
