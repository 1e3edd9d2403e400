import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TaskPage } from '#areas/tasks/task-page.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { BROWSER } from '../../support/documents.ts';
import { made, sharedTaskService } from '../../support/tasks.ts';
import { FORM, expectLimited, formRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('open_task_page');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the receipt key opens need, reasons and result, by form and by JSON; another key opens nothing', async () => {
  const service = await sharedTaskService();
  const task = await made(service, { need: 'open bounties' });
  const path = `/tasks/${task.receipt_id}`;
  const body = { receipt_key: task.receipt_key as string };
  const open = async (given = body, at = path) => statuses.saw(await service.call(at, { method: 'POST', body: given }));
  const { status, why } = TaskPage.parse((await open()).json);
  assert.deepEqual([status.need, status.result !== null, why], ['open bounties', true, task.route.why]);
  const headers = { 'content-type': FORM, accept: BROWSER };
  const page = await service.call(path, { method: 'POST', body: `receipt_key=${body.receipt_key}`, headers });
  assert.deepEqual([page.status, page.headers['cache-control']], [200, 'no-store']);
  assert.match(page.text, /<h3>Request<\/h3>.*open bounties/s);
  assert.doesNotMatch(page.text, new RegExp(body.receipt_key));
  assert.match(page.text, /<h3>Result<\/h3>(?!<div class="code">).*<summary>Result as JSON<\/summary>/s);
  const [, signed = ''] = /aria-label="Task id, result and receipt"><code>(.*?)<\/code>/s.exec(page.text) ?? [];
  const answer = JSON.parse(
    signed.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  ) as object;
  const verified = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer } });
  assert.equal(verified.json['valid'], true, 'what the page shows with its receipt can be verified');
  expectProblem(await open({ receipt_key: 'wrong' }), 403, 'receipt_key_invalid');
  const asking = await made(service, { need: 'something unclear' });
  const question = await service.call(`/tasks/${asking.receipt_id}`, {
    method: 'POST',
    body: `receipt_key=${asking.receipt_key}`,
    headers,
  });
  assert.match(question.text, /<h3>Request<\/h3>.*something unclear.*<h3>Questions?<\/h3>/s);
  expectProblem(await open(body, '/tasks/rcp_0123456789abcdefghjkmnpqrs'), 404, 'unknown_task');
  await formRefusals(statuses, service, path);
  await expectLimited(statuses, (limited) => limited.call(path, { method: 'POST', body }));
});
