import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { Answer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { expire } from '#platform/storage/expiry.ts';
import fc from '#properties';
import type { Step, Store } from '#platform/storage/store.ts';
import { openStore } from '../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../test/support/databases.ts';
import { answerAgain, answerExpiry, type AnswerResult, answers, isAnswered } from './answers.ts';
import { refuseFunds } from './caller.ts';
import { chainHash, fingerprintOf, GENESIS } from './chain.ts';
import * as sql from './sql.ts';
import { chargeMicro, formatEur, isRefused, ledger, type LedgerResult, type Leg } from './steps.ts';

const FOLDER = new URL('./', import.meta.url);
const EUR = 1_000_000;
const MAX = Number.MAX_SAFE_INTEGER;

test('the fingerprint and the chain hash are those of the published vector', () => {
  const legs = [['psp:stripe', 10_000_000] as const, ['wallet:agt_1', -10_000_000] as const];
  const fingerprint = fingerprintOf('topup', 'cs_test_1', legs);
  assert.equal(fingerprint, '83e86c20e7685ebc43c3e9882474c05c973363c53c9ed57bca993337bf8abdae');
  const tx = { id: 'tx_1', kind: 'topup', idem: 'topup:cs_test_1', fingerprint, ref: 'cs_test_1' };
  const hash = chainHash(GENESIS, { ...tx, atMs: 1_794_700_800_000, meta: '{"via":"stripe"}' });
  assert.equal(hash, '83ed3833547f3897ef0ecfe4a459cd4c28f2b2836a6fea24dd7b0adde3722062');
});

test('a charge is the cost and 15 percent, rounded up, and at least one cent', () => {
  const rows = [
    [0, 10_000],
    [1, 10_000],
    [3_839, 10_000],
    [8_695, 10_000],
    [8_696, 10_001],
    [100_000, 115_000],
    [869_565, 1_000_000],
    [869_566, 1_000_001],
    [1_000_000, 1_150_000],
  ] as const;
  for (const [cost, charge] of rows) assert.equal(chargeMicro(cost), charge, `cost ${cost}`);
  fc.assert(
    fc.property(fc.nat(10 ** 12), (cost) => {
      const exact = (BigInt(cost) * 115n + 99n) / 100n;
      assert.equal(BigInt(chargeMicro(cost)), exact > 10_000n ? exact : 10_000n);
    }),
  );
});

test('an amount is written with two to six decimals', () => {
  const rows = [
    [10_000_000, '10.00'],
    [9_990_000, '9.99'],
    [3_839, '0.003839'],
    [100_000, '0.10'],
    [0, '0.00'],
    [-1_500_000, '-1.50'],
  ] as const;
  for (const [micro, text] of rows) assert.equal(formatEur(micro), text);
});

test('no statement changes or removes a transaction or an entry', () => {
  for (const table of [sql.TX, sql.LEDGER_ENTRY]) {
    assert.doesNotMatch(table.insert([]).sql, /ON CONFLICT/);
    assert.deepEqual([...Object.keys(table)].toSorted(), ['cells', 'columns', 'insert', 'query', 'select']);
  }
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))) {
    assert.doesNotMatch(readFileSync(new URL(name, FOLDER), 'utf8'), /(UPDATE|DELETE FROM) ledger_(tx|entry)/, name);
  }
});

async function one(store: Store, step: Step): Promise<LedgerResult> {
  return (await store.runAll([step], isRefused))[0] as LedgerResult;
}

const topUp = (agentId: string, amountMicro: number, idem: string) =>
  ledger.post({
    txId: newId('tx_'),
    kind: 'topup',
    idem,
    ref: idem,
    legs: [
      { account: 'psp:stripe', amountMicro },
      { account: `receivable:${agentId}`, amountMicro: -amountMicro, restTo: `wallet:${agentId}` },
    ],
  });
const spend = (agentId: string, amountMicro: number, idem: string) =>
  ledger.post({
    txId: newId('tx_'),
    kind: 'bom',
    idem,
    ref: null,
    legs: [
      { account: `wallet:${agentId}`, amountMicro },
      { account: 'revenue:bom', amountMicro: -amountMicro },
    ],
  });
const refund = (agentId: string, amountMicro: number, idem: string, txId = newId('tx_')) =>
  ledger.post({
    txId,
    kind: 'refund',
    idem,
    ref: null,
    legs: [
      { account: `wallet:${agentId}`, amountMicro, restTo: `receivable:${agentId}` },
      { account: 'psp:stripe', amountMicro: -amountMicro },
    ],
  });
const hold = (holdId: string, agentId: string, amountMicro: number, lifeMs: number | null = 1_000) =>
  ledger.hold({ holdId, agentId, amountMicro, idem: `h:${holdId}`, ref: null, lifeMs });
const capture = (holdId: string, amountMicro: number, more: { whenGone?: 'post'; legs?: readonly Leg[] } = {}) =>
  ledger.capture({
    holdId,
    amountMicro,
    kind: 'capability',
    txId: newId('tx_'),
    legs: [{ account: 'revenue:capability', amountMicro: -amountMicro }, ...(more.legs ?? [])],
    ...(more.whenGone !== undefined && { whenGone: more.whenGone }),
  });

const codeOf = (result: LedgerResult) => (result.type === 'refused' ? result.code : 'done');
const replayed = (result: LedgerResult) => result.type === 'done' && result.replayed;
const balanceOf = (result: LedgerResult) =>
  result.type === 'done' ? [result.balance?.postedMicro, result.balance?.heldMicro] : [];

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';

  test(`money is posted, held, captured, released and refused as promised on ${engine}`, { skip }, async () => {
    const injectedClock = new ManualClock();
    await using opened = await openStore(engine, { injectedClock });
    const { store } = opened;
    const run = (step: Step) => one(store, step);
    const posted = async (account: string) =>
      (await store.read('SELECT posted FROM ledger_account WHERE id = $1', [account]))[0]?.['posted'];
    assert.equal(codeOf(await run(topUp('agt_1', 10 * EUR, 'a'))), 'no_account');
    await run(ledger.open({ agentId: 'agt_1' }));
    assert.deepEqual(balanceOf(await run(topUp('agt_1', 10 * EUR, 'a'))), [10 * EUR, 0]);
    assert.ok(replayed(await run(topUp('agt_1', 10 * EUR, 'a'))), 'the same again moves nothing');
    assert.equal(codeOf(await run(topUp('agt_1', 11 * EUR, 'a'))), 'idempotency_conflict');

    const refusedPosts: readonly [string, readonly (readonly [string, number])[]][] = [
      ['unbalanced', [['wallet:agt_1', 5]]],
      [
        'unbalanced',
        [
          ['wallet:agt_1', 5],
          ['revenue:bom', -4],
        ],
      ],
      [
        'unbalanced',
        [
          ['cost:provider', MAX],
          ['expense:goodwill', 2],
          ['payable:provider', -MAX],
          ['revenue:bom', -1],
        ],
      ],
      [
        'bad_amount',
        [
          ['wallet:agt_1', 0],
          ['revenue:bom', 0],
        ],
      ],
      [
        'bad_amount',
        [
          ['wallet:agt_1', 0.5],
          ['revenue:bom', -0.5],
        ],
      ],
      [
        'bad_amount',
        [
          ['wallet:agt_1', 2 ** 53],
          ['revenue:bom', -(2 ** 53)],
        ],
      ],
      [
        'no_account',
        [
          ['wallet:agt_1', 5],
          ['revenue:none', -5],
        ],
      ],
      [
        'insufficient_funds',
        [
          ['wallet:agt_1', 10 * EUR + 1],
          ['revenue:bom', -10 * EUR - 1],
        ],
      ],
    ];
    for (const [code, pairs] of refusedPosts) {
      const legs = pairs.map(([account, amountMicro]) => ({ account, amountMicro }));
      const result = await run(ledger.post({ txId: newId('tx_'), kind: 'x', idem: 'x', ref: null, legs }));
      assert.equal(codeOf(result), code, JSON.stringify(pairs));
    }

    assert.deepEqual(balanceOf(await run(hold('hold_1', 'agt_1', 4 * EUR))), [10 * EUR, 4 * EUR]);
    assert.ok(replayed(await run(hold('hold_1', 'agt_1', 4 * EUR))));
    assert.equal(codeOf(await run(hold('hold_1', 'agt_1', 5 * EUR))), 'idempotency_conflict');
    const tooMuch = await run(hold('hold_2', 'agt_1', 7 * EUR));
    assert.deepEqual(tooMuch, { type: 'refused', code: 'insufficient_funds', availableMicro: 6 * EUR });
    const { type, details } = refuseFunds(tooMuch, 7 * EUR);
    assert.deepEqual(
      [type.status, details.members],
      [402, { needed_eur: '7.00', available_eur: '6.00', topup: '/api/agents/wallet/topup' }],
    );
    assert.equal(codeOf(await run(capture('hold_1', 5 * EUR))), 'exceeds_hold');
    assert.equal(codeOf(await run(capture('hold_1', 0))), 'bad_amount');
    assert.equal(codeOf(await run(capture('hold_9', 1))), 'hold_unknown');
    const cost = [
      { account: 'cost:provider', amountMicro: 2 * EUR },
      { account: 'payable:provider', amountMicro: -2 * EUR },
    ];
    const taken = await run(capture('hold_1', 3 * EUR, { legs: cost }));
    assert.deepEqual(balanceOf(taken), [7 * EUR, 0]);
    const again = await run(capture('hold_1', 3 * EUR, { legs: cost }));
    assert.ok(replayed(again) && again.type === 'done' && taken.type === 'done' && again.txId === taken.txId);
    assert.equal(codeOf(await run(capture('hold_1', 2 * EUR))), 'idempotency_conflict');
    assert.ok(replayed(await run(ledger.release({ holdId: 'hold_1' }))), 'what was captured stays captured');

    await run(hold('hold_3', 'agt_1', 7 * EUR));
    assert.deepEqual(balanceOf(await run(ledger.release({ holdId: 'hold_3' }))), [7 * EUR, 0]);
    assert.ok(replayed(await run(ledger.release({ holdId: 'hold_3' }))));
    assert.equal(codeOf(await run(capture('hold_3', EUR))), 'hold_voided');
    assert.equal(codeOf(await run(ledger.release({ holdId: 'hold_9' }))), 'hold_unknown');

    await run(hold('hold_4', 'agt_1', 5 * EUR));
    await run(hold('hold_5', 'agt_1', EUR, null));
    assert.ok(replayed(await run(ledger.expire({ dueBeforeMs: injectedClock.now() }))), 'none is over');
    injectedClock.advance(1_000);
    assert.ok(!replayed(await run(ledger.expire({ dueBeforeMs: injectedClock.now() }))));
    assert.equal(codeOf(await run(capture('hold_4', 5 * EUR))), 'hold_expired');
    assert.deepEqual(balanceOf(await run(spend('agt_1', 4 * EUR, 'b'))), [3 * EUR, EUR], 'one never expires');
    assert.deepEqual(balanceOf(await run(capture('hold_4', 5 * EUR, { whenGone: 'post' }))), [EUR, EUR]);
    assert.equal(await posted('expense:overrun'), 3 * EUR, 'what the wallet had no more of is ours');
    assert.ok(replayed(await run(capture('hold_4', 5 * EUR, { whenGone: 'post' }))));

    const undone = newId('tx_');
    assert.equal(
      codeOf(await run(ledger.reverse({ txId: newId('tx_'), of: undone, idem: 'rf', kind: 'x' }))),
      'tx_unknown',
    );
    await run(ledger.release({ holdId: 'hold_5' }));
    assert.deepEqual(balanceOf(await run(refund('agt_1', 3 * EUR, 'r', undone))), [0, 0]);
    assert.equal(await posted('receivable:agt_1'), 2 * EUR);
    assert.ok(replayed(await run(refund('agt_1', 3 * EUR, 'r'))), 'also when the wallet has changed since');
    await run(topUp('agt_1', 5 * EUR, 'c'));
    assert.deepEqual([await posted('receivable:agt_1'), await posted('wallet:agt_1')], [0, 3 * EUR]);
    const back = ledger.reverse({ txId: newId('tx_'), of: undone, idem: 'rf', kind: 'refund_failed' });
    await run(back);
    assert.deepEqual([await posted('receivable:agt_1'), await posted('wallet:agt_1')], [0, 6 * EUR]);
    assert.ok(replayed(await run(back)));

    await run(ledger.freeze({ agentId: 'agt_1', frozen: true }));
    assert.equal(codeOf(await run(hold('hold_6', 'agt_1', 1))), 'wallet_frozen');
    assert.equal(codeOf(await run(spend('agt_1', 1, 'd'))), 'wallet_frozen');
    const upTo = ledger.hold({
      holdId: 'hold_7',
      agentId: 'agt_1',
      amountMicro: 99 * EUR,
      idem: 'disp:1',
      ref: null,
      lifeMs: null,
      upTo: true,
    });
    assert.deepEqual(balanceOf(await run(upTo)), [6 * EUR, 6 * EUR]);
    await run(ledger.release({ holdId: 'hold_7' }));
    assert.deepEqual(balanceOf(await run(refund('agt_1', EUR, 'e'))), [5 * EUR, 0]);
    await run(ledger.freeze({ agentId: 'agt_1', frozen: false }));
    assert.equal(codeOf(await run(hold('hold_8', 'agt_1', 1))), 'done');

    const rows = await store.read(
      'SELECT account, CAST(SUM(amount) AS BIGINT) AS amount FROM ledger_entry GROUP BY account',
    );
    assert.equal(
      rows.reduce((sum, row) => sum + (row['amount'] as number), 0),
      0,
    );
  });

  test(`a process whose clock runs ahead frees no hold before its time on ${engine}`, { skip }, async () => {
    const injectedClock = new ManualClock();
    await using opened = await openStore(engine, { injectedClock });
    const run = (step: Step) => one(opened.store, step);
    await run(ledger.open({ agentId: 'agt_1' }));
    await run(topUp('agt_1', 10 * EUR, 'a'));
    await run(hold('hold_1', 'agt_1', 4 * EUR, 1_000));
    const isNone = async (dueBeforeMs: number) => replayed(await run(ledger.expire({ dueBeforeMs })));
    injectedClock.advance(999);
    assert.ok(await isNone(injectedClock.now() + HOUR_MS));
    injectedClock.advance(1);
    assert.ok(await isNone(injectedClock.now() - 1), 'one behind waits for its own time');
    assert.ok(!(await isNone(injectedClock.now() + HOUR_MS)));
    assert.equal(codeOf(await run(capture('hold_1', EUR))), 'hold_expired');
  });

  test(`an answer is kept with its effect and given again on ${engine}`, { skip }, async () => {
    const injectedClock = new ManualClock();
    await using opened = await openStore(engine, { injectedClock });
    const run = async (step: Step) => (await opened.store.runAll([step]))[0] as AnswerResult;
    const of = { scope: 'agt_1 do', key: 'k' };
    const asked = { ...of, bodySha256: 'b' };
    assert.deepEqual([(await run(answers.check(asked))).type, (await run(answers.begin(asked))).type], ['new', 'new']);
    const open = await run(answers.begin(asked));
    assert.ok(isAnswered(open) && answerAgain(open) instanceof Refusal && open.type === 'in_flight');
    await run(answers.abandon(of));
    assert.equal((await run(answers.begin(asked))).type, 'new', 'an abandoned key is free again');
    await run(answers.finish({ ...of, status: 201, body: { a: 1 } }));
    await run(answers.abandon(of));
    const known = await run(answers.begin(asked));
    const again = isAnswered(known) && answerAgain(known);
    assert.ok(again instanceof Answer && again.replayed);
    assert.deepEqual([again.status, again.body], [201, { a: 1 }]);
    assert.equal((await run(answers.begin({ ...asked, bodySha256: 'c' }))).type, 'conflict');
    assert.equal((await run(answers.begin({ ...asked, scope: 'agt_2 do' }))).type, 'new', 'keys of others are others');
    injectedClock.advance(30 * DAY_MS);
    assert.equal(await expire({ ...opened, clock: injectedClock }, answerExpiry), 2);
    assert.equal((await run(answers.begin(asked))).type, 'new');
  });
}
