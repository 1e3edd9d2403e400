import { testDataOperation } from './data-operations.ts';

testDataOperation('data_permits', {
  path: '/api/data/permits',
  good: [
    '',
    '?municipality=Utrecht&activity=bouwen&type=decision&from=2026-01-01&to=2026-02-01&limit=1&offset=5',
    '?query=%22%20OR%20x',
  ],
  bad: {
    '?limit=0&offset=-1&type=x&from=2026-13-01&colour=red': ['limit', 'offset', 'type', 'from', 'colour'],
    '?limit=101': ['limit'],
    '?municipality=a%00b&activity=a%00b&authority=a%00b': ['municipality', 'activity', 'authority'],
  },
});
