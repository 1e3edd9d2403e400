import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('ai_plugin', (service, _statuses, { json }) => {
  assert.deepEqual(json['api'], { type: 'openapi', url: `${service.url}/openapi.json` });
});
