// A chain that showed a payment and shows it no more, beside a facilitator that says whatever suits it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { randomBytes } from '#kernel/ids.ts';
import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import { PROVEN_AFTER_MS } from '#platform/payments/reconciler.ts';
import { Buyer, challengeOf, type SignedPayment } from '../../support/buyer.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { FacilitatedService, type Mark, ReorganisingChain } from '../../support/reorganising-chain.ts';
import { until } from '../../support/until.ts';

const GIVEN = 10_000_000n;
/** The life of an authorization, the minute after it, and a little. */
const OVER_MS = 120_000 + 61_000 + PROVEN_AFTER_MS;
let purchases = 0;
const newNonce = () => hexOf(randomBytes(32));

suite('a settled payment whose block is replaced', () => {
  let chain: ReorganisingChain;
  let paid: FacilitatedService;
  before(async () => {
    chain = await ReorganisingChain.start();
    paid = await FacilitatedService.start(chain);
  });
  after(async () => {
    await paid[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
  });
  beforeEach(() => paid.replaceFacilitator(chain, 'clean'));

  const call = (path: string, headers: Record<string, string> = {}) => paid.service.call(path, { headers });
  const nowSeconds = () => Math.floor(chain.clock.now() / 1000);

  interface Purchase {
    readonly mark: Mark;
    readonly buyer: Buyer;
    readonly payment: SignedPayment;
    readonly answer: Answer;
    readonly payTo: Hex;
    readonly price: bigint;
    /** The same request with the same payment. */
    again(): Promise<Answer>;
    status(): Promise<Record<string, unknown>>;
    /** Lets background work go on until the payment is in this state. */
    until(state: string): Promise<Record<string, unknown>>;
    /** Signs a transfer to somebody else, of the same nonce unless another is given. */
    signOther(to: Hex, nonce?: Hex): Promise<SignedPayment>;
    /** What the buyer has lost and the service got since the mark, in prices. */
    moved(): Promise<readonly [lost: bigint, got: bigint]>;
  }

  /** Buys one answer, which the chain shows as paid. */
  async function bought(): Promise<Purchase> {
    purchases += 1;
    const path = `/v1/agent-coordination-audit?system=replaced-${purchases}`;
    const buyer = new Buyer();
    await chain.money.mint(buyer.address, GIVEN);
    const mark = await chain.mark();
    const challenge = challengeOf(await call(path));
    const accepted = challenge.accepts[0] ?? assert.fail();
    const payTo = accepted.payTo as Hex;
    const earned = await chain.money.balance(payTo);
    const payment = await buyer.sign(challenge, { nowSeconds: nowSeconds() });
    const again = () => call(path, { 'payment-signature': payment.header });
    const status = async () => (await call(`/v1/payments/${payment.nonce}`)).json;
    const answer = await again();
    assert.equal(answer.status, 200, answer.text);
    const price = BigInt(accepted.amount);
    return {
      mark,
      buyer,
      payment,
      answer,
      payTo,
      price,
      again,
      status,
      until: async (state) => {
        let found: Record<string, unknown> = {};
        await until(`a payment that is ${state}`, async () => {
          await paid.service.heartbeat();
          found = await status();
          return found['state'] === state;
        });
        return found;
      },
      signOther: (to, nonce = payment.nonce) =>
        buyer.sign(challenge, { nowSeconds: nowSeconds(), nonce, authorization: { to } }),
      moved: async () => [
        (GIVEN - (await chain.money.balance(buyer.address))) / price,
        ((await chain.money.balance(payTo)) - earned) / price,
      ],
    };
  }

  async function payloadOf({ payment }: Purchase): Promise<unknown> {
    const sql = 'SELECT payload FROM payment WHERE nonce = $1';
    return (await paid.service.service.store.read(sql, [payment.nonce]))[0]?.['payload'];
  }

  test('by nothing is settled again while its authorization lives, once, and keeps its one answer', async () => {
    const purchase = await bought();
    const first = await purchase.status();
    assert.deepEqual([first['state'], await purchase.moved()], ['settled', [1n, 1n]]);
    await chain.reorganise(purchase.mark);
    assert.deepEqual(await purchase.moved(), [0n, 0n]);
    await paid.replaceFacilitator(chain, 'clean');
    chain.clock.advance(PROVEN_AFTER_MS);
    await until('a second settlement', async () => {
      await paid.service.heartbeat();
      return (await purchase.status())['state'] === 'settled' && paid.simulator.settled.length === 1;
    });
    const { charged, transaction } = await purchase.status();
    assert.deepEqual([charged, await chain.hasTransaction(transaction)], [true, true]);
    assert.deepEqual(await purchase.moved(), [1n, 1n]);
    const replay = await purchase.again();
    assert.deepEqual([replay.status, replay.text], [200, purchase.answer.text]);
    assert.equal(replay.headers['payment-response'], purchase.answer.headers['payment-response']);
  });

  test('while the facilitator goes on saying that it is settled is open again, and nobody is told to pay', async () => {
    const purchase = await bought();
    await chain.reorganise(purchase.mark);
    await paid.replaceFacilitator(chain, 'lying_success');
    // A node that does not answer proves nothing.
    chain.isDown = true;
    chain.clock.advance(PROVEN_AFTER_MS);
    await until('a question to the node', async () => {
      await paid.service.heartbeat();
      return chain.refusals > 0;
    });
    assert.equal((await purchase.status())['state'], 'settled');
    chain.isDown = false;
    chain.clock.advance(60_000);
    const { charged, settled_at: settledAt } = await purchase.until('unknown');
    assert.deepEqual([charged, settledAt], [null, null]);
    const pending = expectProblem(await purchase.again(), 503, 'settlement_pending');
    assert.equal(pending['charged'], null);
    await paid.replaceFacilitator(chain, 'clean');
    await purchase.until('settled');
    assert.deepEqual([(await purchase.again()).text, await purchase.moved()], [purchase.answer.text, [1n, 1n]]);
  });

  test('and never made good is told as not charged, whatever the facilitator says', async () => {
    const purchase = await bought();
    await chain.reorganise(purchase.mark);
    await paid.replaceFacilitator(chain, 'lying_success');
    chain.clock.advance(OVER_MS);
    const { charged, settled_at: settledAt } = await purchase.until('failed');
    assert.deepEqual([charged, settledAt, await purchase.moved()], [false, null, [0n, 0n]]);
    const refused = await purchase.again();
    assert.deepEqual([refused.status, refused.json['charged']], [402, false]);
  });

  test('by a transfer of the same nonce to somebody else is told as not charged', async () => {
    const purchase = await bought();
    const other = await purchase.signOther(new Buyer().address);
    await chain.reorganise(purchase.mark, () => chain.bring(other.payload));
    await paid.replaceFacilitator(chain, 'lying_success');
    chain.clock.advance(PROVEN_AFTER_MS);
    const { charged } = await purchase.until('failed');
    assert.deepEqual([charged, await purchase.moved()], [false, [1n, 0n]]);
    assert.equal((await purchase.again()).status, 402);
  });

  test('by the same transfer, brought by somebody else, stays paid: once, with its one answer', async () => {
    const purchase = await bought();
    const { transaction } = await purchase.status();
    const elsewhere = await purchase.signOther(new Buyer().address, newNonce());
    let brought: unknown;
    // Another transfer stands before it now, so its transaction is another one.
    await chain.reorganise(purchase.mark, async () => {
      await chain.bring(elsewhere.payload);
      brought = await chain.bring(purchase.payment.payload);
    });
    assert.notEqual(brought, transaction);
    await paid.replaceFacilitator(chain, 'lying_success');
    chain.clock.advance(PROVEN_AFTER_MS);
    await until('its place on the chain', async () => {
      await paid.service.heartbeat();
      return (await purchase.status())['transaction'] === brought;
    });
    const { state, charged } = await purchase.status();
    assert.deepEqual([state, charged], ['settled', true]);
    assert.deepEqual([(await purchase.again()).text, await purchase.moved()], [purchase.answer.text, [2n, 1n]]);
  });

  test('by nothing at all needs no more: half a minute later its authorization is dropped and the answer stays', async () => {
    const purchase = await bought();
    const { settled_at: settledAt } = await purchase.status();
    assert.notEqual(await payloadOf(purchase), null);
    chain.clock.advance(PROVEN_AFTER_MS);
    await until('an authorization that is dropped', async () => {
      await paid.service.heartbeat();
      return (await payloadOf(purchase)) === null;
    });
    const { state, charged, settled_at: later } = await purchase.status();
    assert.deepEqual([state, charged, later], ['settled', true, settledAt]);
    assert.deepEqual([(await purchase.again()).text, await purchase.moved()], [purchase.answer.text, [1n, 1n]]);
    assert.equal(paid.simulator.settled.length, 1);
  });
});
