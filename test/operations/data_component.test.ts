import assert from 'node:assert/strict';
import { testDataOperation } from '../_data-operations.ts';

testDataOperation('data_component', {
  path: '/api/data/components/',
  good: ['stm32-f103%20c8t6'],
  bad: { [`${'x'.repeat(81)}?colour=1`]: ['mpn', 'colour'] },
  async more(service) {
    const { json } = await service.call('/api/data/components/stm32-f103%20c8t6');
    assert.deepEqual([json['mpn'], json['found'], json['state']], ['STM32F103C8T6', false, 'not_configured']);
  },
});
