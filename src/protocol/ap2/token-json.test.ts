import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameValue, jsonOfPart } from './token-json.ts';

const read = (text: string) => jsonOfPart(Buffer.from(text).toString('base64url'), 'the part');

test('a value is the same however its numbers are written, also after it was stored', () => {
  const rows: readonly [string, string, boolean][] = [
    ['0.5', '0.50', true],
    ['0.5', '5e-1', true],
    ['0.0000001', '1E-07', true],
    ['100', '1e+2', true],
    ['5', '5.0', true],
    ['0', '-0', true],
    ['-0.5', '0.5', false],
    ['0.5', '0.6', false],
    ['0.5', '"0.5"', false],
    ['9007199254740993', '9007199254740992.0', false],
    ['1e400', '1e401', false],
    ['{"a":[0.5,{"b":null}],"c":"\\ud800"}', '{"c":"\\ud800","a":[0.50,{"b":null}]}', true],
    ['{"a":0.5}', '{"a":0.5,"b":1}', false],
    ['{"a":0.5,"b":1}', '{"a":0.5,"c":1}', false],
    ['[0.5]', '[0.5,0.5]', false],
    ['{"digits":"ten"}', '0', false],
  ];
  for (const [kept, given, isSame] of rows) {
    for (const value of [read(kept), JSON.parse(JSON.stringify(read(kept))) as unknown])
      assert.equal(isSameValue(value, read(given)), isSame, `${kept} and ${given}`);
  }
});
