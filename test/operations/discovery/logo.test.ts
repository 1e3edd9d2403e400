import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('logo', (_service, _statuses, { headers }) => assert.equal(headers['content-type'], 'image/svg+xml'));
