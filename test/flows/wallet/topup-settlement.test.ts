// Top-ups below the service: time is moved by hand, and processes stand beside each other.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StripeProcessor } from '#areas/wallet/outside/stripe.ts';
import { TopUpJob } from '#areas/wallet/topup/topup-job.ts';
import { TopUps } from '#areas/wallet/topup/topup-service.ts';
import { NotSettled, TopUpSettlement } from '#areas/wallet/topup/topup-settlement.ts';
import * as sql from '#areas/wallet/topup/topup-sql.ts';
import { topUps as steps } from '#areas/wallet/topup/topup-unit.ts';
import { agentStep } from '#areas/wallet/unit.ts';
import { DAY_MS, HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { hmacSha256Hex, newId } from '#kernel/ids.ts';
import { Answer } from '#kernel/operation.ts';
import { CARD_SUMS } from '#areas/wallet/topup/topup-sql.ts';
import { auditLedger } from '#platform/ledger/audit.ts';
import { readStatement, readWallet } from '#platform/ledger/queries.ts';
import { ledger, walletOf } from '#platform/ledger/steps.ts';
import fc from '#properties';
import type { CardActionName } from '#sandbox/card-processor/card-actions.ts';
import { type ProcessorEvent, wireEvent } from '#sandbox/card-processor/card-state.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import type { Store } from '#platform/storage/store.ts';
import { openStore } from '../../support/engines.ts';
import { type EngineName, ENGINES, hasPostgres } from '../../support/databases.ts';
import { WEBHOOK_SECRET } from '../../support/topup.ts';

const AGENT = 'agt_0123456789abcdefghjkmnpqrs';

async function bench(engine: EngineName) {
  await using stack = new AsyncDisposableStack();
  const clock = new ManualClock(Date.UTC(2026, 10, 15));
  const opened = stack.use(await openStore(engine, { injectedClock: clock }));
  const simulators = stack.use(await RegisterSimulators.start(() => clock.now()));
  simulators.cards.deliveries.mode = 'lose';
  await opened.store.runAll([ledger.open({ agentId: AGENT })]);
  const processor = new StripeProcessor({
    secretKey: () => 'sk_test_x',
    webhookSecret: () => WEBHOOK_SECRET,
    baseUrl: simulators.url,
    nowMs: () => clock.now(),
    timeoutMs: 60_000,
  });
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  let agentId = AGENT;
  const known = async () => ({ agentId, keyId: 'key_1', name: 'buyer', scopes: [] });
  const callers = { authenticate: known, recognise: known };
  const parts = { clock, processor, warn, callers, baseUrl: () => 'https://a.example', visitorOf: async () => null };
  const topUps = new TopUps({ store: opened.store, ...parts });
  const create = async (key = 'k') => {
    const answer = await topUps.create({ agent_key: undefined, idempotency_key: key, tier: 'starter' });
    return answer instanceof Answer ? answer.body : undefined;
  };
  const settlementOn = (store: Store) => new TopUpSettlement({ store, ...parts });
  const kept = stack.move();
  return {
    clock,
    opened,
    store: opened.store,
    simulators,
    cards: simulators.cards,
    processor,
    topUps,
    create,
    warnings,
    settlementOn,
    /** The session of a new top-up of that agent. */
    async createFor(other: string) {
      agentId = other;
      await create();
      return opened.store.read(sql.OPEN_TOPUPS_OF_AGENT, [other]).then(([topUp]) => topUp?.sessionId ?? '');
    },
    /** An event as it is read from a signed webhook. */
    async parsed(event: ProcessorEvent) {
      const payload = JSON.stringify(wireEvent(event));
      const t = Math.floor(clock.now() / 1_000);
      const v1 = hmacSha256Hex(Buffer.from(WEBHOOK_SECRET), `${t}.${payload}`);
      const read = await processor.event(Buffer.from(payload), `t=${t},v1=${v1}`);
      assert.ok(read !== undefined);
      return read;
    },
    job: new TopUpJob({ topUps, clock, warn }),
    stored: () => opened.store.read(sql.OPEN_TOPUPS_OF_AGENT, [AGENT]),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test('an open top-up is asked for when it is due and not before, also after a processor that was away', async () => {
  await using on = await bench('sqlite');
  await on.create();
  const startMs = on.clock.now();
  const polledAt: number[] = [];
  for (let second = 1; second <= 60; second += 1) {
    on.clock.advance(1_000);
    on.simulators.setFault('v1', second === 10 ? 'html' : null);
    const [before] = await on.stored();
    await on.job.run();
    const [after] = await on.stored();
    if (before?.nextPollAtMs !== after?.nextPollAtMs) polledAt.push((on.clock.now() - startMs) / 1_000);
  }
  assert.deepEqual(polledAt, [5, 10, 20, 40, 60]);
  assert.equal(on.warnings.length, 1);
  const [session] = on.cards.sessions();
  await on.cards.act(session?.id ?? '', 'pay');
  on.clock.advance(20_000);
  await on.job.run();
  assert.equal((await readWallet(on.store, AGENT)).postedMicro, 10_000_000);
  assert.deepEqual(await on.stored(), []);
});

test('a top-up is asked for until its session has expired; one that never got a session is over after an hour', async () => {
  await using on = await bench('sqlite');
  await on.create();
  on.simulators.setFault('v1', 'html');
  assert.equal(await on.create('other'), undefined);
  on.simulators.setFault('v1', null);
  assert.equal((await on.stored()).length, 2);
  on.clock.advance(HOUR_MS);
  await on.job.run();
  assert.deepEqual(
    (await on.stored()).map(({ status }) => status),
    ['open'],
  );
  on.clock.advance(23 * HOUR_MS + 1_000);
  await on.job.run();
  assert.deepEqual(await on.stored(), []);
  assert.deepEqual(await on.topUps.due(Number.MAX_SAFE_INTEGER), []);
});

test('events that were lost are read at the start and every ten minutes', async () => {
  await using on = await bench('sqlite');
  await on.create();
  const [session] = on.cards.sessions();
  await on.cards.act(session?.id ?? '', 'pay');
  await on.job.run();
  assert.equal((await readWallet(on.store, AGENT)).postedMicro, 10_000_000, 'at the start');
  await on.cards.act(session?.id ?? '', 'refund');
  on.clock.advance(599_000);
  await on.job.run();
  assert.equal((await readWallet(on.store, AGENT)).postedMicro, 10_000_000);
  on.clock.advance(1_000);
  await on.job.run();
  assert.equal((await readWallet(on.store, AGENT)).postedMicro, 0);
});

for (const engine of ENGINES) {
  suite(`two processes on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) }, () => {
    test('settle the same payment once, however often each is told', async () => {
      await using on = await bench(engine);
      const shown = await on.create();
      const [made] = on.cards.sessions();
      await on.cards.act(made?.id ?? '', 'pay');
      const session = await on.processor.session(made?.id ?? '');
      const settlements = [on.settlementOn(on.store), on.settlementOn(await on.opened.beside())];
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => settlements.map((one) => one.settle(session))).flat(),
      );
      assert.equal(outcomes.filter((outcome) => outcome === 'credited').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'already_credited').length, 23);
      const lines = await readStatement(on.store, AGENT, { beforeSeq: Number.MAX_SAFE_INTEGER, limit: 10 });
      const [topUp] = await on.store.read(sql.TOPUP_OF_ID, [shown?.topup_id ?? '']);
      assert.deepEqual(
        lines.map(({ txId }) => txId),
        [topUp?.txId],
      );
    });

    test('what was paid for an agent that is gone by then waits for a person, however often it is told', async () => {
      await using on = await bench(engine);
      const [agentId, email] = [newId('agt_'), 'gone@example.org'];
      const key = { keyId: newId('key_'), keyHash: newId('key_') };
      const agent = { id: agentId, name: 'buyer', ownerEmail: email, addressTag: 'tag', createdAtMs: on.clock.now() };
      await on.store.runAll([agentStep({ type: 'register', agent, key }), ledger.open({ agentId })]);
      const sessionId = await on.createFor(agentId);
      await on.store.runAll([agentStep({ type: 'erase_owner', email })]);
      await on.cards.act(sessionId, 'pay');
      const session = await on.processor.session(sessionId);
      const settlement = on.settlementOn(on.store);
      assert.deepEqual([await settlement.settle(session), await settlement.settle(session)], ['review', 'review']);
      on.clock.advance(DAY_MS);
      await on.job.run();
      const [waiting] = await on.topUps.inReview(10);
      assert.deepEqual([waiting?.agentId, waiting?.review], [agentId, 'agent_erased']);
      assert.equal((await readWallet(on.store, agentId)).postedMicro, 0);
      assert.deepEqual(on.warnings, ['top-up needs review']);
    });

    test('one that looked before the credit cannot write its older view over it', async () => {
      await using on = await bench(engine);
      await on.create();
      const [stale] = await on.stored();
      assert.ok(stale !== undefined);
      const [made] = on.cards.sessions();
      await on.cards.act(made?.id ?? '', 'pay');
      await on.settlementOn(on.store).settle(await on.processor.session(made?.id ?? ''));
      const other = await on.opened.beside();
      const isStopped = (result: unknown) => (result as { type: string }).type === 'changed';
      const results = await other.runAll([steps.expect({ topUp: stale }), steps.put({ topUp: stale })], isStopped);
      assert.deepEqual(results, [{ type: 'changed' }]);
      assert.deepEqual(await on.stored(), []);
    });
  });
}

/** What the processor owes us at the end, in millionths, by what it itself says. */
function owed(cards: RegisterSimulators['cards'], agentId: string): number {
  const session = cards.sessions().find(({ clientReferenceId }) => clientReferenceId === agentId);
  if (session?.paymentStatus !== 'paid') return 0;
  const isTaken = session.dispute !== null && session.dispute.status !== 'won';
  return (session.amountCents - session.refundedCents - (isTaken ? session.amountCents : 0)) * 10_000;
}

test('whatever happens to a payment, and however its events come, the ledger ends where the processor stands', async () => {
  await using on = await bench('sqlite');
  on.cards.deliveries.mode = 'hold';
  const settlement = on.settlementOn(on.store);
  const first = fc.constantFrom<CardActionName[]>('pay', 'pay', 'pay_slow', 'slow_fails', 'expire');
  const atProcessor = async () => {
    const [row] = await on.store.read("SELECT posted FROM ledger_account WHERE id = 'psp:stripe'");
    return row?.['posted'] as number;
  };
  const history = fc.asyncProperty(
    first,
    fc.array(fc.nat(), { minLength: 2, maxLength: 3 }),
    fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
    async (begin, acts, chance) => {
      const before = await atProcessor();
      const agentId = newId('agt_');
      await on.store.runAll([ledger.open({ agentId })]);
      const made = await on.createFor(agentId);
      await on.cards.act(made, begin);
      on.clock.advance(6_000);
      on.cards.sessions();
      for (const act of acts) {
        const possible = on.cards.checkout(made)?.actions ?? [];
        const chosen = possible[act % possible.length];
        if (chosen !== undefined) await on.cards.act(made, chosen.action);
      }
      // Each event at least once, some more often, in any order; what cannot be settled yet comes again.
      const news = on.cards.deliveries.held.splice(0);
      const queue = [...news, ...news.filter((_, index) => (chance[index] ?? 0) % 3 === 0)]
        .map((event, index) => ({ event, place: chance[index] ?? 0 }))
        .toSorted((one, other) => one.place - other.place);
      for (const { event, place } of queue) {
        const legs = [
          { account: walletOf(agentId), amountMicro: 3_000_000 },
          { account: 'revenue:bom', amountMicro: -3_000_000 },
        ];
        const txId = newId('tx_');
        if (place % 4 === 0) {
          await on.store.runAll([ledger.post({ txId, kind: 'bom', idem: txId, ref: null, legs })]);
        }
        await settlement.handle(await on.parsed(event)).catch((error: unknown) => {
          if (!(error instanceof NotSettled)) throw error;
          queue.push({ event, place });
        });
      }
      assert.equal((await atProcessor()) - before, owed(on.cards, agentId));
      const { heldMicro, isFrozen } = await readWallet(on.store, agentId);
      const status = on.cards.session(made)?.dispute?.status;
      assert.deepEqual([heldMicro, isFrozen], [0, status === 'needs_response' || status === 'lost']);
    },
  );
  await fc.assert(history, { numRuns: 60, endOnFailure: true });
  const { findings } = await auditLedger(on.store, { scope: 'full', from: null, checks: CARD_SUMS });
  assert.deepEqual(findings, []);
});
