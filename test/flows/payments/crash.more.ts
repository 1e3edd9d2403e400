import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { KILL_POINTS, PaidChildren, paymentKills } from '../../chaos/paid-children.ts';

const ROUNDS = 5;
const CALLERS = 20;
const noPostgres = !(await hasPostgres()) && 'no PostgreSQL here';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && noPostgres;
  test(`killed between any two steps on ${engine}, every payment ends with one transfer and its one stored answer`, {
    skip,
  }, async () => {
    const { payments, transfers, states, movedAtomic, settledAtomic } = await paymentKills(engine, KILL_POINTS.length);
    assert.deepEqual([transfers, states], [payments, { settled: payments }]);
    assert.equal(movedAtomic, settledAtomic);
  });
}

test('two processes on PostgreSQL that get one authorization at once run one handler and give one body', {
  skip: noPostgres,
}, async () => {
  await using children = await PaidChildren.open('postgres');
  const urls = await Promise.all([children.start(), children.start()]);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const path = `/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=i-${round}`;
    const pay = await children.purchase(urls[0], path);
    const calls = Array.from({ length: CALLERS }, (_, index) => pay(urls[index % 2] as string));
    const answers = await Promise.all(calls);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const { factsCalls, settleCalls, transfers } = children.chain;
    assert.deepEqual([factsCalls, settleCalls, transfers.size], [round, round, round]);
  }
});
