import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ProtocolError } from './protocol-error.ts';

const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  3,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  3n,
  -1n,
  2n ** 63n,
  '',
  'x',
  '3',
  [],
  [3],
  [undefined],
  {},
  { length: 32 },
  new Uint8Array(3),
  new ArrayBuffer(32),
  new Uint16Array(32),
  Symbol.iterator,
  () => 3,
];

const ACCEPTS = {
  nothing: () => false,
  bytes: (value: unknown) => value instanceof Uint8Array,
  text: (value: unknown) => typeof value === 'string',
  /** What a parser reads; that it is malformed is another matter. */
  input: () => false,
  number: (value: unknown) => value === 3,
  integer: (value: unknown) => value === 3 || value === 3n,
  list: (value: unknown) => Array.isArray(value) && value.length === 0,
  optionalBytes: (value: unknown) => value === undefined || value === null || value instanceof Uint8Array,
} as const;

/** Every value that is not of the kind must be refused: by false, or by an error that is no accident of the inside. */
export function refusesWrongTypes(kind: keyof typeof ACCEPTS, call: (value: never) => unknown): void {
  for (const value of VALUES) {
    if (ACCEPTS[kind](value)) continue;
    let answer: unknown;
    try {
      answer = call(value as never);
    } catch (error) {
      assert.ok(error instanceof ProtocolError || error instanceof TypeError, `${inspect(value)}: ${String(error)}`);
      continue;
    }
    assert.equal(answer, false, `${inspect(value)} was taken by ${call.toString()}`);
  }
}

/** A copy with one bit changed. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}
