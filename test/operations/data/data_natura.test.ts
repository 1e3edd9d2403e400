import { testDataOperation } from '../../support/data-operations.ts';

testDataOperation('data_natura', {
  path: '/api/data/natura',
  good: ['', '?protection=VR%2BHR'],
  bad: { '?protection=XX': ['protection'] },
});
