import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementCsv, statementItem } from './statement.ts';

const LINE = {
  seq: 1,
  txId: 'tx_1',
  atMs: 0,
  kind: 'topup',
  amountMicro: -5_000_000,
  balanceAfterMicro: 0,
  hash: 'ab',
};

function refCell(ref: string | null): string {
  const row = statementCsv([statementItem({ ...LINE, ref })]).slice(statementCsv([]).length);
  return row.slice('1,tx_1,1970-01-01T00:00:00.000Z,topup,'.length, -',-5.00,0.00,ab\r\n'.length);
}

test('a reference is a cell that no spreadsheet runs, and none is an empty one', () => {
  assert.deepEqual([refCell('exe_1'), refCell('=1+1'), refCell(null)], ['exe_1', "'=1+1", '']);
});
