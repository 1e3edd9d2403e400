import { testDataOperation } from '../../support/data-operations.ts';

testDataOperation('data_zones', {
  path: '/api/data/zones',
  good: ['', '?kind=emission'],
  bad: { '?kind=noise': ['kind'] },
});
