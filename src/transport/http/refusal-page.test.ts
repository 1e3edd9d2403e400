import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bind } from '#kernel/bound-operation.ts';
import { defineOperation } from '#kernel/operation.ts';
import { row, TestServer } from './_test-server.ts';

test('the page of a failure says that nothing was changed, unless the call may have changed something', async () => {
  const fail = () => {
    throw new Error('broken');
  };
  const reading = defineOperation({ ...row, operationId: 'reading', path: '/reading' });
  const changing = defineOperation({
    ...row,
    operationId: 'changing',
    path: '/changing',
    method: 'post',
    effects: true,
  });
  await using server = await TestServer.start([bind(reading, fail), bind(changing, fail)]);
  const pageOf = async (path: string, method: string) => {
    const headers = { accept: 'text/html', 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    assert.equal(answer.status, 500);
    return answer.text();
  };
  assert.match(await pageOf('/reading', 'GET'), /Nothing was changed\. The request id/);
  assert.match(await pageOf('/changing', 'POST'), /We do not know whether anything was saved\./);
});

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
