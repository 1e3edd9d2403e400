import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import { decodeSettleHeader, encodeHeader } from '#protocol/payment/header.ts';
import { requestFingerprint } from '#protocol/payment/request-fingerprint.ts';
import { resultSha256 } from '#protocol/payment/receipt.ts';
import { ChainUnavailableError } from '#platform/payments/settlement.ts';
import { Buyer } from '../../support/buyer.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { runCommand } from '../../support/command.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { AUDIT, OTHER_AUDIT, PaidService } from '../../support/paid-service.ts';
import { nameOf } from '../../support/memory-chain.ts';
import { serviceEnv } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const KEY = { 'idempotency-key': '9b2d5c8e-5a52-4f0e-8f4e-0a1b2c3d4e5f' };
const FUSE = '/v1/spend-fuse?amount_usd=1&agent=scout-1&intent_id=i-1';

function problem(answer: Answer, status: number, code: string, charged: boolean | null): Record<string, unknown> {
  const body = expectProblem(answer, status, code);
  assert.equal(body['charged'], charged, answer.text);
  return body;
}

function replayed(answer: Answer, first: Answer): void {
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.text, first.text);
  assert.equal(answer.headers['payment-response'], first.headers['payment-response']);
  assert.equal(answer.headers['idempotent-replayed'], 'true');
}

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`payments on ${engine}`, { skip }, () => {
    test('a paid call is settled once, answered with a receipt of what was asked, answered and paid', async () => {
      await using paid = await PaidService.start({ engine });
      const payment = await paid.sign(AUDIT);
      const answer = await paid.pay(AUDIT, payment);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers['idempotent-replayed'], undefined);
      assert.match(answer.headers['cache-control'] ?? '', /private/);
      const [transfer] = paid.chain.transfers.values();
      const settle = decodeSettleHeader(answer.headers['payment-response'] as string);
      assert.deepEqual(
        [settle?.success, settle?.transaction, settle?.extra],
        [true, transfer?.transaction, { nonce: payment.nonce, logIndex: 0 }],
      );
      const { result, receipt } = answer.json as { result: object; receipt: Record<string, unknown> };
      assert.equal(receipt['result_sha256'], resultSha256(result));
      const query = { system: 'demo', claim_before_work: 'yes' };
      const request = { method: 'GET', path: '/v1/agent-coordination-audit', query };
      assert.equal(receipt['request_sha256'], requestFingerprint(request));
      assert.deepEqual([receipt['sandbox'], receipt['system']], [true, 'demo']);
      const checked = await paid.service.call('/v1/receipts/verify', {
        method: 'POST',
        body: { receipt, result, request },
      });
      assert.equal(checked.json['valid'], true, checked.text);
      replayed(await paid.pay(AUDIT, payment), answer);
      assert.deepEqual([paid.chain.transfers.size, paid.chain.settleCalls], [1, 1]);
    });

    test('a settled authorization opens nothing for another query, another header or after it can be rebuilt', async () => {
      await using paid = await PaidService.start({ engine });
      const payment = await paid.sign(AUDIT);
      const answer = await paid.pay(AUDIT, payment);
      const other = await paid.pay(OTHER_AUDIT, payment);
      problem(other, 409, 'payment_bound_to_other_request', null);
      const rebuilt = {
        ...payment,
        header: Buffer.from(JSON.stringify({ ...payment.payload, extensions: {} })).toString('base64'),
      };
      const right = await paid.pay(AUDIT, rebuilt);
      const wrong = await paid.pay(OTHER_AUDIT, rebuilt);
      problem(right, 409, 'payment_bound_to_other_request', null);
      assert.equal(right.json['detail'], wrong.json['detail'], 'nobody learns which query was paid');
      paid.clock.advance(HOUR_MS);
      replayed(await paid.pay(AUDIT, payment), answer);
      const bare = await paid.sign(AUDIT, { withExtensions: false });
      const bought = await paid.pay(AUDIT, bare);
      replayed(await paid.pay(AUDIT, bare), bought);
      paid.clock.advance(121_000);
      problem(await paid.pay(AUDIT, bare), 409, 'payment_bound_to_other_request', null);
    });

    test('an answer is kept for a day; then 410 names the transaction', async () => {
      await using paid = await PaidService.start({ engine });
      const payment = await paid.sign(AUDIT);
      const first = await paid.pay(AUDIT, payment, KEY);
      paid.clock.advance(DAY_MS - 1);
      await paid.restart();
      replayed(await paid.pay(AUDIT, payment), first);
      paid.clock.advance(1);
      await paid.restart();
      await paid.callUntil(410, () => paid.pay(AUDIT, payment));
      const [transfer] = paid.chain.transfers.values();
      for (const answer of [await paid.pay(AUDIT, payment), await paid.call(AUDIT, KEY)]) {
        const body = problem(answer, 410, 'result_expired', true);
        assert.equal((body['payment'] as { transaction: string }).transaction, transfer?.transaction);
      }
    });

    test('a handler without a verdict costs nothing, and the same authorization may be used again', async () => {
      await using paid = await PaidService.start({ engine });
      const path = '/v1/eu-vat-check?vat_number=DE999003007';
      const payment = await paid.sign(path);
      for (let tries = 0; tries < 2; tries += 1) {
        const answer = await paid.pay(path, payment, KEY);
        problem(answer, 503, 'register_unavailable', false);
        assert.equal(answer.headers['payment-response'], undefined);
        assert.deepEqual(await paid.states(), ['released']);
      }
      problem(
        await paid.pay('/v1/eu-vat-check?vat_number=DE999001001', payment),
        409,
        'payment_bound_to_other_request',
        null,
      );
      assert.equal((await paid.call(path, KEY)).status, 402, 'a released row gives up its key');
      assert.equal(paid.chain.settleCalls, 0);
    });

    test('a definite failure is 402 with its reason, also when it is asked again, and leaves no intent behind', async () => {
      await using paid = await PaidService.start({ engine });
      paid.chain.mode = 'fail';
      const payment = await paid.sign(FUSE);
      for (let tries = 0; tries < 2; tries += 1) {
        const answer = await paid.pay(FUSE, payment, KEY);
        const body = problem(answer, 402, 'payment_failed', false);
        assert.equal(body['error'], 'invalid_exact_evm_transaction_failed');
        const settle = decodeSettleHeader(answer.headers['payment-response'] as string);
        assert.deepEqual([settle?.success, settle?.transaction], [false, '']);
        assert.ok(answer.headers['payment-required']);
      }
      assert.equal(paid.chain.settleCalls, 1);
      paid.chain.mode = 'confirm';
      const bought = await paid.pay(FUSE, await paid.sign(FUSE), KEY);
      assert.equal(bought.status, 200, bought.text);
      assert.deepEqual((bought.json['result'] as { stops: string[] }).stops, []);
      const repeat = await paid.buy(FUSE);
      assert.deepEqual((repeat.json['result'] as { stops: string[] }).stops, ['F3'], 'now the intent is known');
    });

    test('an unknown outcome is 503 and never 402; the next try answers what the chain says', async () => {
      await using paid = await PaidService.start({ engine });
      for (const mode of ['lost answer', 'lost request', 'throw'] as const) {
        paid.chain.mode = mode;
        paid.chain.isReachable = true;
        const payment = await paid.sign(AUDIT);
        paid.chain.beforeAnswer = async () => void (paid.chain.isReachable = false);
        const answer = await paid.pay(AUDIT, payment);
        const body = problem(answer, 503, 'settlement_pending', null);
        assert.deepEqual((body['payment'] as { nonce: string }).nonce, payment.nonce);
        paid.chain.isReachable = false;
        problem(await paid.pay(AUDIT, payment), 503, 'settlement_pending', null);
        const status = await paid.call(`/v1/payments/${payment.nonce}`);
        assert.deepEqual([status.json['state'], status.json['charged']], ['unknown', null]);
        paid.chain.isReachable = true;
        paid.chain.mode = 'confirm';
        paid.chain.beforeAnswer = () => Promise.resolve();
        const settled = await paid.pay(AUDIT, payment);
        assert.equal(settled.status, 200, `${mode}: ${settled.text}`);
      }
      assert.equal(paid.chain.transfers.size, 3);
    });

    test('an unknown outcome that never was ends as not charged once the authorization is over', async () => {
      await using paid = await PaidService.start({ engine });
      paid.chain.mode = 'lost request';
      const payment = await paid.sign(AUDIT);
      problem(await paid.pay(AUDIT, payment), 503, 'settlement_pending', null);
      paid.clock.advance(120_000);
      problem(await paid.pay(AUDIT, payment), 503, 'settlement_pending', null);
      paid.clock.advance(61_000);
      problem(await paid.pay(AUDIT, payment), 402, 'payment_failed', false);
      assert.equal((await paid.call(`/v1/payments/${payment.nonce}`)).json['charged'], false);
    });

    test('somebody else brings the authorization first: the verdict is delivered; the payer cancels first: nothing is', async () => {
      await using paid = await PaidService.start({ engine });
      const early = await paid.sign(AUDIT);
      paid.chain.beforeMove = async () => void paid.chain.move(authorizationOf(early.payload));
      assert.equal((await paid.pay(AUDIT, early)).status, 200);
      const late = await paid.sign(AUDIT);
      paid.chain.beforeMove = async () => void paid.chain.cancelled.add(nameOf(authorizationOf(late.payload)));
      problem(await paid.pay(AUDIT, late), 402, 'payment_failed', false);
      assert.equal(paid.chain.transfers.size, 1);
    });

    test('a released authorization that arrives on the chain after all is a refund that is due', async () => {
      await using paid = await PaidService.start({ engine });
      const path = '/v1/eu-vat-check?vat_number=DE999003007';
      const payment = await paid.sign(path);
      problem(await paid.pay(path, payment), 503, 'register_unavailable', false);
      paid.chain.move(authorizationOf(payment.payload));
      await paid.restart();
      await paid.until('refund_due');
      problem(await paid.pay(path, payment), 409, 'refund_due', true);
      assert.equal((await paid.call(`/v1/payments/${payment.nonce}`)).json['charged'], true);
      const { store } = paid.service.service;
      const [row, ...more] = await store.read('SELECT id FROM payment');
      const leaves = (await store.read('SELECT leaf FROM entries')).map(({ leaf }) => String(leaf));
      const statement = `"statement":"payment.refund_due sha256 ${sha256Hex(String(row?.['id']))}"`;
      assert.equal(leaves.filter((leaf) => leaf.includes(statement)).length, 1, 'sealed once, by a digest');
      assert.deepEqual([more.length, leaves.some((leaf) => leaf.includes(payment.nonce))], [0, false]);
    });

    test('a refund that the operator paid is recorded: nothing is due any more, the payer sees its reference, the log its digest', async () => {
      await using paid = await PaidService.start({ engine });
      const path = '/v1/eu-vat-check?vat_number=DE999003007';
      const payment = await paid.sign(path);
      await paid.pay(path, payment, KEY);
      paid.chain.move(authorizationOf(payment.payload));
      await paid.restart();
      await paid.until('refund_due');
      const { dataDir, databaseUrl } = paid.service;
      const refunds = (...words: string[]) => runCommand(['refunds', ...words], serviceEnv(dataDir, databaseUrl));
      const counted = async () => {
        paid.clock.advance(2 * MINUTE_MS);
        let live: { as_of?: string; refunds_due?: number } | null = null;
        await until('figures of now', async () => {
          await paid.service.heartbeat();
          live = (await paid.call('/economy/manifest')).json['live'] as typeof live;
          return live?.as_of === isoTime(paid.clock.now());
        });
        return (live as { refunds_due?: number } | null)?.refunds_due;
      };
      assert.equal(await counted(), 1);
      const listed = JSON.parse((await refunds('list', '--json')).stdout) as { refunds: Record<string, unknown>[] };
      const [due, ...others] = listed.refunds;
      assert.deepEqual(
        [due?.['nonce'], due?.['payer'], due?.['amount_usdc'], others],
        [payment.nonce, paid.buyer.address.toLowerCase(), '0.002', []],
      );
      const settle = (...words: string[]) => refunds('settle', payment.nonce, ...words);
      assert.equal((await settle()).code, 2, 'without its reference');
      assert.equal((await settle('--reference', 'two\nlines')).code, 2);
      const stranger = await settle('--reference', '0x9ab3', '--payer', `0x${'11'.repeat(20)}`);
      assert.deepEqual([stranger.code, /No refund is due/.test(stranger.stderr)], [1, true]);
      assert.equal(await counted(), 1, 'what was refused changed nothing');
      const settled = await settle('--reference', '0x9ab3');
      assert.deepEqual([settled.code, settled.stderr], [0, '']);
      assert.equal((await settle('--reference', '0x9ab3')).code, 1, 'once');
      assert.equal(await counted(), 0);
      assert.equal((await refunds('list')).stderr, 'No refund is due.\n');
      const status = (await paid.call(`/v1/payments/${payment.nonce}`)).json;
      assert.deepEqual([status['state'], status['charged'], status['refund_reference']], ['refunded', false, '0x9ab3']);
      const body = problem(await paid.pay(path, payment), 409, 'refund_due', false);
      assert.equal((body['payment'] as { refund_reference: string }).refund_reference, '0x9ab3');
      assert.equal((await paid.call(path, KEY)).status, 402, 'its key may buy again');
      const { store } = paid.service.service;
      const [row] = await store.read('SELECT id FROM payment');
      const leaves = (await store.read('SELECT leaf FROM entries')).map(({ leaf }) => String(leaf));
      const statement = `"statement":"payment.refunded sha256 ${sha256Hex(String(row?.['id']))}"`;
      assert.deepEqual(
        [leaves.filter((leaf) => leaf.includes(statement)).length, leaves.some((leaf) => leaf.includes('0x9ab3'))],
        [1, false],
      );
    });

    test('a signature that only the chain can check is 503 and not used while the chain is silent', async () => {
      await using paid = await PaidService.start({ engine });
      let isSilent = true;
      const verifySlow = async () => {
        if (isSilent) throw new ChainUnavailableError('switched off');
        return { valid: true } as const;
      };
      Object.assign(paid.chain, { verifySlow });
      const { payload } = await paid.sign(AUDIT);
      const ofWallet = { ...payload, payload: { ...payload.payload, signature: `0x${'ab'.repeat(97)}` as const } };
      const payment = { header: encodeHeader(ofWallet), payload, nonce: payload.payload.authorization.nonce };
      problem(await paid.pay(AUDIT, payment), 503, 'chain_unavailable', false);
      assert.deepEqual(await paid.states(), []);
      isSilent = false;
      assert.equal((await paid.pay(AUDIT, payment)).status, 200);
    });

    test('an Idempotency-Key opens its answer without a payment, for its request only', async () => {
      await using paid = await PaidService.start({ engine });
      assert.equal((await paid.call(AUDIT, KEY)).status, 402, 'an unknown key');
      const answer = await paid.pay(AUDIT, await paid.sign(AUDIT), KEY);
      replayed(await paid.call(AUDIT, KEY), answer);
      problem(await paid.call(OTHER_AUDIT, KEY), 409, 'idempotency_conflict', false);
      // A fresh authorization of the same payer is not used; one of another payer is refused.
      replayed(await paid.pay(AUDIT, await paid.sign(AUDIT), KEY), answer);
      const stranger = await paid.sign(AUDIT, {}, new Buyer());
      problem(await paid.pay(AUDIT, stranger, KEY), 409, 'idempotency_conflict', false);
      problem(await paid.pay(OTHER_AUDIT, await paid.sign(OTHER_AUDIT), KEY), 409, 'idempotency_conflict', false);
      assert.equal(paid.chain.transfers.size, 1);
      for (const key of ['short', 'x'.repeat(256), 'with a blank inside']) {
        problem(await paid.call(AUDIT, { 'idempotency-key': key }), 400, 'idempotency_key_invalid', false);
      }
    });

    test('a key whose call is under way waits for it; one whose outcome is unknown is told so', async () => {
      await using paid = await PaidService.start({ engine });
      const { promise: isMoving, resolve: moves } = Promise.withResolvers<void>();
      const { promise: mayMove, resolve: goOn } = Promise.withResolvers<void>();
      paid.chain.beforeMove = () => (moves(), mayMove);
      const first = paid.pay(AUDIT, await paid.sign(AUDIT), KEY);
      await isMoving;
      const second = paid.call(AUDIT, KEY);
      problem(await paid.call(OTHER_AUDIT, KEY), 409, 'idempotency_conflict', false);
      goOn();
      replayed(await second, await first);
      paid.chain.mode = 'lost request';
      const key = { 'idempotency-key': 'another-key-of-the-buyer' };
      await paid.pay(AUDIT, await paid.sign(AUDIT), key);
      paid.chain.isReachable = false;
      problem(await paid.call(AUDIT, key), 503, 'settlement_pending', null);
    });

    test('a payment id makes a repeat with a fresh authorization free, and belongs to one payer and request', async () => {
      await using paid = await PaidService.start({ engine });
      const paymentId = 'pay_0123456789abcdef0123456789abcdef';
      const answer = await paid.pay(AUDIT, await paid.sign(AUDIT, { paymentId }));
      replayed(await paid.pay(AUDIT, await paid.sign(AUDIT, { paymentId })), answer);
      problem(await paid.buy(OTHER_AUDIT, { paymentId }), 409, 'payment_id_conflict', false);
      const stranger = await paid.sign(AUDIT, { paymentId }, new Buyer());
      problem(await paid.pay(AUDIT, stranger), 409, 'payment_id_conflict', false);
      problem(await paid.buy(AUDIT, { paymentId: 'short' }), 400, 'invalid_payload', false);
      assert.equal(paid.chain.transfers.size, 1);
    });

    test('before work is begun the chain is asked: no answer, a used nonce or too little money costs nothing', async () => {
      await using paid = await PaidService.start({ engine });
      const payment = await paid.sign(AUDIT);
      paid.chain.isReachable = false;
      problem(await paid.pay(AUDIT, payment), 503, 'chain_unavailable', false);
      paid.chain.isReachable = true;
      paid.chain.balances.set(paid.buyer.address.toLowerCase(), 49_999n);
      const poor = problem(await paid.pay(AUDIT, payment), 402, 'payment_required', false);
      assert.equal(poor['error'], 'invalid_exact_evm_insufficient_balance');
      paid.chain.balances.set(paid.buyer.address.toLowerCase(), 50_000n);
      paid.chain.move(authorizationOf(payment.payload));
      const used = problem(await paid.pay(AUDIT, payment), 402, 'payment_required', false);
      assert.equal(used['error'], 'invalid_exact_evm_nonce_already_used');
      assert.deepEqual(await paid.states(), [], 'nothing is kept of them');
    });

    test('ten authorizations at once on a wallet that can pay one run one handler', async () => {
      await using paid = await PaidService.start({ engine });
      paid.chain.balances.set(paid.buyer.address.toLowerCase(), 50_000n);
      const payments = await Promise.all(Array.from({ length: 10 }, () => paid.sign(AUDIT)));
      const answers = await Promise.all(payments.map((payment) => paid.pay(AUDIT, payment)));
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, ...Array<number>(9).fill(402)],
      );
      assert.equal(paid.chain.settleCalls, 1);
    });
  });
}
