import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformance } from './conformance-scenarios.ts';

test('the MCP endpoint passes every scenario of both lines of the conformance suite that tools alone can meet', async () => {
  const results = await conformance();
  assert.deepEqual(
    results.filter(({ isMet }) => !isMet),
    [],
  );
  assert.equal(results.length, 23);
});
