import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { from, openStreams } from './open-streams.ts';

test('an address has at most ten streams and the process 1,000', async () => {
  await using full = await openStreams(100);
  expectProblem(await full.refused(0), 429, 'too_many_streams');
  expectProblem(await full.refused(101), 503, 'streams_full');
  const lines = { accept: 'application/x-ndjson', ...from(101) };
  expectProblem(await full.service.call('/api/attest/ledger', { headers: lines }), 503, 'streams_full');
  assert.equal((await full.service.call('/api/attest/ledger', { headers: from(0) })).status, 200);
});
