import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Stripe } from 'stripe';
import { ManualClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { CARD_SUMS } from '#areas/wallet/topup/topup-sql.ts';
import { auditLedger } from '#platform/ledger/audit.ts';
import { ledger, walletOf } from '#platform/ledger/steps.ts';
import type { CardActionName } from '#sandbox/card-processor/card-actions.ts';
import type { ProcessorEvent } from '#sandbox/card-processor/card-state.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { lockDatabase } from '../../support/service.ts';
import {
  afterStartSweep,
  type AgentOf,
  type CardBench,
  cardBench,
  registeredAgent,
  Sender,
  sessionOf,
} from '../../support/topup.ts';
import { until } from '../../support/until.ts';

for (const engine of ENGINES) {
  suite(`top-ups on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) }, () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15));
    let bench: CardBench;
    let sender: Sender;
    before(async () => {
      bench = await cardBench({ engine, clock });
      await afterStartSweep(bench, clock);
      bench.cards.deliveries.mode = 'hold';
      sender = new Sender(bench.service, () => clock.now());
    });
    after(async () => {
      const { findings } = await auditLedger(bench.service.service.store, {
        scope: 'full',
        from: null,
        checks: CARD_SUMS,
      });
      await bench[Symbol.asyncDispose]();
      assert.deepEqual(findings, [], 'the ledger holds');
    });

    /** An agent with a top-up, and the events of what was done to it. */
    async function begun(...actions: CardActionName[]) {
      const agent = await registeredAgent(bench.service);
      const answer = await agent.topUp();
      assert.equal(answer.status, 201, answer.text);
      const id = String(answer.json['topup_id']);
      const session = sessionOf(answer);
      const events: ProcessorEvent[] = [];
      const act = async (action: CardActionName) => {
        assert.equal(await bench.cards.act(session, action), 'done');
        const news = bench.cards.deliveries.held.splice(0);
        events.push(...news);
        return news;
      };
      for (const action of actions) await act(action);
      return { agent, id, session, events, act };
    }
    const statusOf = async (agent: AgentOf, id: string) => (await agent.state(id))['status'];
    const spend = (agentId: string, amountMicro: number) => {
      const legs = [
        { account: walletOf(agentId), amountMicro },
        { account: 'revenue:bom', amountMicro: -amountMicro },
      ];
      const txId = newId('tx_');
      return bench.service.service.store.runAll([
        ledger.post({ txId, kind: 'bom', idem: `bom:${txId}`, ref: null, legs }),
      ]);
    };

    test('a forged, altered or stale webhook is refused and changes nothing; the real one credits', async () => {
      const { agent, events } = await begun('pay_webhook_twice');
      const [paid] = bench.cards.events().slice(-1) as [ProcessorEvent];
      assert.deepEqual(events, [], 'that one was sent, and refused by nobody');
      assert.deepEqual(await agent.moved(), ['topup 10.00']);
      const other = await begun('pay');
      const [event] = other.events as [ProcessorEvent];
      for (const change of [{ tamper: true }, { ageS: 301 }, { secret: `whsec_${'b'.repeat(32)}` }]) {
        expectProblem(await sender.tell(event, change), 400, 'signature_invalid');
      }
      expectProblem(await sender.send(JSON.stringify(event), {}), 400, 'signature_invalid');
      expectProblem(await sender.send('', { 'stripe-signature': 't=1,v1=00' }), 400, 'signature_invalid');
      assert.deepEqual(await other.agent.moved(), []);
      assert.equal((await sender.tell(event, { ageS: 299 })).json['outcome'], 'credited');
      assert.equal(await sender.outcome(event), 'duplicate_event');
      assert.equal(await sender.outcome({ ...event, id: 'evt_again' }), 'already_credited');
      assert.equal(await sender.outcome(paid), 'duplicate_event');
      assert.deepEqual(await other.agent.moved(), ['topup 10.00']);
    });

    test('a slow payment is credited when it is paid, in whatever order its events come', async () => {
      const slow = await begun('pay_slow');
      bench.passAtProcessor(5_000);
      bench.cards.session(slow.session);
      const [completed, succeeded] = [slow.events[0], bench.cards.deliveries.held.pop()] as [
        ProcessorEvent,
        ProcessorEvent,
      ];
      assert.equal(await sender.outcome(succeeded), 'credited');
      assert.equal(await sender.outcome(completed), 'already_credited');
      assert.deepEqual(await slow.agent.moved(), ['topup 10.00']);
      const failing = await begun('slow_fails');
      const [unpaid, failed] = failing.events as [ProcessorEvent, ProcessorEvent];
      assert.equal(await sender.outcome(failed), 'not_paid');
      assert.equal(await sender.outcome(unpaid), 'not_paid');
      assert.equal(await statusOf(failing.agent, failing.id), 'failed');
      const expired = await begun('expire');
      assert.equal(await sender.outcome(expired.events[0] as ProcessorEvent), 'expired');
      assert.equal(await statusOf(expired.agent, expired.id), 'expired');
      assert.deepEqual(await expired.agent.moved(), []);
    });

    test('with the webhook lost the credit comes by itself within 30 seconds', async () => {
      const { agent, id } = await begun('pay_lose_webhook');
      assert.deepEqual(await agent.moved(), []);
      clock.advance(5_000);
      await until('the credit', async () => (await agent.moved()).length > 0);
      assert.equal(await statusOf(agent, id), 'credited');
    });

    test('with the webhook lost whoever looks has the processor asked: wallet, top-up, page after the checkout', async () => {
      for (const look of [
        ({ agent }: { agent: AgentOf; id: string }) => agent.wallet(),
        ({ agent, id }: { agent: AgentOf; id: string }) => agent.state(id),
        ({ id }: { agent: AgentOf; id: string }) => bench.service.call(`/wallet/topups/${id}`),
      ]) {
        const begunOne = await begun('pay_lose_webhook');
        await look(begunOne);
        assert.deepEqual(await begunOne.agent.moved(), ['topup 10.00']);
      }
    });

    test('opening the page after the checkout credits nothing that is not paid', async () => {
      const [unpaid, paid] = [await begun(), await begun('pay_lose_webhook')];
      const answer = await bench.service.call(`/wallet/topups/${unpaid.id}?session_id=${paid.session}`);
      assert.equal(answer.json['status'], 'open');
      assert.deepEqual(await unpaid.agent.moved(), []);
    });

    test('another amount or currency than ours is not credited and waits for a person', async () => {
      for (const [change, review] of [
        [{ amountCents: 100_000 }, 'amount_mismatch'],
        [{ currency: 'usd' }, 'currency_mismatch'],
      ] as const) {
        const { agent, id, session, act } = await begun();
        bench.cards.alter(session, (one) => Object.assign(one, change));
        const [paid] = (await act('pay')) as [ProcessorEvent];
        assert.equal(await sender.outcome(paid), 'review');
        const state = await agent.state(id);
        assert.deepEqual([state['status'], state['review']], ['review', review]);
        assert.deepEqual(await Promise.all((await act('refund')).map((event) => sender.outcome(event))), [
          'review',
          'review',
        ]);
        assert.deepEqual(await agent.moved(), []);
      }
    });

    test('a payment of another purpose is taken note of and changes nothing', async () => {
      const { hostname: host, port } = new URL(bench.simulators.url);
      const stripe = new Stripe('sk_test_x', { host, port, protocol: 'http' });
      const { id } = await stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [{ price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'x' } }, quantity: 1 }],
        success_url: 'https://shop.example',
      });
      for (const action of ['pay', 'refund', 'dispute'] as const) await bench.cards.act(id, action);
      for (const event of bench.cards.deliveries.held.splice(0)) {
        assert.equal(await sender.outcome(event), 'unknown_session', event.type);
      }
      assert.equal(
        await sender.outcome({ id: 'evt_other', type: 'customer.created', created: 1, object: {} }),
        'ignored',
      );
    });

    test('a checkout whose opening never came back is credited all the same when it is paid', async () => {
      const agent = await registeredAgent(bench.service);
      bench.simulators.setFault('v1', 'truncate');
      const refused = await agent.topUp('team', { 'idempotency-key': 'order-1' });
      bench.simulators.setFault('v1', null);
      const { topup_id } = expectProblem(refused, 502, 'processor_unavailable');
      assert.equal(await statusOf(agent, String(topup_id)), 'created');
      const again = await agent.topUp('team', { 'idempotency-key': 'order-1' });
      assert.deepEqual([again.status, again.json['topup_id']], [201, topup_id]);
      const lost = await registeredAgent(bench.service);
      bench.simulators.setFault('v1', 'truncate');
      const { topup_id: lostId } = (await lost.topUp()).json;
      bench.simulators.setFault('v1', null);
      const lostSession = bench.cards.sessions().find(({ metadata }) => metadata['topup_id'] === lostId);
      await bench.cards.act(lostSession?.id ?? '', 'pay');
      const [paid] = bench.cards.deliveries.held.splice(0) as [ProcessorEvent];
      assert.equal(await sender.outcome(paid), 'credited');
      assert.deepEqual(await lost.moved(), ['topup 10.00']);
    });

    test('a refund that comes before its credit is applied after it', async () => {
      const { agent, events } = await begun('pay', 'refund');
      for (const [index, outcome] of [
        [2, 'applied'],
        [1, 'applied'],
        [0, 'already_credited'],
        [2, 'duplicate_event'],
      ] as const) {
        assert.equal(await sender.outcome(events[index] as ProcessorEvent), outcome);
      }
      assert.deepEqual(await agent.moved(), ['topup 10.00', 'refund -10.00']);
    });

    test('while the processor cannot be asked, news that needs its answer is refused, and taken later', async () => {
      const { agent, events } = await begun('pay', 'refund');
      bench.simulators.setFault('v1', '500');
      expectProblem(await sender.tell(events[1] as ProcessorEvent), 503, 'not_settled');
      bench.simulators.setFault('v1', null);
      assert.equal(await sender.outcome(events[1] as ProcessorEvent), 'applied');
      assert.deepEqual(await agent.moved(), ['topup 10.00', 'refund -10.00']);
    });

    test('what was spent before a refund is owed, the next top-up pays it, and a failed refund comes back', async () => {
      const { agent, events, act } = await begun('pay');
      await sender.outcome(events[0] as ProcessorEvent);
      await spend(agent.id, 4_000_000);
      const refunding = await act('refund');
      for (const event of refunding) assert.equal(await sender.outcome(event), 'applied');
      const owing = await agent.wallet();
      assert.deepEqual([owing['posted_eur'], owing['receivable_eur']], ['0.00', '4.00']);
      const next = await agent.topUp();
      await bench.cards.act(sessionOf(next), 'pay');
      for (const event of bench.cards.deliveries.held.splice(0)) await sender.outcome(event);
      const paid = await agent.wallet();
      assert.deepEqual([paid['posted_eur'], paid['receivable_eur']], ['6.00', '0.00']);
      const [{ object: refund }] = refunding as [ProcessorEvent];
      await bench.cards.failRefund((refund as { id: string }).id);
      const failed = bench.cards.deliveries.held.splice(0);
      for (const event of [...failed, ...failed]) await sender.outcome(event);
      assert.equal((await agent.wallet())['posted_eur'], '16.00');
    });

    test('a dispute freezes the wallet, takes what is there, and gives it back when it is won', async () => {
      const { agent, events, act } = await begun('pay');
      await sender.outcome(events[0] as ProcessorEvent);
      await spend(agent.id, 1_000_000);
      const [opened, withdrawn] = (await act('dispute')) as [ProcessorEvent, ProcessorEvent];
      assert.equal(await sender.outcome(opened), 'applied');
      const held = await agent.wallet();
      assert.deepEqual([held['held_eur'], held['available_eur'], held['frozen']], ['9.00', '0.00', true]);
      assert.equal(await sender.outcome(withdrawn), 'applied');
      const taken = await agent.wallet();
      assert.deepEqual([taken['posted_eur'], taken['held_eur'], taken['frozen']], ['0.00', '0.00', true]);
      for (const event of await act('dispute_won')) assert.equal(await sender.outcome(event), 'applied');
      const back = await agent.wallet();
      assert.deepEqual([back['posted_eur'], back['held_eur'], back['frozen']], ['9.00', '0.00', false]);
    });

    test('a lost dispute whose events come in reverse leaves no hold, and the wallet frozen', async () => {
      const { agent, events } = await begun('pay', 'dispute', 'dispute_lost');
      for (const event of events.toReversed()) await sender.outcome(event);
      const wallet = await agent.wallet();
      assert.deepEqual([wallet['posted_eur'], wallet['held_eur'], wallet['frozen']], ['0.00', '0.00', true]);
      assert.deepEqual(await agent.moved(), ['topup 10.00', 'dispute -10.00']);
    });

    test('webhook, poll, page and readers at once: one credit', async () => {
      const { agent, id, events } = await begun('pay');
      const [paid] = events as [ProcessorEvent];
      clock.advance(5_000);
      const outcomes = await Promise.all([
        ...Array.from({ length: 5 }, (_, turn) => sender.outcome({ ...paid, id: `evt_race_${turn}_${id}` })),
        ...Array.from({ length: 5 }, () => sender.outcome(paid)),
        ...[1, 2, 3].map(() => bench.service.call(`/wallet/topups/${id}`).then(({ status }) => status)),
        ...[1, 2, 3].map(() => agent.state(id).then(() => 200)),
        ...[1, 2, 3].map(() => agent.wallet().then(() => 200)),
      ]);
      const expected = ['credited', 'already_credited', 'duplicate_event', 200];
      assert.deepEqual(
        outcomes.filter((outcome) => !expected.includes(outcome as string)),
        [],
      );
      assert.deepEqual(await agent.moved(), ['topup 10.00']);
    });

    test('a credit that fails is told to the processor, which sends its event again', async () => {
      const { agent, events } = await begun('pay');
      const [paid] = events as [ProcessorEvent];
      const { store } = bench.service.service;
      const report = await auditLedger(store, { scope: 'full', from: null, checks: CARD_SUMS });
      await store.runAll([ledger.audited({ ...report, findings: ['planted'] })]);
      expectProblem(await sender.tell(paid), 503, 'ledger_halted');
      await store.runAll([ledger.audited(report)]);
      if (engine === 'sqlite') {
        using _lock = lockDatabase(bench.service.dataDir);
        expectProblem(await sender.tell(paid), 503, 'storage_unavailable');
      }
      assert.deepEqual(await agent.moved(), []);
      assert.equal(await sender.outcome(paid), 'credited');
      assert.deepEqual(await agent.moved(), ['topup 10.00']);
    });
  });
}
