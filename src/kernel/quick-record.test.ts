import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { quickRecord } from './quick-record.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const make = () => z.record(z.string().max(3), z.union([z.string(), z.array(z.string())]));
const plain = make();
const quick = quickRecord(make(), (name, value) => {
  return name.length <= 3 && (isText(value) || (Array.isArray(value) && value.every(isText)));
});
const within = (record: z.ZodType) => z.strictObject({ of: record.optional().meta({ description: 'Any.' }) });

const given: readonly unknown[] = [
  {},
  { a: 'x', abc: ['y', 'z'], b: [] },
  { abcd: 'x' },
  { a: 1 },
  { a: ['x', 1], b: null, abcd: 'x' },
  JSON.parse('{"__proto__":"x","a":"y"}'),
  Object.assign(Object.create(null) as object, { a: 'x' }),
  [],
  ['x'],
  'x',
  null,
  undefined,
  new Map(),
];

for (const value of given) {
  test(`${JSON.stringify(value)} is judged as without the short way`, () => {
    assert.deepEqual(quick.safeParse(value), plain.safeParse(value));
    assert.deepEqual(within(quick).safeParse({ of: value }), within(plain).safeParse({ of: value }));
  });
}

test('good members are not copied, and the record is described as without the short way', () => {
  const value = { a: 'x' };
  assert.equal(quick.parse(value), value);
  assert.deepEqual(z.toJSONSchema(quick), z.toJSONSchema(plain));
});
