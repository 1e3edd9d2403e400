import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { KeyRotation } from './key-rotation.ts';

/** Calls as `key` in time: upper case accepted, lower case refused; a dot lets a second pass. */
function rowsOf(calls: string): string[] {
  const rotation = new KeyRotation();
  const rows: string[] = [];
  let atMs = 0;
  for (const call of calls) {
    atMs += call === '.' ? 1_000 : 10;
    if (call === '.') continue;
    const keys = rotation.saw('tag', call.toUpperCase(), call !== call.toLowerCase(), atMs);
    if (keys !== null) rows.push(keys.join(''));
  }
  return rows;
}

test('a quota used up under one key after the other is a row of three', () => {
  const cases: [string, string[]][] = [
    ['AAaBBbCCc', ['ABC']],
    ['aBBbCCc', ['ABC']],
    ['AAaaaBBbbaCCc', ['ABC']],
    ['AaBBbCCcAAaBBbCCc', ['ABC', 'ABC']],
    ['AaBBbCCcDDdEEeFFf', ['ABC', 'DEF']],
    // Two keys are an agent that made itself a second one.
    ['AAaBBbAAaBBbAAaBBb', []],
    // Agents beside each other in one office.
    ['ABCABCabcABC', []],
    ['ABABaBbCCcDDd', ['BCD']],
    ['AaBBCbCCc', []],
    ['AaBBbACCc', []],
    // Whoever comes back with its own key waited as it was told.
    ['Aa.ABBb.BCCc.C', []],
    ['Aa.BBbCCc', []],
    ['AaBBb.CCc', []],
  ];
  for (const [calls, rows] of cases) assert.deepEqual(rowsOf(calls), rows, calls);
  assert.deepEqual(rowsOf(`AaBBb${'C'.repeat(6_000)}c`), [], 'a minute is over');
});

test('calls that are never refused, and calls under two keys, are never a row', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'B', 'C', 'D', '.')), (calls) => {
      assert.deepEqual(rowsOf(calls.join('')), []);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'B', 'a', 'b', '.')), (calls) => {
      assert.deepEqual(rowsOf(calls.join('')), []);
    }),
  );
});
