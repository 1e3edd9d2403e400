import assert from 'node:assert/strict';
import { testDataOperation } from './data-operations.ts';

testDataOperation('data_component', {
  path: '/api/data/components/',
  good: ['stm32-f103%20c8t6'],
  bad: { [`${'x'.repeat(81)}?colour=1`]: ['mpn', 'colour'] },
  async more(service) {
    const { json } = await service.call('/api/data/components/stm32-f103%20c8t6');
    assert.deepEqual([json['mpn'], json['found'], json['offers_count']], ['STM32F103C8T6', false, 0]);
    const { json: known } = await service.call('/api/data/components/ex%20screw-m3');
    const { manufacturer, stock_total, price_range, lead_days, state } = known;
    assert.deepEqual(
      [manufacturer, stock_total, price_range, lead_days, state],
      ['EXAMPLE', 50_000, { min_eur: '0.011', max_eur: '0.02' }, 10, 'fresh'],
    );
  },
});
