import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bind } from '#kernel/bound-operation.ts';
import { defineOperation } from '#kernel/operation.ts';
import { row, TestServer } from './_test-server.ts';

test('a refusal whose page cannot be made is answered as JSON, and the fault is logged', async () => {
  const broken = defineOperation({
    ...row,
    operationId: 'broken',
    path: '/broken',
    refusalPage() {
      throw new Error('this page is broken');
    },
  });
  await using server = await TestServer.start([bind(broken, () => 'never asked for')]);
  const answer = await fetch(`${server.url}/broken?unknown=1`, { headers: { accept: 'text/html' } });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [400, 'application/problem+json']);
  assert.equal(((await answer.json()) as { code: string }).code, 'invalid_parameters');
  assert.deepEqual(server.faults.map(String), ['Error: this page is broken']);
});
