import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { decideDispute, decideSession, isFrozenBy, nextPollAt } from './topup-decide.ts';
import type { CheckoutSession, Dispute, DisputeNews, TopUp } from './topup-state.ts';

const NOW = 1_800_000_000_000;
const CREATED: TopUp = {
  id: 'tu_1',
  agentId: 'agt_1',
  tier: 'starter',
  priceCents: 1_000,
  status: 'created',
  version: 1,
  sessionId: null,
  paymentIntent: null,
  checkoutUrl: null,
  isLive: null,
  review: null,
  txId: null,
  createdAtMs: NOW,
  openedAtMs: null,
  expiresAtMs: null,
  nextPollAtMs: null,
  creditedAtMs: null,
};
const UNPAID: CheckoutSession = {
  id: 'cs_1',
  topUpId: 'tu_1',
  status: 'open',
  paymentStatus: 'unpaid',
  amountCents: 1_000,
  currency: 'eur',
  paymentIntent: null,
  url: 'https://pay',
  expiresAtMs: NOW + DAY_MS,
  isLive: false,
};
const OPEN = decideSession(CREATED, UNPAID, NOW).topUp;
const PAID: CheckoutSession = { ...UNPAID, status: 'complete', paymentStatus: 'paid', paymentIntent: 'pi_1' };

suite('a session and its top-up', () => {
  const cases: readonly [why: string, from: TopUp, session: CheckoutSession, outcome: string, status: string][] = [
    ['a new session opens it', CREATED, UNPAID, 'not_paid', 'open'],
    ['a paid one is credited', OPEN, PAID, 'credited', 'credited'],
    ['also where its session id never arrived', CREATED, PAID, 'credited', 'credited'],
    ['complete is not paid', OPEN, { ...PAID, paymentStatus: 'unpaid' }, 'not_paid', 'open'],
    ['a word that nobody knows is not paid', OPEN, { ...PAID, paymentStatus: 'surely' }, 'not_paid', 'open'],
    ['another amount is for a person', OPEN, { ...PAID, amountCents: 999 }, 'review', 'review'],
    ['more than the price is for a person too', OPEN, { ...PAID, amountCents: 1_001 }, 'review', 'review'],
    ['another currency is for a person', OPEN, { ...PAID, currency: 'usd' }, 'review', 'review'],
    ['nothing to pay is for a person', OPEN, { ...PAID, paymentStatus: 'no_payment_required' }, 'review', 'review'],
    ['another session of the same top-up is for a person', OPEN, { ...PAID, id: 'cs_2' }, 'review', 'review'],
    ['an unpaid foreign session changes nothing', OPEN, { ...UNPAID, id: 'cs_2' }, 'unknown_session', 'open'],
    ['an expired session', OPEN, { ...UNPAID, status: 'expired' }, 'expired', 'expired'],
    ['paid after all', { ...OPEN, status: 'expired' }, PAID, 'credited', 'credited'],
    ['paid after a failure', { ...OPEN, status: 'failed' }, PAID, 'credited', 'credited'],
    ['late news of an open session', { ...OPEN, status: 'failed' }, UNPAID, 'not_paid', 'failed'],
    ['credited once', { ...OPEN, status: 'credited' }, PAID, 'already_credited', 'credited'],
    [
      'a second session after the credit',
      { ...OPEN, status: 'credited' },
      { ...PAID, id: 'cs_2' },
      'unknown_session',
      'credited',
    ],
    [
      'late news of an expiry',
      { ...OPEN, status: 'credited' },
      { ...UNPAID, status: 'expired' },
      'already_credited',
      'credited',
    ],
    ['what waits for a person waits', { ...OPEN, status: 'review' }, PAID, 'review', 'review'],
  ];
  for (const [why, from, session, outcome, status] of cases) {
    test(why, () => {
      const verdict = decideSession(from, session, NOW);
      assert.deepEqual([verdict.outcome, verdict.topUp.status], [outcome, status]);
      assert.equal(verdict.isCredit, outcome === 'credited');
    });
  }

  test('a failed slow payment', () => {
    const verdict = decideSession(OPEN, { ...PAID, paymentStatus: 'unpaid' }, NOW, { hasFailed: true });
    assert.deepEqual([verdict.outcome, verdict.topUp.status], ['not_paid', 'failed']);
  });

  test('a payment for an agent that is gone is for a person, and what is not paid ends as ever', () => {
    const gone = { isAgentErased: true };
    const paid = decideSession(OPEN, PAID, NOW, gone);
    assert.deepEqual([paid.isCredit, paid.topUp.status, paid.topUp.review], [false, 'review', 'agent_erased']);
    assert.equal(decideSession(OPEN, { ...UNPAID, status: 'expired' }, NOW, gone).outcome, 'expired');
  });

  test('in whatever order news comes, a paid session is credited once and an unpaid one never', () => {
    const news = fc.constantFrom(
      UNPAID,
      { ...UNPAID, status: 'expired' },
      { ...PAID, paymentStatus: 'unpaid' },
      { ...PAID, amountCents: 1 },
      PAID,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(news, fc.boolean()), { maxLength: 12 }), (all) => {
        let topUp = CREATED;
        let credits = 0;
        for (const [session, hasFailed] of all) {
          const verdict = decideSession(topUp, session, NOW, { hasFailed });
          topUp = verdict.topUp;
          credits += Number(verdict.isCredit);
        }
        const firstPaid = all.find(([{ paymentStatus }]) => paymentStatus === 'paid')?.[0];
        assert.equal(credits, firstPaid === PAID ? 1 : 0);
        assert.equal(topUp.status === 'review', firstPaid !== undefined && firstPaid !== PAID);
      }),
    );
  });
});

test('an open top-up is asked for at 5, 10 and 20 seconds, every 20 in the first hour, every 60 until its end', () => {
  const expires = NOW + DAY_MS;
  const polls: number[] = [];
  for (let at: number | null = NOW; at !== null; ) {
    at = nextPollAt(NOW, expires, at);
    if (at !== null) polls.push((at - NOW) / 1_000);
  }
  assert.deepEqual(polls.slice(0, 5), [5, 10, 20, 40, 60]);
  const gaps = polls.map((at, index) => at - (polls[index - 1] ?? 0));
  assert.ok(polls.every((at, index) => (gaps[index] as number) <= (at <= 3_620 ? 20 : 60)));
  assert.equal(polls.at(-1), 86_401, 'the last one sees the end');
});

suite('a dispute', () => {
  const fresh: Dispute = {
    id: 'du_1',
    topUpId: 'tu_1',
    agentId: 'agt_1',
    amountCents: 1_000,
    holdId: 'hold_1',
    withdrawnTx: null,
    isReinstated: false,
    closed: null,
    version: 0,
  };
  const FACTS = ['opened', 'withdrawn', 'reinstated', 'won', 'lost'] as const;
  const run = (facts: readonly DisputeNews['fact'][]) => {
    let dispute: Dispute | undefined;
    const done = { isHeld: 0, isReleased: 0, isWithdrawn: 0, isReinstated: 0 };
    for (const fact of facts) {
      const { dispute: after, ...plan } = decideDispute(dispute, { fresh, txId: 'tx_1', fact });
      dispute = after;
      for (const name of Object.keys(done) as (keyof typeof done)[]) done[name] += Number(plan[name]);
    }
    return { dispute: dispute as Dispute, done };
  };

  test('is held, withdrawn and given back in its usual course', () => {
    const { done, dispute } = run(['opened', 'withdrawn', 'reinstated', 'won']);
    assert.deepEqual(done, { isHeld: 1, isReleased: 1, isWithdrawn: 1, isReinstated: 1 });
    assert.equal(isFrozenBy([dispute]), false);
    assert.equal(isFrozenBy([run(['opened', 'lost']).dispute]), true);
    assert.equal(isFrozenBy([dispute, { ...fresh, id: 'du_2' }]), true, 'another one is open');
  });

  test('in any order and any number of tellings ends alike: no hold is left, nothing is taken or given twice', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FACTS), { minLength: 1, maxLength: 12 }), (facts) => {
        const { done } = run(facts);
        const has = (...names: string[]) => facts.some((fact) => names.includes(fact));
        assert.equal(done.isWithdrawn, Number(has('withdrawn', 'reinstated')));
        assert.equal(done.isReinstated, Number(has('reinstated')));
        const isQuiet = has('withdrawn', 'reinstated', 'won', 'lost');
        assert.equal(done.isHeld - done.isReleased, isQuiet ? 0 : 1);
      }),
    );
  });
});
