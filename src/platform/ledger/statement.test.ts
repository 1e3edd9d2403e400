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

for (const [ref, cell] of [
  [null, ''],
  ['exe_1', 'exe_1'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['@sum', "'@sum"],
  ['-cmd', "'-cmd"],
  ['-5.00', '-5.00'],
  ['\t=1', "'\t=1"],
] as const) {
  test(`a cell ${JSON.stringify(ref)} is written ${JSON.stringify(cell)}: nothing that a spreadsheet would run`, () => {
    assert.equal(refCell(ref), cell);
  });
}
