import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ANONYMOUS, doorRefusals } from '../../support/tasks.ts';
import { generalRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('create_task');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a task is made, and refused with every reason at once', () => doorRefusals(statuses, '/api/tasks'));

test('general refusals', () =>
  generalRefusals(statuses, () => ({
    path: '/api/tasks',
    body: { ...ANONYMOUS, need: 'open bounties' },
    tooManyBytes: 270_000,
  })));
