// What every row with a price promises, tried on one of them.
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { challengeOf } from './buyer.ts';
import { expectProblem } from './client.ts';
import { PromisedStatuses } from './promised-statuses.ts';
import { ENGINES, hasPostgres } from './databases.ts';
import { PaidService } from './paid-service.ts';
import { expectLimited } from './refusals.ts';
import { limitedService } from './shared-service.ts';

const hasPostgresHere = await hasPostgres();

export interface PaidSample {
  readonly operationId: string;
  readonly right: Readonly<Record<string, string>>;
  readonly otherRight: Readonly<Record<string, string>>;
  /** Wrong parameters with the pointers of all their faults. */
  readonly wrong: Readonly<Record<string, string>>;
  readonly pointers: readonly string[];
  readonly price: string;
}

/** Tests the row; gives the function that further tests of the file call with their answers. */
export function testPaidOperation(sample: PaidSample): PromisedStatuses {
  const { operationId, right, otherRight, wrong, pointers, price } = sample;
  const row = OPERATIONS.find((one) => one.operationId === operationId);
  assert.ok(row !== undefined, operationId);
  const path = (parameters: Readonly<Record<string, string>>) => `${row.path}?${new URLSearchParams(parameters)}`;
  const statuses = new PromisedStatuses(operationId);
  after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

  for (const engine of ENGINES) {
    const skip = engine === 'postgres' && !hasPostgresHere && 'no PostgreSQL here';
    suite(`${operationId} on ${engine}`, { skip }, () => {
      test('an unpaid call is asked for its price', async () => {
        const paid = await PaidService.on(engine);
        for (const query of [right, wrong, {}]) {
          const answer = statuses.saw(await paid.call(path(query)));
          expectProblem(answer, 402, 'payment_required');
          assert.equal(challengeOf(answer).accepts[0]?.amount, price);
        }
      });

      test('a paid call with wrong parameters names every one and costs nothing', async () => {
        const paid = await PaidService.on(engine);
        const body = expectProblem(statuses.saw(await paid.buy(path(wrong))), 400, 'invalid_parameters');
        assert.deepEqual(
          (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted(),
          [...pointers].toSorted(),
        );
        assert.deepEqual([body['charged'], paid.transfers()], [false, []]);
      });

      test('a payment buys one answer for one request, kept for a day', async () => {
        const paid = await PaidService.on(engine);
        const payment = await paid.sign(path(right));
        const answer = statuses.saw(await paid.pay(path(right), payment));
        assert.equal(answer.status, 200, answer.text);
        row.output.parse(answer.json);
        assert.deepEqual(
          paid.transfers().map(({ value }) => value),
          [BigInt(price)],
        );
        const other = statuses.saw(await paid.pay(path(otherRight), payment));
        expectProblem(other, 409, 'payment_bound_to_other_request');
        assert.equal(paid.transfers().length, 1);
        paid.clock.advance(DAY_MS);
        const expired = statuses.saw(await paid.callUntil(410, () => paid.pay(path(right), payment)));
        assert.equal(expectProblem(expired, 410, 'result_expired')['charged'], true);
      });
    });
  }

  test(`${operationId}: a price above the cap, a silent chain and a caller in a hurry are refused uncharged`, async () => {
    const paid = PaidService.at(await limitedService());
    const capped = statuses.saw(await paid.call(path(right), { 'x-max-price': '0.000001' }));
    assert.equal(expectProblem(capped, 412, 'price_above_cap')['charged'], false);
    const payment = await paid.sign(path(right));
    paid.chain.isReachable = false;
    const silent = statuses.saw(await paid.pay(path(right), payment));
    paid.chain.isReachable = true;
    assert.equal(expectProblem(silent, 503, 'chain_unavailable')['charged'], false);
    const hurried = await expectLimited(statuses, (service) => service.call(path(right)));
    assert.equal(hurried['charged'], false);
  });
  return statuses;
}
