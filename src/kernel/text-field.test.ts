import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { z } from 'zod';
import { cleanText } from './foreign-text.ts';
import { decode } from './query-decoder.ts';
import { cleanedText } from './text-field.ts';

const Name = cleanedText({ min: 2, max: 5, description: 'A name' });

/** The cleaned text, or the codes of what is wrong with it. */
function read(given: unknown): unknown {
  const outcome = decode(z.strictObject({ name: Name }), { name: given });
  return outcome.ok ? (outcome.input as { name: string }).name : outcome.errors.map(({ code }) => code);
}

test('text is cleaned on the way in', () => {
  assert.equal(read(' a\u0000\u202e \tb '), 'a b');
  assert.equal(read('\ufb01x'), 'fix');
});

test('the limits count code points after cleaning, not what was sent', () => {
  assert.deepEqual(read('a'), ['too_short']);
  assert.equal(read('ab'), 'ab');
  assert.equal(read('abcde'), 'abcde');
  assert.deepEqual(read('abcdef'), ['too_long']);
  assert.deepEqual(read('a\u200b\u200b'), ['too_short'], 'unseen characters do not count');
  assert.equal(read(`abcde${' '.repeat(100)}`), 'abcde', 'nor does what cleaning takes away');
  assert.equal(read('\u{1f600}'.repeat(5)), '\u{1f600}'.repeat(5), 'an emoji is one character');
  assert.deepEqual(read('\u{1f600}'.repeat(6)), ['too_long']);
  assert.deepEqual(read('\ufdfa'), ['too_long'], 'one character that stands for eighteen');
});

test('a text of more than 4,096 characters is refused before it is cleaned', () => {
  assert.equal(read(`ab${' '.repeat(4_094)}`), 'ab');
  assert.deepEqual(read(`ab${' '.repeat(4_095)}`), ['too_long']);
});

test('a field that takes nothing takes the empty text, and no other type', () => {
  const Note = cleanedText({ min: 0, max: 3, description: 'A note' });
  assert.equal(Note.parse(''), '');
  assert.equal(Note.parse(' \n'), '');
  for (const given of [null, 1, ['a'], {}, undefined]) assert.equal(Note.safeParse(given).success, false);
});

test('the documents show its limits and its description', () => {
  const schema = z.toJSONSchema(Name, { io: 'input' });
  const { type, minLength, maxLength, description } = schema;
  assert.deepEqual(
    { type, minLength, maxLength, description },
    { type: 'string', minLength: 2, maxLength: 5, description: 'A name' },
  );
});

test('property: what is accepted is clean, has the right length, and is accepted again as it is', () => {
  const unit = fc.constantFrom('a', ' ', '\u0301', '\u200b', '\u0000', '\u{1f600}', '\ufdfa', '\ud800', 'é');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (given) => {
      const text = read(given);
      const length = Array.from(cleanText(given)).length;
      assert.equal(typeof text === 'string', length >= 2 && length <= 5);
      if (typeof text !== 'string') return;
      assert.equal(text, cleanText(given));
      assert.equal(read(text), text);
    }),
    { numRuns: 500 },
  );
});
