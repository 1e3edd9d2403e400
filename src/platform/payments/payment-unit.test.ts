import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { runs } from '#properties';
import type { Cell, Found, Row, Write } from '#platform/storage/store.ts';
import type { PaymentRecord } from './payment-record.ts';
import { type NewPayment, type PaymentCommand, type PaymentResult, paymentUnit } from './payment-unit.ts';
import * as sql from './sql.ts';
import { isOpen, type PaymentEvent } from './transitions.ts';

const NAMES = sql.PAYMENT.columns().split(', ');
const DELETE = sql.PAYMENT.remove([]).sql;

/** The table, with the two rules that its indexes keep. */
class NaiveTable {
  rows = new Map<string, PaymentRecord>();

  read(text: string, list: readonly string[]): Row[] {
    const picks: Record<string, (record: PaymentRecord) => boolean> = {
      [sql.OF_IDS.sql]: ({ id }) => list.includes(id),
      [sql.OF_IDEM_HASHES.sql]: ({ idemHash }) => list.includes(idemHash ?? ''),
      [sql.OF_PAYMENT_IDS.sql]: ({ paymentId }) => list.includes(paymentId ?? ''),
      [sql.OPEN_OF_PAYERS.sql]: (record) => list.includes(record.payer) && isOpen(record),
    };
    return [...this.rows.values()].filter((record) => picks[text]?.(record)).map(rowOf);
  }

  write({ sql: text, rows }: Write): void {
    for (const cells of rows) {
      if (text === DELETE) this.rows.delete(cells[0] as string);
      else this.#upsert(sql.BY_ID.of(Object.fromEntries(NAMES.map((name, index) => [name, cells[index] as Cell]))));
    }
  }

  #upsert(record: PaymentRecord): void {
    for (const other of this.rows.values()) {
      if (other.id === record.id) continue;
      assert.ok(record.idemHash === null || other.idemHash !== record.idemHash, 'two rows with one Idempotency-Key');
      const isNamesake = record.paymentId !== null && other.paymentId === record.paymentId;
      assert.ok(!isNamesake || other.payer !== record.payer, 'two rows with one payment id');
    }
    this.rows.set(record.id, record);
  }
}

function rowOf(record: PaymentRecord): Row {
  const cells = sql.PAYMENT.cells(sql.storedPayment(record));
  return Object.fromEntries(NAMES.map((name, index) => [name, cells[index] as Cell]));
}

/** One transaction; a crash before its commit leaves the table as it was. */
function commit(table: NaiveTable, commands: readonly PaymentCommand[], nowMs: number, isCrash: boolean) {
  const reads = paymentUnit.reads(commands);
  const found = Object.entries(reads).map(([name, { sql: text, of, list = [] }]) => {
    return [name, table.read(text, list).map((row) => of?.(row))];
  });
  let state = paymentUnit.load(Object.fromEntries(found) as Found<typeof reads>, commands);
  const before = state;
  const results: PaymentResult[] = [];
  for (const command of commands) {
    const decision = paymentUnit.decide(state, nowMs, { rev: 1, seq: 0 }, command);
    state = decision.state;
    results.push(decision.result);
  }
  if (!isCrash) for (const write of paymentUnit.writes(before, state)) table.write(write);
  return results;
}

const newPayment = fc
  .record({
    payer: fc.constantFrom('0xaa', '0xbb'),
    nonce: fc.constantFrom('0x01', '0x02'),
    fingerprint: fc.constantFrom('f1', 'f2'),
    idemHash: fc.constantFrom(null, 'k1', 'k2'),
    paymentId: fc.constantFrom(null, 'p1', 'p2'),
  })
  .map(
    (fields): NewPayment => ({
      ...fields,
      id: `${fields.payer}|${fields.nonce}`,
      network: 'eip155:8453',
      asset: '0xcc',
      operationId: 'spend_fuse',
      amountAtomic: 2000,
      payTo: '0xdd',
      payload: '{"payload":{}}',
      headerSha256: 'h',
      validBeforeSeconds: 100,
      chainInstance: null,
    }),
  );
const owner = fc.constantFrom('process-1', 'process-2');
const delivery = {
  receiptId: 'rcp_1',
  response: { status: 200, headers: [['payment-response', 'x']], body: 'b' },
} as const;
const otherDelivery = {
  receiptId: 'rcp_2',
  response: { ...delivery.response, headers: [['payment-response', 'y']] },
} as const;
const confirmed = { type: 'confirmed' } as const;
const event: fc.Arbitrary<PaymentEvent> = fc.oneof(
  owner.map((name) => ({ type: 'executed' as const, owner: name, result: '{}', resultSha256: 'r', ownerMs: 1000 })),
  owner.map((name) => ({ type: 'refused' as const, owner: name, reason: 'no' })),
  fc.constant({ ...confirmed, resultSha256: 'r', transaction: '0x9', logIndex: 0, delivery }),
  fc
    .constantFrom(null, 'r')
    .map((resultSha256) => ({ ...confirmed, resultSha256, transaction: '0x9', logIndex: 0, delivery: null })),
  fc.constant({ ...confirmed, resultSha256: 'r', transaction: '0x8', logIndex: 1, delivery: otherDelivery }),
  fc.constant({ type: 'failed' as const, reason: 'no' }),
  fc.constant({ type: 'undecided' as const, transaction: null }),
  owner.map((name) => ({ type: 'resumed' as const, owner: name, ownerMs: 1000 })),
  fc.boolean().map((isCertain) => ({ type: 'lapsed' as const, isCertain })),
  fc.constant({ type: 'vanished' as const }),
  fc.constant({ type: 'refunded' as const, reference: '0x7' }),
  fc.constant({ type: 'closed' as const }),
  fc.constant({ type: 'expired' as const }),
);
const id = fc.constantFrom('0xaa|0x01', '0xaa|0x02', '0xbb|0x01', '0xbb|0x02');
const command: fc.Arbitrary<PaymentCommand> = fc.oneof(
  fc.record({ type: fc.constant('reserve' as const), payment: newPayment, owner, ownerMs: fc.constant(1000) }),
  fc.record({ type: fc.constant('drop' as const), id, owner, reason: fc.constant('no') }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant('event' as const), id, event }) },
);
const step = fc.record({
  commands: fc.array(command, { minLength: 1, maxLength: 4 }),
  passesMs: fc.constantFrom(0, 10, 2000, 90_000_000),
  isCrash: fc.boolean(),
});

const PAID = new Set(['settled', 'refund_due', 'refunded']);
const NEVER_SOLD = new Set(['reserved', 'released', 'refund_due', 'refunded']);

test('whatever happens in whatever order, with crashes: one settlement, bound to one request, with its response', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const table = new NaiveTable();
      let nowMs = 1_000_000;
      for (const { commands, passesMs, isCrash } of steps) {
        nowMs += passesMs;
        const before = new Map(table.rows);
        commit(table, commands, nowMs, isCrash);
        if (isCrash) assert.deepEqual(table.rows, before);
        for (const record of table.rows.values()) {
          const earlier = before.get(record.id);
          if (record.state === 'settled') assert.equal(record.response?.status, 200);
          if (NEVER_SOLD.has(record.state)) assert.equal(record.response, null);
          if (PAID.has(record.state)) assert.equal(record.owner, null);
          if (record.state === 'refund_due') assert.equal(record.payload, null);
          // One payment has one answer, whatever becomes of it.
          if (earlier?.response != null) assert.deepEqual(record.response?.headers, earlier.response.headers);
          if (record.state === 'failed' || record.state === 'released') {
            assert.deepEqual([record.idemHash, record.paymentId, record.owner], [null, null, null]);
          }
          if (earlier !== undefined && PAID.has(earlier.state)) {
            const hasVanished = commands.some(
              (one) => one.type === 'event' && one.event.type === 'vanished' && one.id === record.id,
            );
            const isOpenAgain = hasVanished && earlier.state === 'settled' && earlier.payload !== null;
            assert.deepEqual(
              [record.fingerprint, record.receiptId],
              [earlier.fingerprint, earlier.receiptId],
              'a payment belongs to one request and has one receipt',
            );
            const isPaidBack = earlier.state === 'refund_due' && record.state === 'refunded';
            if (!isOpenAgain && !isPaidBack) assert.equal(record.state, earlier.state, 'a payment settles once');
            assert.equal(record.refundRef, record.state === 'refunded' ? '0x7' : null);
            if (!isOpenAgain) assert.equal(record.transaction, earlier.transaction);
          }
        }
        for (const earlier of before.values()) {
          if (earlier.state !== 'reserved') assert.ok(table.rows.has(earlier.id), 'only a reservation is taken back');
        }
      }
    }),
    { numRuns: runs(3000) },
  );
});

test('a reservation with another fingerprint never changes a row', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), newPayment, (steps, payment) => {
      const table = new NaiveTable();
      let nowMs = 1_000_000;
      for (const { commands, passesMs, isCrash } of steps) commit(table, commands, (nowMs += passesMs), isCrash);
      const before = table.rows.get(payment.id);
      fc.pre(before !== undefined && before.fingerprint !== payment.fingerprint);
      const [result] = commit(table, [{ type: 'reserve', payment, owner: 'process-1', ownerMs: 1 }], nowMs, false);
      assert.equal(result?.type, 'known');
      assert.deepEqual(table.rows.get(payment.id), before);
    }),
    { numRuns: runs(500), maxSkipsPerRun: 10_000 },
  );
});

test('a reservation is told what the other open payments of its payer will take', () => {
  const table = new NaiveTable();
  const [one, two, three] = ['0x01', '0x02', '0x03'].map((nonce) => {
    const payment = fc.sample(newPayment, { numRuns: 1, seed: 1 })[0] as NewPayment;
    return { ...payment, payer: '0xaa', nonce, id: `0xaa|${nonce}`, idemHash: null, paymentId: null };
  }) as [NewPayment, NewPayment, NewPayment];
  const reserve = (payment: NewPayment) => ({ type: 'reserve', payment, owner: 'process-1', ownerMs: 1000 }) as const;
  const openBefore = (results: PaymentResult[]) =>
    results.map((result) => (result.type === 'reserved' ? result.openBeforeAtomic : result.type));
  assert.deepEqual(openBefore(commit(table, [reserve(one), reserve(two)], 0, false)), [0, 2000]);
  commit(table, [{ type: 'drop', id: one.id, owner: 'process-1', reason: 'no' }], 0, false);
  assert.equal(table.rows.has(one.id), false);
  assert.deepEqual(openBefore(commit(table, [reserve(three)], 0, false)), [2000]);
});

test('only the process that holds a reservation can execute it, refuse it or take it back', () => {
  const table = new NaiveTable();
  const payment = fc.sample(newPayment, { numRuns: 1, seed: 1 })[0] as NewPayment;
  commit(table, [{ type: 'reserve', payment, owner: 'process-1', ownerMs: 1000 }], 0, false);
  const before = table.rows.get(payment.id);
  const stranger = 'process-2';
  const events: PaymentEvent[] = [
    { type: 'executed', owner: stranger, result: '{}', resultSha256: 'r', ownerMs: 1000 },
    { type: 'refused', owner: stranger, reason: 'no' },
    { type: 'lapsed', isCertain: false },
  ];
  const commands: PaymentCommand[] = events.map((recordEvent) => ({
    type: 'event',
    id: payment.id,
    event: recordEvent,
  }));
  commands.push({ type: 'drop', id: payment.id, owner: stranger, reason: 'no' });
  for (const one of commands) assert.equal(commit(table, [one], 999, false)[0]?.type, 'unchanged');
  assert.deepEqual(table.rows.get(payment.id), before);
});

test('the transaction of an earlier attempt is kept while a later one names none', () => {
  const table = new NaiveTable();
  const payment = fc.sample(newPayment, { numRuns: 1, seed: 1 })[0] as NewPayment;
  const events: PaymentEvent[] = [
    { type: 'executed', owner: 'process-1', result: '{}', resultSha256: 'r', ownerMs: 1000 },
    { type: 'undecided', transaction: '0x7' },
    { type: 'resumed', owner: 'process-1', ownerMs: 1000 },
    { type: 'undecided', transaction: null },
  ];
  const reserve = { type: 'reserve', payment, owner: 'process-1', ownerMs: 1000 } as const;
  const happen = events.map((one) => ({ type: 'event', id: payment.id, event: one }) as const);
  commit(table, [reserve, ...happen], 0, false);
  const { state, transaction } = table.rows.get(payment.id) ?? assert.fail();
  assert.deepEqual([state, transaction], ['unknown', '0x7']);
});
