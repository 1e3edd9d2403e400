import { testDataOperation } from './data-operations.ts';

testDataOperation('data_natura', {
  path: '/api/data/natura',
  good: ['', '?protection=VR%2BHR'],
  bad: { '?protection=XX': ['protection'] },
});
