// What a refused field says: what was expected, never only that it is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '#kernel/query-decoder.ts';
import { OPERATIONS } from '../../src/areas.ts';

const JUNK = [true, null, {}, [], [true], { a: 1 }, 'not so', '-1', -1, 1e99, ''];

test('no field of any operation is refused with the bare words that it is invalid', () => {
  const bare = new Set<string>();
  for (const { operationId, input } of OPERATIONS) {
    for (const name of Object.keys(input.shape)) {
      for (const value of JUNK) {
        const read = decode(input, { [name]: value });
        for (const { pointer, detail } of read.ok ? [] : read.errors) {
          if (/^Invalid(?: input)?$|^Invalid input/.test(detail)) bare.add(`${operationId} ${pointer}: ${detail}`);
        }
      }
    }
  }
  assert.deepEqual([...bare], []);
});

const STATUS_TEXT = [
  ['amh_mandate', 'valid_until', 'tomorrow', /2026-12-15T10:00:00Z/],
  ['bom_calculate', 'quantity', {}, /number/],
  ['amh_seal', 'evidence', 7, /text|object/],
] as const;

test('a moment, a quantity and evidence say what they take', () => {
  for (const [operationId, field, value, says] of STATUS_TEXT) {
    const row = OPERATIONS.find((one) => one.operationId === operationId);
    const read = decode(row?.input ?? assert.fail(operationId), { [field]: value });
    const fault = read.ok ? undefined : read.errors.find(({ pointer }) => pointer === `#/${field}`);
    assert.match(fault?.detail ?? '', says, operationId);
  }
});
