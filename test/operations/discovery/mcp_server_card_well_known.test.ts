import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('mcp_server_card_well_known', async (service, _statuses, { text, headers, json }) => {
  const other = await service.call('/mcp/streamable/server-card');
  assert.deepEqual([other.text, other.headers.etag], [text, headers.etag]);
  assert.equal(headers['content-type'], 'application/mcp-server-card+json');
  assert.equal('tools' in json, false);
});
