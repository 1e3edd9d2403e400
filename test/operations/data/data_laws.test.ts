import { testDataOperation } from './data-operations.ts';

testDataOperation('data_laws', {
  path: '/api/data/laws',
  good: ['', '?query=omgevingswet'],
  bad: { '?kind=wet': ['kind'] },
});
