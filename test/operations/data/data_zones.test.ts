import { testDataOperation } from './data-operations.ts';

testDataOperation('data_zones', {
  path: '/api/data/zones',
  good: ['', '?kind=emission'],
  bad: { '?kind=noise': ['kind'] },
});
