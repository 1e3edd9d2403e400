import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { PaymentStatus } from '#platform/payments/operations.ts';
import { Buyer } from '../../support/buyer.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { AUDIT, PaidService } from '../../support/paid-service.ts';
import { expectLimited } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('payment_status');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

const newKey = () => ({ 'idempotency-key': randomUUID() });

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`payment_status on ${engine}`, { skip }, () => {
    const statusOf = async (paid: PaidService, nonce: string, headers = {}, query = ''): Promise<Answer> =>
      statuses.saw(await paid.call(`/v1/payments/${nonce}${query}`, headers));

    test('anybody learns whether money moved, and neither route nor request', async () => {
      const paid = await PaidService.on(engine);
      const payment = await paid.sign(AUDIT);
      await paid.pay(AUDIT, payment, newKey());
      const answer = await statusOf(paid, payment.nonce);
      assert.equal(answer.status, 200, answer.text);
      const status = PaymentStatus.parse(answer.json);
      const [transfer] = paid.transfers();
      assert.deepEqual(
        [status.state, status.charged, status.amount, status.transaction, status.log_index, status.sandbox],
        ['settled', true, '50000', transfer?.transaction, transfer?.logIndex, true],
      );
      assert.equal(status.settled_at, isoTime(paid.clock.now()));
      assert.equal(status.result_available_until, isoTime(paid.clock.now() + DAY_MS));
      assert.doesNotMatch(answer.text, /coordination|demo|operation_id|request_sha256|response"/);
    });

    test('whoever has the key or the very header gets the answer again; a header from the chain opens nothing', async () => {
      const paid = await PaidService.on(engine);
      const payment = await paid.sign(AUDIT);
      const key = newKey();
      const bought = await paid.pay(AUDIT, payment, key);
      for (const proof of [key, { 'payment-signature': payment.header }]) {
        const { json } = await statusOf(paid, payment.nonce, proof);
        assert.deepEqual(json['response'], bought.json);
        assert.equal(json['operation_id'], 'agent_coordination_audit');
        assert.equal(json['request_sha256'], (bought.json['receipt'] as Record<string, unknown>)['request_sha256']);
      }
      const rebuilt = Buffer.from(JSON.stringify({ ...payment.payload, extensions: {} })).toString('base64');
      const wrongKey = { 'idempotency-key': 'another-key-of-somebody' };
      for (const proof of [wrongKey, { 'payment-signature': rebuilt }, { 'payment-signature': 'e30=' }]) {
        assert.equal((await statusOf(paid, payment.nonce, proof)).json['response'], undefined);
      }
      const bare = await paid.sign(AUDIT, { withExtensions: false });
      await paid.pay(AUDIT, bare);
      const proof = { 'payment-signature': bare.header };
      assert.ok((await statusOf(paid, bare.nonce, proof)).json['response']);
      paid.clock.advance(120_000);
      assert.equal((await statusOf(paid, bare.nonce, proof)).json['response'], undefined);
    });

    test('a nonce that two payers used needs the payer', async () => {
      const paid = await PaidService.on(engine);
      const payment = await paid.sign(AUDIT);
      await paid.pay(AUDIT, payment);
      const other = new Buyer();
      await paid.pay(AUDIT, await paid.sign(AUDIT, { nonce: payment.nonce }, other));
      const payers = [...paid.chain.transfers.values()].map(({ from }) => from);
      for (const { address } of [paid.buyer, other]) assert.ok(payers.includes(address));
      const body = expectProblem(await statusOf(paid, payment.nonce), 400, 'invalid_parameters');
      assert.deepEqual((body['errors'] as { pointer: string }[])[0]?.pointer, '#/payer');
      assert.equal((await statusOf(paid, payment.nonce, {}, `?payer=${other.address}`)).status, 200);
    });

    test('what is unknown or no nonce is refused', async () => {
      const paid = await PaidService.on(engine);
      expectProblem(await statusOf(paid, `0x${'1'.repeat(64)}`), 404, 'payment_unknown');
      expectProblem(await statusOf(paid, '0x1'), 400, 'invalid_parameters');
    });
  });
}

test('looking is limited as reads', async () => {
  await expectLimited(statuses, (service) => service.call('/v1/payments/0x1'));
});
