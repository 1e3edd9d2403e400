import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FuseResult } from '#areas/audits/fuse.ts';
import { forgetCommand, judgeCommand, MEMORY_MS } from '#areas/audits/intent-memory.ts';
import { BUDGET_PROTOCOL_DOCUMENT } from '#areas/audits/protocol-documents.ts';
import { type IntentCommand, type IntentResult, intentUnit, memoryExpiry } from '#areas/audits/intent-unit.ts';
import type { SpendInput } from '#areas/audits/spend-facts.ts';
import { ManualClock } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import type { Store, Unit } from '#platform/storage/store.ts';
import { openStore } from '../../support/engines.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';

const SPEND: SpendInput = {
  ...({
    amount_usd: '0.05',
    instruction_source: 'principal',
    per_action_cap_usd: '1',
    period_budget_usd: '50',
  } as const),
  ...({ period_spent_usd: '3', agent: 'scout-1', intent_id: 'i-1', counterparty_verified: 'yes' } as const),
  ...({ reference_price_usd: '0.05', p_success: '0.9', p_basis: 'measured', value_usd: '1' } as const),
  ...({ cumulative_cost_usd: '0', attempts_without_progress: '0', reversible: 'no', delivery: 'prepaid' } as const),
};
const PAYER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const OTHER_PAYER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

async function judge(
  store: Store,
  payment: string,
  change: Partial<SpendInput> = {},
  payer = PAYER,
): Promise<FuseResult> {
  const command = judgeCommand({ input: { ...SPEND, ...change }, paymentKey: payment, payer });
  const judged = await store.run(intentUnit, command);
  assert.ok(judged.type === 'judged');
  return judged.result;
}

function stepOf(result: FuseResult, step: string): { readonly code: string; readonly why: string } {
  return result.checks.find((check) => check.step === step) as FuseResult['checks'][number];
}

const codeOf = (result: FuseResult, step: string) => stepOf(result, step).code;

for (const engine of ENGINES) {
  suite(`the memory of the fuse on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a new payment for an intent that was let through is stopped', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(engine, { injectedClock: clock });
      assert.equal((await judge(opened.store, 'pay-1')).verdict, 'GO');
      clock.advance(1_000);
      const again = await judge(opened.store, 'pay-2');
      assert.deepEqual([again.verdict, again.stops, codeOf(again, 'F3')], ['STOP', ['F3'], 'seen']);
      assert.match(stepOf(again, 'F3').why, /2026-01-01T00:00:00\.000Z\)/);
      assert.equal(codeOf(await judge(opened.store, 'pay-3', { amount_usd: '0.04' }), 'F3'), 'seen_other_amount');
      assert.equal(codeOf(await judge(opened.store, 'pay-4', { intent_id: 'i-2' }), 'F3'), 'first_time');
      assert.equal(codeOf(await judge(opened.store, 'pay-5', { agent: 'scout-2' }), 'F3'), 'first_time');
    });

    test('the answer says when the first call came from another payer', async () => {
      await using opened = await openStore(engine);
      await judge(opened.store, 'pay-1', {}, OTHER_PAYER);
      assert.match(stepOf(await judge(opened.store, 'pay-2'), 'F3').why, /another payer/);
    });

    test('the retry of a payment gets the same answer and never meets its own intent', async () => {
      await using opened = await openStore(engine);
      const first = await judge(opened.store, 'pay-1', { counterparty_verified: 'no' });
      for (let n = 0; n < 3; n += 1) {
        assert.deepEqual(await judge(opened.store, 'pay-1', { counterparty_verified: 'no' }), first);
      }
      assert.equal((await opened.store.read('SELECT payment FROM fuse_memory')).length, 1);
    });

    test('of many parallel payments for one intent exactly one passes F3, also within one batch', async () => {
      await using opened = await openStore(engine);
      const results = await Promise.all(Array.from({ length: 40 }, (_, n) => judge(opened.store, `pay-${n}`)));
      assert.equal(results.filter((result) => codeOf(result, 'F3') === 'first_time').length, 1);
      assert.equal(results.filter((result) => codeOf(result, 'F3') === 'seen').length, 39);
    });

    test('what a failed payment left is forgotten, and only that', async () => {
      await using opened = await openStore(engine);
      await judge(opened.store, 'pay-1');
      await judge(opened.store, 'pay-2', { intent_id: 'i-2' });
      assert.deepEqual(await opened.store.run(intentUnit, forgetCommand('pay-1')), { type: 'forgotten', rows: 1 });
      assert.deepEqual(await opened.store.run(intentUnit, forgetCommand('pay-1')), { type: 'forgotten', rows: 0 });
      assert.equal((await judge(opened.store, 'pay-3')).verdict, 'GO');
      assert.equal(codeOf(await judge(opened.store, 'pay-4', { intent_id: 'i-2' }), 'F3'), 'seen');
    });

    test('forgetting a payment that was stopped does not free the intent of another', async () => {
      await using opened = await openStore(engine);
      await judge(opened.store, 'pay-1');
      await judge(opened.store, 'pay-2');
      await opened.store.run(intentUnit, forgetCommand('pay-2'));
      assert.equal(codeOf(await judge(opened.store, 'pay-3'), 'F3'), 'seen');
    });

    test('a stopped spend is not remembered, so that the corrected one is no repeat', async () => {
      await using opened = await openStore(engine);
      assert.equal((await judge(opened.store, 'pay-1', { instruction_source: 'untrusted' })).verdict, 'STOP');
      assert.equal((await judge(opened.store, 'pay-2')).verdict, 'GO');
    });

    test('the memory ends after 30 days, swept or not', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(engine, { injectedClock: clock });
      await judge(opened.store, 'pay-1');
      clock.advance(MEMORY_MS - 1);
      assert.equal(codeOf(await judge(opened.store, 'pay-2'), 'F3'), 'seen');
      assert.equal(await expire({ ...opened, clock }, memoryExpiry), 0);
      clock.advance(1);
      assert.equal(codeOf(await judge(opened.store, 'pay-3'), 'F3'), 'first_time');
      assert.equal(await expire({ ...opened, clock }, memoryExpiry), 1);
      assert.equal(codeOf(await judge(opened.store, 'pay-4'), 'F3'), 'seen');
      assert.equal((await opened.store.read('SELECT payment FROM fuse_memory')).length, 1);
    });

    test('forgetting an old row of an intent in one batch with a new call leaves the newer row in force', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(engine, { injectedClock: clock });
      await judge(opened.store, 'pay-1');
      clock.advance(MEMORY_MS);
      await judge(opened.store, 'pay-2');
      const [, third] = await Promise.all([
        opened.store.run(intentUnit, forgetCommand('pay-1')),
        judge(opened.store, 'pay-3'),
      ]);
      assert.equal(codeOf(third, 'F3'), 'seen');
    });

    test('probes of one agent add up to five and no further, with or without an intent', async () => {
      const clock = new ManualClock();
      await using opened = await openStore(engine, { injectedClock: clock });
      // 1 percent of 50 is a probe of 0.50.
      const probe = {
        counterparty_verified: 'no',
        amount_usd: '0.5',
        reference_price_usd: '0.5',
        intent_id: undefined,
      } as const;
      for (let n = 0; n < 5; n += 1)
        assert.equal(codeOf(await judge(opened.store, `pay-${n}`, probe), 'F4'), 'within_probe');
      const sixth = await judge(opened.store, 'pay-5', { ...probe, amount_usd: '0.000001' });
      assert.equal(codeOf(sixth, 'F4'), 'probe_sum');
      assert.equal(sixth.verdict, 'STOP');
      // The method says whose probes are summed: nobody else can use them up.
      assert.match(stepOf(sixth, 'F4').why, /probes of this agent that this wallet paid to check/);
      const rows = BUDGET_PROTOCOL_DOCUMENT.fuse.steps.find(({ step }) => step === 'F4')?.rows ?? [];
      assert.match(rows.find(({ code }) => code === 'probe_sum')?.when ?? '', /the same wallet/);
      await opened.store.run(intentUnit, forgetCommand('pay-4'));
      assert.equal(codeOf(await judge(opened.store, 'pay-6', probe), 'F4'), 'within_probe');
      assert.equal(codeOf(await judge(opened.store, 'pay-7', probe, OTHER_PAYER), 'F4'), 'within_probe');
      clock.advance(MEMORY_MS);
      assert.equal(codeOf(await judge(opened.store, 'pay-8', probe), 'F4'), 'within_probe');
    });

    test('parallel probes in one batch see each other', async () => {
      await using opened = await openStore(engine);
      const probe = { counterparty_verified: 'no', amount_usd: '0.5', reference_price_usd: '0.5' } as const;
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, n) => judge(opened.store, `pay-${n}`, { ...probe, intent_id: `p-${n}` })),
      );
      assert.equal(results.filter((result) => codeOf(result, 'F4') === 'within_probe').length, 5);
    });

    test('the table holds no name, address or intent as text', async () => {
      await using opened = await openStore(engine);
      await judge(opened.store, `pay-${PAYER}`, { counterparty_verified: 'no' });
      const text = JSON.stringify(await opened.store.read('SELECT * FROM fuse_memory'));
      for (const name of ['scout-1', 'i-1', PAYER, 'pay-']) assert.ok(!text.includes(name), name);
      assert.match(text, /[0-9a-f]{64}/);
    });

    test('two processes on the same data let one of two payments through, and it outlives both', async () => {
      await using opened = await openStore(engine);
      const processes = [opened.store, await opened.beside()];
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, n) => judge(processes[n % 2] as Store, `pay-${n}`)),
      );
      assert.equal(results.filter((result) => codeOf(result, 'F3') === 'first_time').length, 1);
      assert.equal(codeOf(await judge(await opened.beside(), 'pay-10'), 'F3'), 'seen');
    });

    test('joined to the unit of a gate, memory and record are written together or not at all', async () => {
      await using opened = await openStore(engine);
      const run = (payment: string, fails: boolean) =>
        opened.store.run(gateUnit, {
          fails,
          intent: judgeCommand({ input: SPEND, paymentKey: payment, payer: PAYER }),
        });
      const rows = async () => [
        (await opened.store.read('SELECT payment FROM fuse_memory')).length,
        (await opened.store.read('SELECT rev FROM event')).length,
      ];
      await assert.rejects(run('pay-1', true), /gate/);
      assert.deepEqual(await rows(), [0, 0]);
      const results = await Promise.all([run('pay-2', false), run('pay-3', false)]);
      const codes = results.map((judged) => judged.type === 'judged' && codeOf(judged.result, 'F3'));
      assert.deepEqual(codes, ['first_time', 'seen']);
      assert.deepEqual(await rows(), [1, 2]);
    });
  });
}

interface GateCommand {
  readonly fails: boolean;
  readonly intent: IntentCommand;
}

/** As a payment gate joins the memory to a record of its own, here an event. */
const gateUnit: Unit<[GateCommand, IntentResult], ReturnType<typeof intentUnit.load>, typeof intentUnit.reads> = {
  name: 'gate',
  reads: (commands) => intentUnit.reads(commands.map(({ intent }) => intent)),
  load: (found, commands) =>
    intentUnit.load(
      found,
      commands.map(({ intent }) => intent),
    ),
  decide(state, nowMs, next, { fails, intent }) {
    const decision = intentUnit.decide(state, nowMs, next, intent);
    if (fails) throw new Error('the gate cannot store its record');
    return { ...decision, events: [{ key: 'gate', type: 'executed', body: '{}' }] };
  },
  writes: (before, after) => intentUnit.writes(before, after),
};
