import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { KeyRotation } from './key-rotation.ts';

/** Calls in time, with a quota of two: upper case accepted, lower case refused; a dot lets two seconds pass. */
function rowsOf(calls: string): string[] {
  const rotation = new KeyRotation();
  const rows: string[] = [];
  let atMs = 0;
  for (const call of calls) {
    atMs += call === '.' ? 2_000 : 10;
    if (call === '.') continue;
    const [key, isAccepted] = [call.toUpperCase(), call !== call.toLowerCase()];
    const keys = rotation.saw({ addressTag: 'tag', key, isAccepted, quota: 2, atMs });
    if (keys !== null) rows.push(keys.join(''));
  }
  return rows;
}

test('the whole quota used up under one key after the other is a row of three', () => {
  const cases: [string, string[]][] = [
    ['AAaBBbCCc', ['ABC']],
    ['AAaaaBBbbaCCc', ['ABC']],
    ['AAaBBbCCcAAaBBbCCc', ['ABC', 'ABC']],
    ['AAaBBbCCcDDdEEeFFf', ['ABC', 'DEF']],
    ['DAAaBBbCCc', ['ABC']],
    // Two keys are an agent that made itself a second one.
    ['AAaBBbAAaBBbAAaBBb', []],
    // Agents beside each other in one office.
    ['ABCABCabcABC', []],
    ['AAaBBCbCCc', []],
    ['AAaBBbACCc', []],
    // Not the whole quota: what came back while its agent waited.
    ['AaBbCcAaBbCc', []],
    ['AAaBBbCc', []],
    // Whoever comes back with its own key waited as it was told.
    ['AAa.ABBb.BCCc.C', []],
    ['AAa.BBbCCc', []],
    ['AAaBBb.CCc', []],
    ['AAaB.BbCCc', []],
  ];
  for (const [calls, rows] of cases) assert.deepEqual(rowsOf(calls), rows, calls);
  assert.deepEqual(rowsOf(`AAaBBb${'C'.repeat(6_100)}c`), [], 'a minute is over');
});

test('calls that are never refused, and calls under two keys, are never a row', () => {
  for (const alphabet of [
    ['A', 'B', 'C', 'D', '.'],
    ['A', 'B', 'a', 'b', '.'],
  ]) {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alphabet)), (calls) => {
        assert.deepEqual(rowsOf(calls.join('')), []);
      }),
    );
  }
});
