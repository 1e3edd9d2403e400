import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, ManualClock } from '#kernel/clock.ts';
import type { Operation } from '#kernel/operation.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { CallTally } from './call-tally.ts';
import { DayCounts } from './daily-availability.ts';

const START_MS = Date.UTC(2026, 10, 15, 10);
const operation = (operationId: string, tag: string, price: object | null = null) =>
  ({ operationId, tag, price }) as unknown as Operation;
const OPERATIONS = [
  operation('look', 'crossing'),
  operation('claim', 'crossing'),
  operation('eu_vat_check', 'verdicts', {}),
  operation('sandbox_faucet', 'sandbox'),
];

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`the worst hour decides how a product's day was; days without calls say nothing (${engine})`, {
    skip,
  }, async () => {
    await using opened = await openStore(engine);
    const clock = new ManualClock(START_MS);
    const tally = new CallTally(opened.store, clock);
    const days = new DayCounts(opened.store, clock, OPERATIONS);
    const count = (id: string, statuses: Readonly<Record<number, number>>) => {
      for (const [status, calls] of Object.entries(statuses)) {
        for (let n = 0; n < calls; n += 1) tally.count(id, Number(status), clock.now());
      }
    };
    const shown = async () => {
      await tally.flush();
      await days.refresh();
      const { from, products } = days.shown();
      const of = (id: string) => {
        const product = products.find((one) => one.id === id);
        assert.equal(product?.pct_by_day.length, 90);
        return [product.pct, product.pct_by_day.slice(-2), product.state_by_day.slice(-2)];
      };
      return { from, all: of('all'), coordination: of('coordination'), checks: of('checks'), payments: of('payments') };
    };
    const NOTHING = [null, [null, null], [null, null]];
    assert.deepEqual(await shown(), {
      from: '2026-08-18',
      all: NOTHING,
      coordination: NOTHING,
      checks: NOTHING,
      payments: NOTHING,
    });

    count('look', { 200: 998, 409: 1 });
    count('claim', { 200: 1 });
    count('eu_vat_check', { 200: 9, 503: 1 });
    count('sandbox_faucet', { 503: 1 });
    clock.advance(HOUR_MS);
    count('claim', { 200: 45, 503: 5 });
    const first = await shown();
    assert.deepEqual(first.coordination, [99.52, [null, 99.52], [null, 'down']], 'an hour with 90 %');
    assert.deepEqual(first.checks, [90, [null, 90], [null, 'degraded']], 'one failed call of a quiet hour');
    assert.deepEqual(first.payments, first.checks);
    assert.deepEqual(first.all, [99.34, [null, 99.34], [null, 'down']]);

    clock.advance(DAY_MS);
    count('look', { 200: 10 });
    const second = await shown();
    assert.equal(second.from, '2026-08-19');
    assert.deepEqual(second.coordination, [99.52, [99.52, 100], ['down', 'up']]);

    clock.advance(89 * DAY_MS);
    assert.deepEqual((await shown()).coordination, [100, [null, null], [null, null]], 'the oldest day is still in');
    clock.advance(DAY_MS);
    assert.deepEqual((await shown()).all, NOTHING);
    assert.deepEqual(await shown(), await shown());
  });
}
