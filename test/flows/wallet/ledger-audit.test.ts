import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { keepAppendOnly } from '#platform/ledger/append-only.ts';
import { LedgerAuditor } from '#platform/ledger/auditor.ts';
import { auditLedger } from '#platform/ledger/audit.ts';
import { isRefused, ledger, type LedgerResult } from '#platform/ledger/steps.ts';
import type { Ask } from '#platform/storage/engine.ts';
import { readingOf, type Store, type Unit } from '#platform/storage/store.ts';
import { faultExplainer } from '../../../src/platform/error-answers.ts';
import { LedgerKeeper } from '#platform/ledger/ledger-keeper.ts';
import { LEDGER_CHECKS } from '../../../src/areas.ts';
import { openStore } from '../../support/engines.ts';
import { ENGINES, type EngineName, hasPostgres } from '../../support/databases.ts';
import { fund } from '../../support/wallet.ts';

const location = () => assert.fail('a short ledger needs no thread');
const spend = (amountMicro: number, idem: string) =>
  ledger.post({
    txId: newId('tx_'),
    kind: 'bom',
    idem,
    ref: null,
    legs: [
      { account: 'wallet:agt_1', amountMicro },
      { account: 'revenue:bom', amountMicro: -amountMicro },
    ],
  });

const full = async (store: Store) => (await auditLedger(store, { scope: 'full', from: null, checks: [] })).findings;

/** Each change made behind the back of the service, and what the audit says of it. */
const TAMPERINGS: readonly (readonly [what: string, sql: readonly string[], finding: RegExp])[] = [
  [
    'an amount',
    ["UPDATE ledger_entry SET amount = amount + 1 WHERE tx_seq = 2 AND account = 'revenue:bom'"],
    /sum up to/,
  ],
  [
    'a pair of amounts whose sum still matches, with balances that match too',
    [
      "UPDATE ledger_entry SET amount = 40, balance_after = 999960 WHERE tx_seq = 2 AND account = 'wallet:agt_1'",
      "UPDATE ledger_entry SET amount = -40, balance_after = 40 WHERE tx_seq = 2 AND account = 'revenue:bom'",
      "UPDATE ledger_entry SET balance_after = balance_after + 60 WHERE tx_seq = 3 AND account = 'wallet:agt_1'",
      "UPDATE ledger_entry SET balance_after = balance_after - 60 WHERE tx_seq = 3 AND account = 'revenue:bom'",
      "UPDATE ledger_account SET posted = posted + 60 WHERE id = 'wallet:agt_1'",
      "UPDATE ledger_account SET posted = posted - 60 WHERE id = 'revenue:bom'",
    ],
    /^transaction 2 has other legs than those that were posted$/,
  ],
  ['a transaction', ['UPDATE ledger_tx SET meta = \'{"x":1}\' WHERE seq = 2'], /^transaction 2 does not have the hash/],
  [
    'a balance',
    ["UPDATE ledger_account SET posted = posted + 5 WHERE id = 'wallet:agt_1'"],
    /^account wallet:agt_1 holds/,
  ],
  ['what is held', ["UPDATE ledger_account SET held = 5 WHERE id = 'wallet:agt_1'"], /has 5 held/],
  ['a running balance', ['UPDATE ledger_entry SET balance_after = 1 WHERE tx_seq = 2 AND leg = 0'], /had 1 after it/],
  [
    'the last transaction and its head',
    [
      'DELETE FROM ledger_entry WHERE tx_seq = 3',
      'DELETE FROM ledger_tx WHERE seq = 3',
      'UPDATE ledger_head SET seq = 2',
      "UPDATE ledger_account SET posted = 999900 WHERE id = 'wallet:agt_1'",
      "UPDATE ledger_account SET posted = 100 WHERE id = 'revenue:bom'",
    ],
    /head does not hold the hash/,
  ],
  [
    'a transaction in between',
    ['DELETE FROM ledger_entry WHERE tx_seq = 2', 'DELETE FROM ledger_tx WHERE seq = 2'],
    /transaction 3 does not follow transaction 1/,
  ],
];

const DROP: Readonly<Record<EngineName, readonly string[]>> = {
  sqlite: ['ledger_tx', 'ledger_entry'].flatMap((table) =>
    ['update', 'delete'].map((event) => `DROP TRIGGER ${table}_no_${event}`),
  ),
  postgres: ['ledger_tx', 'ledger_entry'].map((table) => `DROP TRIGGER ${table}_no_change ON ${table}`),
};

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';

  test(`rows of the ledger cannot be changed, and a change made without the triggers is found on ${engine}`, {
    skip,
  }, async () => {
    await using opened = await openStore(engine);
    const { store } = opened;
    assert.equal(await keepAppendOnly(opened.engine), 'trigger');
    assert.equal(await keepAppendOnly(opened.engine), 'trigger', 'twice is harmless');
    await fund(store, 'agt_1', 1_000_000);
    await store.runAll([spend(100, 'a')]);
    await store.runAll([spend(200, 'b')]);
    assert.deepEqual(await full(store), []);
    const inside = (work: (query: Ask) => Promise<unknown>) => opened.engine.exclusively(work);
    const refused = [
      'UPDATE ledger_tx SET at = 1',
      'DELETE FROM ledger_entry',
      ...(engine === 'postgres' ? ['TRUNCATE ledger_tx CASCADE'] : []),
    ];
    for (const statement of refused)
      await assert.rejects(
        inside((query) => query(statement)),
        /append-only/,
        statement,
      );
    for (const [what, statements, finding] of TAMPERINGS) {
      const rollback = new Error('rolled back');
      const changed = inside(async (query) => {
        for (const statement of [...DROP[engine], ...statements]) await query(statement);
        const findings = (await auditLedger({ read: readingOf(query) }, { scope: 'full', from: null, checks: [] }))
          .findings;
        assert.ok(
          findings.some((one) => finding.test(one)),
          `${what}: ${findings.join('; ')}`,
        );
        throw rollback;
      });
      await assert.rejects(changed, rollback, what);
    }
    assert.deepEqual(await full(store), [], 'the rows are as they were');
    for (const [amount, findings] of [
      [1_000_000, []],
      [999_999, ['psp:stripe has 1000000 of test_credit, not 999999']],
    ] as const) {
      const checks = [{ kind: 'test_credit', sql: `SELECT CAST(${amount} AS BIGINT) AS amount` }];
      assert.deepEqual((await auditLedger(store, { scope: 'full', from: null, checks })).findings, findings);
    }
    const hold = { agentId: 'agt_1', ref: null, lifeMs: null };
    await store.runAll([
      ledger.hold({ ...hold, holdId: 'hold_a', amountMicro: 5, idem: 'fee:1' }),
      ledger.hold({ ...hold, holdId: 'hold_b', amountMicro: 7, idem: 'fee:2' }),
      ledger.hold({ ...hold, holdId: 'hold_c', amountMicro: 9, idem: 'other:3' }),
      ledger.release({ holdId: 'hold_b' }),
    ]);
    for (const [amount, findings] of [
      [5, []],
      [12, ['holds have 5 of fee:, not 12']],
    ] as const) {
      const checks = [{ holds: 'fee:', sql: `SELECT CAST(${amount} AS BIGINT) AS amount` }];
      assert.deepEqual((await auditLedger(store, { scope: 'full', from: null, checks })).findings, findings);
    }
  });

  test(`a failed audit halts the ledger, and only a sound audit of the whole lets it go on, on ${engine}`, {
    skip,
  }, async () => {
    const injectedClock = new ManualClock(Date.UTC(2026, 10, 15, 2));
    await using opened = await openStore(engine, { injectedClock });
    const { store } = opened;
    await fund(store, 'agt_1', 1_000_000);
    await store.runAll([
      ledger.hold({ holdId: 'hold_1', agentId: 'agt_1', amountMicro: 5, idem: 'h', ref: null, lifeMs: 1 }),
    ]);
    const logged: string[] = [];
    const logger = { error: (message: string) => logged.push(message), warn: () => {} };
    const foundation = { store, clock: injectedClock, location, appendOnly: 'code' as const };
    await using service = new LedgerKeeper({ foundation, sandbox: true, checks: LEDGER_CHECKS, logger });
    injectedClock.advance(5);
    await service.start();
    assert.equal((await store.read('SELECT status FROM ledger_hold'))[0]?.['status'], 'expired');
    await store.runAll([spend(1, 'a')]);
    const [tail] = [await service.audit('tail')];
    assert.deepEqual([tail.checked, tail.findings], [1, []], 'the tail is what came since');
    assert.match(service.state().detail, /no errors; append_only: code\./);

    await opened.engine.exclusively((query) =>
      query("UPDATE ledger_account SET posted = posted + 1 WHERE id = 'revenue:bom'"),
    );
    assert.equal((await service.audit('tail')).findings.length, 1);
    assert.equal(logged.length, 1);
    assert.deepEqual(
      [service.state().isHalted, await new LedgerAuditor({ store, location, checks: [] }).isHalted()],
      [true, true],
    );
    const steps = [
      spend(1, 'b'),
      ledger.hold({ holdId: 'hold_2', agentId: 'agt_1', amountMicro: 5, idem: 'i', ref: null, lifeMs: 1 }),
    ];
    for (const step of steps) {
      const [result] = (await store.runAll([step], isRefused)) as LedgerResult[];
      assert.ok(result?.type === 'refused' && result.code === 'ledger_halted');
    }
    const [again] = (await store.runAll([spend(1, 'a')])) as LedgerResult[];
    assert.ok(again?.type === 'done' && again.replayed, 'what was answered is answered again');
    await opened.engine.exclusively((query) =>
      query("UPDATE ledger_account SET posted = posted - 1 WHERE id = 'revenue:bom'"),
    );
    await service.audit('tail');
    assert.equal(service.state().isHalted, true);

    const entries = async () => (await store.read('SELECT COUNT(*) AS n FROM entries'))[0]?.['n'] as number;
    const before = await entries();
    await service.nightly();
    assert.deepEqual([service.state().isHalted, (await entries()) - before], [false, 1], 'the head is sealed');
    await service.nightly();
    assert.equal((await entries()) - before, 1, 'once a day');
    injectedClock.advance(DAY_MS);
    await service.nightly();
    assert.equal((await entries()) - before, 2);
  });

  test(`an overdraft that the code lets through is refused by the database, alone in its batch, on ${engine}`, {
    skip,
  }, async () => {
    await using opened = await openStore(engine);
    const { store } = opened;
    await fund(store, 'agt_1', 100);
    const defect: Unit<[null, null], null> = {
      name: 'defect',
      reads: () => ({}),
      load: () => null,
      decide: (state) => ({ state, result: null, events: [{ key: 'k', type: 't', body: '{}' }] }),
      writes: () => [
        {
          sql: 'INSERT INTO ledger_account (id, side, currency, posted, held, no_overdraft, frozen) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET posted = excluded.posted',
          rows: [['wallet:agt_1', 'credit', 'EUR', -5, 0, 1, 0]],
        },
      ],
    };
    const [bad, good] = await Promise.allSettled([store.run(defect, null), store.runAll([spend(100, 'a')], isRefused)]);
    assert.equal(good.status, 'fulfilled');
    assert.ok(bad.status === 'rejected');
    let alarms = 0;
    const refusal = faultExplainer(() => (alarms += 1))(bad.reason);
    assert.deepEqual([refusal?.type.code, refusal?.type.status, alarms], ['insufficient_funds', 402, 1]);
    assert.deepEqual(await full(store), []);
  });
}

test('a long ledger is audited in a thread of its own', async () => {
  await using opened = await openStore('sqlite');
  const { store } = opened;
  await fund(store, 'agt_1', 10_000_000);
  for (let from = 0; from < 1_200; from += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, n) => store.runAll([spend(1, `s${from + n}`)])));
  }
  const [{ file }] = (await store.read('PRAGMA database_list')) as unknown as [{ file: string }];
  await using auditor = new LedgerAuditor({ store, location: () => ({ file }), checks: [] });
  const { checked, findings } = await auditor.run('full');
  assert.deepEqual([checked, findings], [1_201, []]);
});
