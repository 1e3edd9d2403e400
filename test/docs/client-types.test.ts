// The printed types of the client against the rows that they are printed from. The compiler compares them: a shape that
// no row accepts or gives makes this file an error of types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import type { Inputs, Outputs } from '../../client/types.ts';
import { type AreaRow, OPERATIONS } from '../../src/areas.ts';
import { ROUTES } from '../../client/table.ts';

type Row<Id> = Extract<AreaRow, { readonly operationId: Id }>;
/** Lists of the rows can be written to, those of the client cannot. */
type Mutable<T> = T extends (...args: never) => unknown
  ? T
  : T extends readonly unknown[] | object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
type Within<Published, Given> = [Mutable<Published>] extends [Mutable<Given>] ? true : false;

type InputOutside = {
  [Id in keyof Inputs]: Within<Inputs[Id], z.input<Row<Id>['input']>> extends true ? never : Id;
}[keyof Inputs];
/** The rows call them strings, since JSON Schema has no type for bytes. */
type BinaryId = 'log_tile' | 'attest_receipt' | 'log_consistency' | 'scitt_keys' | 'scitt_key' | 'attest_stream';
type JsonOutputs = Omit<Outputs, BinaryId>;
type OutputOutside = {
  [Id in keyof JsonOutputs]: Within<JsonOutputs[Id], z.output<Row<Id>['output']>> extends true ? never : Id;
}[keyof JsonOutputs];

/** The compiler names here each operation whose printed type is outside its row. */
const INPUTS_OUTSIDE: [InputOutside] extends [never] ? 'none' : InputOutside = 'none';
const OUTPUTS_OUTSIDE: [OutputOutside] extends [never] ? 'none' : OutputOutside = 'none';

test('the client has a type in both directions for every operation, and none outside its row', () => {
  assert.deepEqual([INPUTS_OUTSIDE, OUTPUTS_OUTSIDE], ['none', 'none']);
  const ids: readonly (keyof Inputs & keyof Outputs)[] = Object.keys(ROUTES) as (keyof Inputs)[];
  assert.deepEqual(
    ids,
    OPERATIONS.map(({ operationId }) => operationId),
  );
});
