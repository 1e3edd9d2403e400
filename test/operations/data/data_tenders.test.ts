import { testDataOperation } from './data-operations.ts';

testDataOperation('data_tenders', {
  path: '/api/data/tenders',
  good: ['', '?cpv=45&open_only=yes&country=BE'],
  bad: { '?cpv=4&open_only=true&country=FR': ['cpv', 'open_only', 'country'] },
});
