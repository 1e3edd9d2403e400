import { testDataOperation } from './data-operations.ts';

testDataOperation('data_events', {
  path: '/api/data/events',
  good: ['', '?kind=works&within_days=90'],
  bad: { '?kind=party&within_days=91': ['kind', 'within_days'] },
});
