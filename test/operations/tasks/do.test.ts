import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ANONYMOUS, doorRefusals, made, post, sharedTaskService } from '../../support/tasks.ts';
import { generalRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('do');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a task is made, and refused with every reason at once', () => doorRefusals(statuses, '/do'));

test('three tasks run free, a need for what is sold uses up none', async () => {
  const service = await sharedTaskService();
  const left: unknown[] = [];
  for (const need of ['VAT NL999900018B01', 'do something nice', 'open bounties', 'order 50 pcs', 'bounties']) {
    left.push((await made(service, { need }, {}, '/do')).free_tries_left);
  }
  assert.deepEqual(left, [3, 2, 1, 1, 0]);
  const refused = statuses.saw(await post(service, '/do', { ...ANONYMOUS, need: 'open bounties' }));
  assert.equal(expectProblem(refused, 401, 'free_tries_used')['register'], '/api/agents/register');
  assert.equal((await made(service, { need: 'open bounties' })).free_tries_left, null);
});

test('general refusals', () =>
  generalRefusals(statuses, () => ({
    path: '/do',
    body: { ...ANONYMOUS, need: 'open bounties' },
    tooManyBytes: 270_000,
  })));
