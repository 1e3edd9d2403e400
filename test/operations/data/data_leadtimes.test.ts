import { testDataOperation } from './data-operations.ts';

testDataOperation('data_leadtimes', {
  path: '/api/data/leadtimes',
  good: ['', '?authority=Utrecht&activity=bouwen'],
  bad: { '?cpv=45&activity=': ['cpv', 'activity'] },
});
