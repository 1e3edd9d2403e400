import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eur, eurOfMicro, eurSigned } from './amounts.ts';
import { shortText } from './short-id.ts';

test('amounts have two places, more only where they say something, and a sign for money in and out', () => {
  assert.deepEqual(['9.76', '10', '0.0123', '1234567.5', '-0.20'].map(eur), [
    '€9.76',
    '€10.00',
    '€0.0123',
    '€1,234,567.50',
    '−€0.20',
  ]);
  assert.deepEqual(['10', '-0.2', '0', '0.00'].map(eurSigned), ['+€10.00', '−€0.20', '€0.00', '€0.00']);
  assert.equal(eurOfMicro(-200_000), '−€0.20');
});

test('an id keeps its prefix and both ends, and what is short stays', () => {
  assert.deepEqual(
    [
      'agt_5fxn0123456789abcdefghtv91',
      'ATT-M754AAAABBBBCCCCDDDDEEEEKVZQ',
      '4b70b95b00000000000000000000000000000000000000000000000000000e24',
      'f'.repeat(64),
      '1284109',
    ].map(shortText),
    ['agt_5fxn…tv91', 'ATT-M754…KVZQ', '4b70b95b…0e24', 'ffffffff…ffff', '1284109'],
  );
});
