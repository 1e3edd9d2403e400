import { testDataOperation } from './data-operations.ts';

testDataOperation('data_economy', {
  path: '/api/data/economy',
  good: ['', '?table=85728NED&measure=index&period=2026KW03'],
  bad: { '?table=1&period=2026': ['table', 'period'], '?municipality=a%00&measure=%00': ['municipality', 'measure'] },
});
