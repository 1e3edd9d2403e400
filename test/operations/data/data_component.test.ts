import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareService } from '../../support/shared-service.ts';
import { testDataOperation } from './data-operations.ts';

testDataOperation('data_component', {
  path: '/api/data/components/',
  good: ['stm32-f103%20c8t6'],
  bad: { [`${'x'.repeat(81)}?colour=1`]: ['mpn', 'colour'], 'A%00B': ['mpn'] },
  async more(service) {
    const { json } = await service.call('/api/data/components/stm32-f103%20c8t6');
    assert.deepEqual([json['mpn'], json['found'], json['offers_count']], ['stm32-f103 c8t6', false, 0]);
    const { json: known } = await service.call('/api/data/components/ex%20screw-m3');
    const { mpn, manufacturer, stock_total, price_range, lead_days, state } = known;
    assert.deepEqual(
      [mpn, manufacturer, stock_total, price_range, lead_days, state],
      ['EX-SCREW-M3', 'EXAMPLE', 50_000, { min_eur: '0.011', max_eur: '0.02' }, 10, 'fresh'],
    );
  },
});

test('a part that the service sells is found, however its number is written', async () => {
  const { service } = await bareService();
  for (const written of ['EX-0603-10K', 'ex-0603-10k']) {
    const { json: sold } = await service.call(`/api/data/components/${written}`);
    const { mpn, found, state, manufacturer, alternates } = sold;
    assert.deepEqual([mpn, found, state, manufacturer, alternates], ['EX-0603-10K', true, 'fresh', 'EXAMPLE', []]);
    assert.deepEqual(
      (sold['sources'] as { source: string }[]).map(({ source }) => source),
      ['nexar', 'mouser', 'digikey'],
    );
    assert.ok(sold['price_range'] !== null && (sold['stock_total'] as number) > 0);
  }
});
