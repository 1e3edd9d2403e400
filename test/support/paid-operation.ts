// What every row with a price promises, tried on one of them.
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { OPERATIONS } from '../../src/operations.ts';
import { challengeOf } from './buyer.ts';
import { expectProblem } from './client.ts';
import { PromisedStatuses } from './promised-statuses.ts';
import { ENGINES, hasPostgres } from './databases.ts';
import { PaidService } from './paid-service.ts';

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
    suite(`${operationId} on ${engine}`, () => {
      test('an unpaid call is asked for its price', async (t) => {
        if (engine === 'postgres' && !(await hasPostgres())) return t.skip('no PostgreSQL here');
        await using paid = await PaidService.start({ engine });
        for (const query of [right, wrong, {}]) {
          const answer = statuses.saw(await paid.call(path(query)));
          expectProblem(answer, 402, 'payment_required');
          assert.equal(challengeOf(answer).accepts[0]?.amount, price);
        }
      });

      test('a paid call with wrong parameters names every one and costs nothing', async (t) => {
        if (engine === 'postgres' && !(await hasPostgres())) return t.skip('no PostgreSQL here');
        await using paid = await PaidService.start({ engine });
        const body = expectProblem(statuses.saw(await paid.buy(path(wrong))), 400, 'invalid_parameters');
        assert.deepEqual(
          (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted(),
          [...pointers].toSorted(),
        );
        assert.deepEqual([body['charged'], paid.chain.transfers.size], [false, 0]);
      });

      test('a payment buys one answer for one request, kept for a day', async (t) => {
        if (engine === 'postgres' && !(await hasPostgres())) return t.skip('no PostgreSQL here');
        await using paid = await PaidService.start({ engine });
        const payment = await paid.sign(path(right));
        const answer = statuses.saw(await paid.pay(path(right), payment));
        assert.equal(answer.status, 200, answer.text);
        row.output.parse(answer.json);
        assert.equal(paid.chain.transfers.values().next().value?.value, BigInt(price));
        const other = statuses.saw(await paid.pay(path(otherRight), payment));
        expectProblem(other, 409, 'payment_bound_to_other_request');
        assert.equal(paid.chain.transfers.size, 1);
        paid.clock.advance(86_400_000);
        await paid.restart();
        const expired = await paid.callUntil(410, () => paid.pay(path(right), payment));
        assert.equal(expectProblem(statuses.saw(expired), 410, 'result_expired')['charged'], true);
      });
    });
  }

  test(`${operationId}: a price above the cap, a silent chain and a caller in a hurry are refused uncharged`, async () => {
    await using paid = await PaidService.start({ env: { AVOUCH_RATE_PAID: '1/s,4' } });
    const capped = statuses.saw(await paid.call(path(right), { 'x-max-price': '0.000001' }));
    assert.equal(expectProblem(capped, 412, 'price_above_cap')['charged'], false);
    const payment = await paid.sign(path(right));
    paid.chain.isReachable = false;
    const silent = statuses.saw(await paid.pay(path(right), payment));
    assert.equal(expectProblem(silent, 503, 'chain_unavailable')['charged'], false);
    await paid.call(path(right));
    const hurried = statuses.saw(await paid.call(path(right)));
    assert.equal(expectProblem(hurried, 429, 'slow_down')['charged'], false);
  });
  return statuses;
}
