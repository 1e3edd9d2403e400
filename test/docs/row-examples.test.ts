// Every example of every operation is called as it is printed, with ids and keys that exist, and answers as declared.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { PaidService } from '../support/paid-service.ts';
import { type Called, CALLED_ROWS, ExampleCalls, NOT_CALLED } from './example-calls.ts';
import { servedDocument } from './served-document.ts';

let paid: PaidService;
before(async () => {
  paid = await PaidService.start({ clock: new ManualClock(Date.now()) });
});
after(() => paid[Symbol.asyncDispose]());

test('every example of every operation answers as its row declares', async () => {
  const calls = new ExampleCalls(paid);
  const served = servedDocument((await paid.call('/openapi.json')).json);
  const faults: string[] = [];
  for (const row of CALLED_ROWS) {
    const judge = async (called: Promise<Called>) => {
      const { answer } = await called;
      const fault = served.faultOf(row, answer);
      if (fault !== undefined) faults.push(`${row.operationId}: ${fault} ${answer.text}`);
    };
    const refused = (error: Error) => faults.push(error.message);
    await judge(calls.first(row.operationId)).catch(refused);
    for (const { input } of row.examples.slice(1)) await judge(calls.call(row, input)).catch(refused);
  }
  assert.deepEqual(faults, []);
  const ids: readonly string[] = OPERATIONS.map(({ operationId }) => operationId);
  assert.deepEqual(
    [...calls.calledWithMore, ...Object.keys(NOT_CALLED)].filter((id) => !ids.includes(id)),
    [],
    'calls of rows that there are not',
  );
});
