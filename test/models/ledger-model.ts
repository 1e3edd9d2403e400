// Random histories of the ledger against a naive model, and what must hold of its rows after every step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { type OpenedStore, openStore } from '../support/engines.ts';
import { ENGINES, type EngineName, hasPostgres } from '../support/databases.ts';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { auditLedger } from '#platform/ledger/audit.ts';
import { isRefused, ledger, type LedgerResult, type Leg, receivableOf, walletOf } from '#platform/ledger/steps.ts';
import type { Step, Store } from '#platform/storage/store.ts';

const AGENTS = 3;

const amount = fc.integer({ min: 1, max: 60 });
const agent = fc.nat(AGENTS - 1);
const pick = fc.nat(40);
const kind = <T extends string>(type: T) => fc.constant(type);

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: kind('topup'), agent, amount: fc.integer({ min: 1, max: 150 }) }) },
  { weight: 3, arbitrary: fc.record({ type: kind('spend'), agent, amount }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: kind('hold'), agent, amount, lifeMs: fc.constantFrom(1_000, DAY_MS, null) }),
  },
  { weight: 5, arbitrary: fc.record({ type: kind('capture'), pick, amount, late: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: kind('release'), pick }) },
  { weight: 4, arbitrary: fc.record({ type: kind('wait'), ms: fc.constantFrom(500, 1_000, DAY_MS) }) },
  { weight: 2, arbitrary: fc.record({ type: kind('refund'), agent, amount }) },
  { weight: 1, arbitrary: fc.record({ type: kind('refund_failed'), pick }) },
  { weight: 1, arbitrary: fc.record({ type: kind('dispute'), agent, amount }) },
  { weight: 1, arbitrary: fc.record({ type: kind('withdrawn'), pick, amount }) },
  { weight: 1, arbitrary: fc.record({ type: kind('reinstated'), pick }) },
  { weight: 1, arbitrary: fc.record({ type: kind('closed'), pick }) },
  { weight: 2, arbitrary: fc.record({ type: kind('again'), pick }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
const histories = fc.array(action, { minLength: 20, maxLength: 60, size: 'max' });

interface Dispute {
  readonly agentId: string;
  readonly holdId: string;
  readonly amount: number;
  withdrawnTx: string | null;
}

/** Plays a history; gives what refusals and ends were reached. */
async function play(store: Store, clock: ManualClock, run: number, actions: readonly Action[]): Promise<string[]> {
  const ids = Array.from({ length: AGENTS }, (_, number) => `agt_${run}_${number}`);
  await store.runAll(ids.map((agentId) => ledger.open({ agentId })));
  const holds: string[] = [];
  const refunds: string[] = [];
  const disputes: Dispute[] = [];
  const given: { step: Step; result: LedgerResult }[] = [];
  const reached: string[] = [];
  let count = 0;
  const one = async (...steps: readonly Step[]) => {
    const results = (await store.runAll(steps, isRefused)) as LedgerResult[];
    results.forEach((result, index) => given.push({ step: steps[index] as Step, result }));
    const last = results.at(-1) as LedgerResult;
    reached.push(last.type === 'refused' ? last.code : 'done');
    return last;
  };
  const from = <T>(list: readonly T[], index: number) => list[index % Math.max(1, list.length)];
  const post = (name: string, legs: readonly Leg[], txId: string = newId('tx_')) =>
    ledger.post({ txId, kind: name, idem: `${name}:${run}:${(count += 1)}`, ref: null, legs });
  const take = async (act: Action): Promise<void> => {
    const agentId = 'agent' in act ? (ids[act.agent] as string) : '';
    switch (act.type) {
      case 'topup':
        await one(
          post('topup', [
            { account: 'psp:stripe', amountMicro: act.amount },
            { account: receivableOf(agentId), amountMicro: -act.amount, restTo: walletOf(agentId) },
          ]),
        );
        return;
      case 'spend':
        await one(
          post('bom', [
            { account: walletOf(agentId), amountMicro: act.amount },
            { account: 'revenue:bom', amountMicro: -act.amount },
          ]),
        );
        return;
      case 'hold': {
        const holdId = newId('hold_');
        const { amount: amountMicro, lifeMs } = act;
        const held = await one(ledger.hold({ holdId, agentId, amountMicro, idem: holdId, ref: null, lifeMs }));
        if (held.type === 'done') holds.push(holdId);
        return;
      }
      case 'capture': {
        const holdId = from(holds, act.pick);
        if (holdId === undefined) return;
        const cost = Math.ceil(act.amount / 2);
        await one(
          ledger.capture({
            holdId,
            amountMicro: act.amount,
            kind: 'capability',
            txId: newId('tx_'),
            legs: [
              { account: 'revenue:capability', amountMicro: -act.amount },
              { account: 'cost:provider', amountMicro: cost },
              { account: 'payable:provider', amountMicro: -cost },
            ],
            whenGone: act.late ? 'post' : 'refuse',
          }),
        );
        return;
      }
      case 'release': {
        const holdId = from(holds, act.pick);
        if (holdId !== undefined) await one(ledger.release({ holdId }));
        return;
      }
      case 'wait':
        clock.advance(act.ms);
        await one(ledger.expire({ dueBeforeMs: clock.now() }));
        return;
      case 'refund': {
        const txId = newId('tx_');
        const legs = [
          { account: walletOf(agentId), amountMicro: act.amount, restTo: receivableOf(agentId) },
          { account: 'psp:stripe', amountMicro: -act.amount },
        ];
        await one(post('refund', legs, txId));
        refunds.push(txId);
        return;
      }
      case 'refund_failed': {
        const of = from(refunds, act.pick);
        if (of !== undefined)
          await one(ledger.reverse({ txId: newId('tx_'), of, idem: `fail:${of}`, kind: 'refund_failed' }));
        return;
      }
      case 'dispute': {
        const holdId = newId('hold_');
        const { amount: amountMicro } = act;
        const hold = ledger.hold({ holdId, agentId, amountMicro, idem: holdId, ref: null, lifeMs: null, upTo: true });
        await one(hold, ledger.freeze({ agentId, frozen: true }));
        disputes.push({ agentId, holdId, amount: act.amount, withdrawnTx: null });
        return;
      }
      case 'withdrawn': {
        const dispute = from(disputes, act.pick);
        if (dispute === undefined || dispute.withdrawnTx !== null) return;
        dispute.withdrawnTx = newId('tx_');
        const legs = [
          { account: walletOf(dispute.agentId), amountMicro: dispute.amount, restTo: 'expense:chargeback' },
          { account: 'psp:stripe', amountMicro: -dispute.amount },
        ];
        // A dispute of an empty wallet holds nothing.
        await store.runAll([ledger.release({ holdId: dispute.holdId })]);
        await one(post('dispute_withdrawn', legs, dispute.withdrawnTx));
        return;
      }
      case 'reinstated': {
        const of = from(disputes, act.pick)?.withdrawnTx;
        if (of) await one(ledger.reverse({ txId: newId('tx_'), of, idem: `back:${of}`, kind: 'dispute_reinstated' }));
        return;
      }
      case 'closed': {
        const dispute = from(disputes, act.pick);
        if (dispute === undefined) return;
        await store.runAll([ledger.release({ holdId: dispute.holdId })]);
        await one(ledger.freeze({ agentId: dispute.agentId, frozen: false }));
        return;
      }
      case 'again': {
        const before = from(given, act.pick);
        const command = before?.step.command as { type: string; upTo?: true } | undefined;
        if (before?.result.type !== 'done' || command === undefined || 'upTo' in command) return;
        if (!['post', 'hold', 'reverse'].includes(command.type)) return;
        const [result] = (await store.runAll([before.step])) as LedgerResult[];
        assert.ok(result?.type === 'done' && result.replayed && result.txId === before.result.txId, 'the same again');
      }
    }
  };
  for (const act of actions) {
    await take(act);
    await checkBooks(store);
  }
  return reached;
}

/** Every wallet is at or above zero, what was posted sums up to nothing, and the audit finds nothing. */
export async function checkBooks(store: Store): Promise<void> {
  const below = await store.read(
    'SELECT id FROM ledger_account WHERE no_overdraft = 1 AND posted - held < 0 OR held < 0',
  );
  assert.deepEqual(below, []);
  const { findings } = await auditLedger(store, { scope: 'full', from: null, checks: [] });
  assert.deepEqual(findings, []);
}

const REFUSALS = ['exceeds_hold', 'hold_expired', 'hold_voided', 'insufficient_funds', 'wallet_frozen'];

interface LedgerRuns extends Readonly<Record<EngineName, number>> {
  /** Enough on SQLite to meet every refusal. */
  readonly reachesAll: boolean;
}

/** Declares a test of each engine. */
export async function declareLedgerModel({ reachesAll, ...runs }: LedgerRuns): Promise<void> {
  for (const engine of ENGINES) {
    const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
    test(`whatever is posted, held, captured, refunded or disputed on ${engine}: books balance, no wallet is below zero`, {
      skip,
    }, async () => {
      const injectedClock = new ManualClock();
      await using shared = engine === 'postgres' ? await openStore(engine, { injectedClock }) : undefined;
      const reached = new Set<string>();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(histories, async (actions) => {
          // Fresh rows where they cost little: an audit after every step of a growing ledger takes ever longer.
          await using opened = shared === undefined ? await openStore(engine, { injectedClock }) : undefined;
          const { store } = (opened ?? shared) as OpenedStore;
          for (const one of await play(store, injectedClock, (run += 1), actions)) reached.add(one);
        }),
        { numRuns: runs[engine] },
      );
      if (engine === 'sqlite' && reachesAll)
        assert.deepEqual(
          REFUSALS.filter((code) => !reached.has(code)),
          [],
          'all are reached',
        );
    });
  }
}
