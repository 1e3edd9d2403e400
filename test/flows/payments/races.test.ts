import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { PaidService } from '../../support/paid-service.ts';
import { raceForOneAnswer } from '../../chaos/one-authorization.ts';

const FUSE = '/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=i-';
const ROUNDS = 8;

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`payment races on ${engine}`, { skip }, () => {
    test('a hundred calls at once with one authorization: one verdict, one settlement, one body', async () => {
      await raceForOneAnswer(engine, ROUNDS);
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
