import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ENGINES, hasPostgres, temporaryDirectory, freshDatabase } from '../_harness.ts';
import { PaidService } from '../_paid-service.ts';

const FUSE = '/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=i-';
const ROUNDS = 10;
const CALLERS = 100;

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`payment races on ${engine}`, { skip }, () => {
    test('a hundred calls at once with one authorization: one verdict, one settlement, one body', async () => {
      await using paid = await PaidService.start({ engine });
      for (let round = 1; round <= ROUNDS; round += 1) {
        const path = `${FUSE}${round}`;
        const payment = await paid.sign(path);
        const answers = await Promise.all(Array.from({ length: CALLERS }, () => paid.pay(path, payment)));
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
        const originals = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
        assert.equal(originals.length, 1);
        assert.deepEqual([paid.chain.settleCalls, paid.chain.transfers.size], [round, round]);
      }
    });

    test('one authorization on many requests at once buys one of them', async () => {
      await using paid = await PaidService.start({ engine });
      const paths = Array.from({ length: 20 }, (_, index) => `${FUSE}${index}`);
      const payment = await paid.sign(paths[0] as string);
      const answers = await Promise.all(paths.map((path) => paid.pay(path, payment)));
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, ...Array<number>(19).fill(409)],
      );
      assert.equal(paid.chain.transfers.size, 1);
    });

    test('one Idempotency-Key with many authorizations at once is charged once', async () => {
      await using paid = await PaidService.start({ engine });
      const path = `${FUSE}key`;
      const payments = await Promise.all(Array.from({ length: 20 }, () => paid.sign(path)));
      const key = { 'idempotency-key': 'a-key-of-at-least-sixteen' };
      const answers = await Promise.all(payments.map((payment) => paid.pay(path, payment, key)));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(paid.chain.transfers.size, 1);
    });
  });
}

const skip = !(await hasPostgres()) && 'no PostgreSQL here';

test('two processes that share an authorization run one handler and give one body', { skip }, async () => {
  const databaseUrl = await freshDatabase('postgres');
  const dataDir = await temporaryDirectory();
  await using one = await PaidService.start({ dataDir, databaseUrl });
  const { clock, chain, buyer } = one;
  await using two = await PaidService.start({ dataDir, databaseUrl, clock, chain, buyer });
  for (let round = 1; round <= ROUNDS; round += 1) {
    const path = `${FUSE}${round}`;
    const payment = await one.sign(path);
    const calls = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).pay(path, payment));
    const answers = await Promise.all(calls);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const results = answers.map(({ json }) => JSON.stringify(json));
    assert.equal(new Set(results).size, 1);
    assert.deepEqual([chain.settleCalls, chain.transfers.size], [round, round]);
  }
});
