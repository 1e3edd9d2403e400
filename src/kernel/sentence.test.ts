import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSentence } from './sentence.ts';

for (const [text, sentence] of [
  ['the chain does not respond', 'The chain does not respond.'],
  ['Already a sentence.', 'Already a sentence.'],
  ['why', 'Why.'],
  ['is it open?', 'Is it open?'],
  ['p_success is not declared', 'p_success is not declared.'],
  ['0x12 is not an address', '0x12 is not an address.'],
] as const) {
  test(`a fragment becomes a sentence: ${text}`, () => assert.equal(asSentence(text), sentence));
}
