import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Buyer } from '../../../test/support/buyer.ts';
import { type OpenedStore, openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { MemoryChain } from '../../../test/support/memory-chain.ts';
import { baseUrl, receiptKey, sold as operation, terms } from '../../../test/support/sold.ts';
import { ManualClock } from '#kernel/clock.ts';
import { type GateAnswer, type GatedCall, type PaidHandler, paidRow } from '#kernel/paid-operation.ts';
import { internal } from '#kernel/general-problems.ts';
import { Refusal } from '#kernel/problem.ts';
import { decodePaymentHeader } from '#protocol/payment/header.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import type { Step, Unit } from '#platform/storage/store.ts';
import { Challenger } from './challenge.ts';
import { PaymentGate } from './gate.ts';
import { PaymentLedger } from './ledger.ts';
import { Reconciler } from './reconciler.ts';
import { Settler } from './settler.ts';

const engineOfSignatures = await chooseRecoverEngine();
/** On a busy machine a look at the chain takes its time. */
const PATIENCE = 30;
/** Lists in memory for which payments it was run; it writes nothing. */
function listUnit(name: string, list: string[]): Unit<[string, null], null> {
  return {
    name,
    reads: () => ({}),
    load: () => null,
    decide: (_state, _nowMs, _next, key) => {
      list.push(key);
      return { state: null, result: null };
    },
    writes: () => [],
  };
}

/** One process: a gate with its own name on a store that it may share. */
class Process {
  readonly undone: string[] = [];
  readonly refundsDue: string[] = [];
  readonly faults: string[] = [];
  readonly reconciler: Reconciler;
  readonly #gate;
  readonly #challenger: Challenger;
  readonly #clock: ManualClock;

  constructor(
    owner: string,
    opened: OpenedStore,
    clock: ManualClock,
    chain: MemoryChain,
    handler: PaidHandler<unknown>,
    chainInstance: string | null = null,
  ) {
    const undo = (key: string): Step => ({ unit: listUnit('undone', this.undone), command: key });
    const sealRefundDue = (key: string): Step => ({ unit: listUnit('refunds due', this.refundsDue), command: key });
    const row = paidRow(operation, 'spend_fuse', handler, undo);
    const rowOf = () => row;
    const logFault = (what: string) => void this.faults.push(what);
    const ledger = new PaymentLedger({ store: opened.store, owner, rowOf, sealRefundDue });
    const parts = { terms, baseUrl, receiptKey, ledger, clock, rowOf, backend: chain, logFault, chainInstance };
    const settler = new Settler(parts);
    this.reconciler = new Reconciler({ ...parts, settler });
    const settlement = { backend: chain, settler, reconciler: this.reconciler };
    const gate = new PaymentGate({
      ...parts,
      engine: engineOfSignatures,
      serviceName: 'Test',
      settlement,
      patience: PATIENCE,
    });
    this.#gate = gate.gateOf(row);
    this.#challenger = new Challenger({ ...parts, operation: row.operation, serviceName: 'Test' });
    this.#clock = clock;
  }

  async sign(buyer: Buyer, lifeSeconds = 120): Promise<string> {
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    const { whole } = this.#challenger.challenge('/v1/sold', 'x', nowSeconds);
    return (await buyer.sign(whole, { nowSeconds, lifeSeconds })).header;
  }

  pay(header: string, more: Partial<GatedCall> = {}): Promise<GateAnswer> {
    const call: GatedCall = {
      requestId: 'r',
      addressTag: 'a',
      isHead: false,
      url: '/v1/sold',
      header: (name) => (name === 'payment-signature' ? header : undefined),
      query: () => ({}),
      input: () => ({}),
      ...more,
    };
    return this.#gate(call);
  }
}

/** As a transport that explains faults. */
const explaining = { refusalOf: () => new Refusal(internal, { detail: 'explained' }) };
const named = (headers: Readonly<Record<string, string>>) => ({ header: (name: string) => headers[name] });

function outcomeOf({ answer }: GateAnswer): [number, string | undefined, unknown] {
  if (!(answer instanceof Refusal)) return [answer.status, undefined, undefined];
  return [answer.type.status, answer.type.code, answer.details.members?.['charged']];
}

async function stateOf({ store }: OpenedStore): Promise<unknown> {
  return (await store.read('SELECT state, error_reason FROM payment'))[0]?.['state'];
}

/** A place where work waits until it is let on. */
function heldUp() {
  const { promise: isReached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  return { isReached, release, pass: () => (reach(), isReleased) };
}

const verdict = () => Promise.resolve({ result: { ok: true } });

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`gate on ${engine}`, { skip }, () => {
    const world = async () => {
      const clock = new ManualClock();
      const opened = await openStore(engine, { injectedClock: clock });
      const chain = new MemoryChain(() => Math.floor(clock.now() / 1000));
      return {
        clock,
        opened,
        chain,
        buyer: new Buyer(),
        [Symbol.asyncDispose]: () => opened.store.close().then(() => opened[Symbol.asyncDispose]()),
      };
    };

    test('a handler that does not end in time costs nothing and is undone', async () => {
      await using here = await world();
      const process = new Process('p1', here.opened, here.clock, here.chain, () => new Promise(() => {}));
      const answer = await process.pay(await process.sign(here.buyer, 11));
      assert.deepEqual(outcomeOf(answer), [503, 'verdict_not_in_time', false]);
      assert.deepEqual([await stateOf(here.opened), process.undone.length, here.chain.settleCalls], ['released', 1, 0]);
    });

    test('no work is begun for a payment whose life the checks before it have used up', async () => {
      await using here = await world();
      let calls = 0;
      const process = new Process('p1', here.opened, here.clock, here.chain, () => {
        calls += 1;
        return verdict();
      });
      const payerFacts = here.chain.payerFacts.bind(here.chain);
      here.chain.payerFacts = (authorization) => {
        here.clock.advance(10_000);
        return payerFacts(authorization);
      };
      const answer = await process.pay(await process.sign(here.buyer, 20));
      assert.deepEqual([outcomeOf(answer), calls], [[503, 'verdict_not_in_time', false], 0]);
      assert.equal(await stateOf(here.opened), 'released');
      const longer = await process.pay(await process.sign(here.buyer, 21));
      assert.deepEqual([outcomeOf(longer)[0], calls], [200, 1]);
    });

    test('where there turns out to be nothing to settle with, a payment is not used', async () => {
      await using here = await world();
      Object.assign(here.chain, { isConfigured: () => Promise.resolve(false) });
      const process = new Process('p1', here.opened, here.clock, here.chain, verdict);
      const answer = await process.pay(await process.sign(here.buyer));
      assert.deepEqual(outcomeOf(answer), [503, 'settlement_not_configured', false]);
      assert.equal(await stateOf(here.opened), undefined);
    });

    test('a handler that throws costs nothing and is undone; the same payment may then be used', async () => {
      await using here = await world();
      let isBroken = true;
      const process = new Process('p1', here.opened, here.clock, here.chain, () =>
        isBroken ? Promise.reject(new Error('broken')) : verdict(),
      );
      const header = await process.sign(here.buyer);
      await assert.rejects(process.pay(header), /broken/);
      assert.deepEqual([await stateOf(here.opened), process.undone.length], ['released', 1]);
      isBroken = false;
      assert.deepEqual(outcomeOf(await process.pay(header)), [200, undefined, undefined]);
      assert.equal(process.undone.length, 1);
    });

    test('a fault says that nothing was charged only where that is known: never of a repeat that cannot be looked up', async () => {
      await using here = await world();
      let isBroken = false;
      const process = new Process('p1', here.opened, here.clock, here.chain, () =>
        isBroken ? Promise.reject(new Error('broken')) : verdict(),
      );
      const paid = await process.sign(here.buyer);
      assert.deepEqual(outcomeOf(await process.pay(paid)), [200, undefined, undefined]);
      isBroken = true;
      const fresh = await process.sign(here.buyer);
      assert.deepEqual(
        outcomeOf(await process.pay(fresh, explaining)),
        [500, 'internal', false],
        'its own reservation',
      );
      const key = 'a-key-of-sixteen';
      const both = { 'payment-signature': paid, 'idempotency-key': key };
      const shortKey = { ...both, 'idempotency-key': 'short' };
      const noPrice = { ...both, 'x-max-price': 'a lot' };
      assert.deepEqual(outcomeOf(await process.pay('', named(shortKey))), [400, 'idempotency_key_invalid', null]);
      assert.deepEqual(outcomeOf(await process.pay('', named(noPrice))), [400, 'max_price_invalid', null]);
      await here.opened.store.close();
      assert.deepEqual(outcomeOf(await process.pay(paid, explaining)), [500, 'internal', null]);
      const keyed = { ...explaining, ...named({ 'idempotency-key': key }) };
      assert.deepEqual(outcomeOf(await process.pay('', keyed)), [500, 'internal', null]);
    });

    test('a process that was taken for dead never settles what another has released', async () => {
      await using here = await world();
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
      const slow = new Process('p1', here.opened, here.clock, here.chain, async () => {
        begin();
        await mayEnd;
        return { result: {} };
      });
      const other = new Process('p2', here.opened, here.clock, here.chain, verdict);
      const header = await slow.sign(here.buyer, 300);
      const first = slow.pay(header);
      await hasBegun;
      here.clock.advance(74_000);
      await other.reconciler.kick(false);
      assert.equal(await stateOf(here.opened), 'reserved', 'its time is not over');
      here.clock.advance(2_000);
      const heir = new Process('p3', here.opened, here.clock, here.chain, verdict);
      await heir.reconciler.kick(false);
      assert.equal(await stateOf(here.opened), 'released');
      assert.equal(heir.undone.length, 1);
      end();
      assert.deepEqual(outcomeOf(await first), [503, 'verdict_not_in_time', false]);
      assert.deepEqual([here.chain.settleCalls, await stateOf(here.opened)], [0, 'released']);
    });

    test('a process that dies while it settles leaves a payment that another decides by the chain', async () => {
      await using here = await world();
      const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
      const { promise: mayAnswer, resolve: wake } = Promise.withResolvers<void>();
      here.chain.beforeAnswer = () => (asked(), mayAnswer);
      const dead = new Process('p1', here.opened, here.clock, here.chain, verdict);
      const header = await dead.sign(here.buyer, 300);
      const first = dead.pay(header);
      await isAsked;
      here.clock.advance(56_000);
      const heir = new Process('p2', here.opened, here.clock, here.chain, () => Promise.reject(new Error('again')));
      await heir.reconciler.kick(false);
      assert.deepEqual([await stateOf(here.opened), here.chain.settleCalls], ['settled', 1]);
      const answer = await heir.pay(header);
      assert.deepEqual(outcomeOf(answer), [200, undefined, undefined]);
      wake();
      assert.deepEqual((await first).answer, answer.answer, 'should it wake up, it has the same answer');
    });

    test('a payment that is sold while the chain is asked about its release is answered, and no refund falls due', async () => {
      await using here = await world();
      let isBroken = true;
      const process = new Process('p1', here.opened, here.clock, here.chain, () =>
        isBroken ? Promise.reject(new Error('broken')) : verdict(),
      );
      const header = await process.sign(here.buyer);
      await assert.rejects(process.pay(header), /broken/);
      isBroken = false;
      here.chain.move(authorizationOf(decodePaymentHeader(header) ?? assert.fail()));
      const chainRead = heldUp();
      const reconcile = here.chain.reconcile.bind(here.chain);
      here.chain.reconcile = async (payment) => {
        const found = await reconcile(payment);
        await chainRead.pass();
        return found;
      };
      const watching = process.reconciler.kick(false);
      await chainRead.isReached;
      const settlement = heldUp();
      here.chain.beforeAnswer = settlement.pass;
      const paying = process.pay(header);
      await settlement.isReached;
      chainRead.release();
      await watching;
      assert.deepEqual([await stateOf(here.opened), process.refundsDue, process.faults], ['settling', [], []]);
      settlement.release();
      assert.deepEqual(outcomeOf(await paying), [200, undefined, undefined]);
      assert.equal(await stateOf(here.opened), 'settled');
    });

    test('open payments of a sandbox chain that was lost have failed', async () => {
      await using here = await world();
      here.chain.mode = 'lost request';
      const before = new Process('p1', here.opened, here.clock, here.chain, verdict, 'chain-1');
      const header = await before.sign(here.buyer);
      assert.deepEqual(outcomeOf(await before.pay(header)), [503, 'settlement_pending', null]);
      const after = new Process('p2', here.opened, here.clock, here.chain, verdict, 'chain-2');
      assert.deepEqual(outcomeOf(await after.pay(header)), [402, 'payment_failed', false]);
      const [row] = await here.opened.store.read('SELECT error_reason FROM payment');
      assert.deepEqual([row?.['error_reason'], after.undone.length], ['sandbox_reset', 1]);
    });

    test('the authorization is forgotten once it is over, whatever became of the payment', async () => {
      await using here = await world();
      here.chain.mode = 'fail';
      const process = new Process('p1', here.opened, here.clock, here.chain, verdict);
      await process.pay(await process.sign(here.buyer));
      const payloadOf = async () => (await here.opened.store.read('SELECT payload FROM payment'))[0]?.['payload'];
      here.clock.advance(180_000);
      const late = new Process('p2', here.opened, here.clock, here.chain, verdict);
      await late.reconciler.kick(false);
      assert.ok(await payloadOf(), 'a minute is left for the chain');
      here.clock.advance(1_000);
      const later = new Process('p3', here.opened, here.clock, here.chain, verdict);
      await later.reconciler.kick(false);
      assert.equal(await payloadOf(), null);
    });
  });
}
