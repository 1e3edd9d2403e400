import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handedOver, readForHandover, readJsonBody } from './json-body.ts';

const list = (length: number) => JSON.stringify({ list: Array.from({ length }, (_, n) => ({ [`é${n}`]: n })) });

for (const [what, body, isText] of [
  ['of few values', list(10), false],
  ['of many values', list(2_000), true],
  ['of too many values', list(20_000), false],
  ['with a name that is given twice', `{"a":${list(2_000)},"a":1}`, false],
  ['that is no JSON', `${list(2_000)}}`, false],
  ['that is no UTF-8', Buffer.concat([Buffer.from(list(2_000)), Buffer.from([0xff])]), false],
] as const) {
  test(`a body ${what} says the same in the thread that reads it and in the one it is handed to`, () => {
    const bytes = Buffer.from(body);
    const read = readForHandover(bytes);
    assert.equal('text' in read, isText);
    assert.deepEqual(handedOver(structuredClone(read)), readJsonBody(bytes));
  });
}
