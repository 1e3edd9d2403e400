// The statuses of an operation on open data: right and wrong parameters, and its rate limit.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPERATIONS } from '../../../src/areas.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import type { TestService } from '../../support/service.ts';
import { bareService } from '../../support/shared-service.ts';

export interface DataCases {
  readonly path: string;
  /** Queries that are answered. */
  readonly good: readonly string[];
  /** Queries that are refused, with the fields that the refusal names. */
  readonly bad: Readonly<Record<string, readonly string[]>>;
  /** A service to ask in the place of the shared one, which has read no source. */
  readonly service?: TestService;
  readonly more?: (service: TestService, saw: (answer: Answer) => Answer) => Promise<void>;
}

export function testDataOperation(operationId: string, { path, good, bad, more, ...given }: DataCases): void {
  const statuses = new PromisedStatuses(operationId);
  after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));
  const output = OPERATIONS.find((row) => row.operationId === operationId)?.output;
  const saw = (answer: Answer) => statuses.saw(answer);

  test('answers follow the schema, bad parameters are named all at once, and reads are limited', async () => {
    const { service = (await bareService()).service } = given;
    for (const query of good) {
      const answer = saw(await service.call(`${path}${query}`));
      assert.equal(answer.status, 200, `${query} ${answer.text}`);
      output?.parse(answer.json);
    }
    for (const [query, fields] of Object.entries(bad)) {
      const body = expectProblem(saw(await service.call(`${path}${query}`)), 400, 'invalid_parameters');
      const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer.slice(2));
      assert.deepEqual(pointers.toSorted(), [...fields].toSorted(), query);
    }
    await more?.(service, saw);
    await expectLimited(statuses, (limited) => limited.call(`${path}${Object.keys(bad)[0]}`));
  });
}
