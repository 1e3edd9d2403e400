// What each public document promises alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/operations.ts';
import { type Answer, expectProblem } from './client.ts';
import { PromisedStatuses } from './promised-statuses.ts';
import { type TestService } from './service.ts';
import { sharedService } from './shared-service.ts';

/** The document answers 200 in the form of its row, and an unknown parameter is named. */
export function documentTest(
  operationId: string,
  more: (service: TestService, statuses: PromisedStatuses, answer: Answer) => Promise<void> | void = () => {},
  path?: string,
): void {
  test(`${operationId} is answered as its row says`, async () => {
    const statuses = new PromisedStatuses(operationId);
    const row = OPERATIONS.find((one) => one.operationId === operationId);
    assert.ok(row !== undefined);
    const service = await sharedService();
    const answer = statuses.saw(await service.call(path ?? row.path));
    assert.equal(answer.status, 200, answer.text);
    row.output.parse(row.mediaType === undefined ? answer.json : answer.text);
    expectProblem(statuses.saw(await service.call(`${path ?? row.path}?x=1`)), 400, 'invalid_parameters');
    await more(service, statuses, answer);
    assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw');
  });
}
