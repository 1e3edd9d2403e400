import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter, runs } from '#properties';
import { assertCleansPlanes } from './_code-points.ts';
import { regExpWork } from './_regexp-work.ts';
import { cleanKeyText, cleanText } from './foreign-text.ts';

const CASES: readonly (readonly [what: string, given: string, cleaned: string])[] = [
  ['plain text stays', 'fix the parser', 'fix the parser'],
  ['nothing stays nothing', '', ''],
  ['white space of any kind is one space', ' a \t\r\n\u00a0\u2003\u3000\u0085\u2028 b ', 'a b'],
  ['only white space is nothing', ' \n\u00a0 ', ''],
  ['control characters', 'a\u0000b\u0007c\u001bd\u007fe\u009ff', 'abcdef'],
  ['zero-width characters', 'a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg', 'abcdefg'],
  ['bidi characters', 'a\u202eb\u2066c\u2069d\u200fe\u061cf', 'abcdef'],
  ['tag characters that spell unseen words', `ok\u{e0068}\u{e0069}\u{e007f}`, 'ok'],
  ['variation selectors that carry unseen bytes', 'a\ufe0f\u{e0101}b', 'ab'],
  ['fillers that look like nothing', 'a\u3164\u115f\uffa0b', 'ab'],
  ['interlinear marks', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['lone surrogates', 'a\ud83db\ude00c', 'abc'],
  ['halves of a pair with something unseen between', 'a\ud83d\u200b\ude00b', 'ab'],
  ['noncharacters', 'a\ufffe\uffff\ufdd0\u{1ffff}b', 'ab'],
  ['a pair of surrogates is a character', 'a\u{1f600}b', 'a\u{1f600}b'],
  ['a letter meets its accent', 'e\u200b\u0301', '\u00e9'],
  ['letters of other scripts stay', 'Ünïcode 漢字 עברית \u0601', 'Ünïcode 漢字 עברית \u0601'],
];

for (const [what, given, cleaned] of CASES) {
  test(`cleaning: ${what}`, () => {
    assert.equal(cleanText(given), cleaned);
    assert.equal(cleanKeyText(given), cleaned);
  });
}

test('text is folded to NFKC, a key only to NFC', () => {
  assert.equal(cleanText('\ufb01x \uff21\u00b2'), 'fix A2');
  assert.equal(cleanKeyText('\ufb01x \uff21\u00b2'), '\ufb01x \uff21\u00b2');
});

test('a letter keeps at most 30 marks', () => {
  assert.equal(cleanText(`x${'\u0302'.repeat(40)}y`), `x${'\u0302'.repeat(30)}y`);
  assert.equal(
    cleanText(`x${'\u0344'.repeat(30)}`),
    cleanText(cleanText(`x${'\u0344'.repeat(30)}`)),
    'each is two marks',
  );
});

suite('the work of cleaning grows with the text, not with its square', () => {
  const pairs: Readonly<Record<string, string>> = {
    'two accents': '\u0301\u0323',
    'a sound mark and an accent': '\uff9e\u0301',
    'a vowel sign and an accent': '\u0e33\u0323',
    'two kinds of space': ' \u00a0',
    'a letter and its accent': 'a\u0301',
  };
  for (const [what, pair] of Object.entries(pairs)) {
    const text = pair.repeat(1_000);

    test(`${what} a thousand times are not searched again and again`, () => {
      const { characters, excessive } = regExpWork(() => cleanText(text), 100);
      assert.deepEqual(excessive, []);
      assert.ok(characters <= 10 * text.length, `${characters} characters`);
    });

    // Sorting a run of marks takes normalising the square of its length.
    test(`${what} a thousand times are normalised in short runs of marks`, (t) => {
      const normalize = t.mock.method(String.prototype, 'normalize');
      cleanText(text);
      assert.ok(normalize.mock.callCount() > 0);
      for (const call of normalize.mock.calls) assert.doesNotMatch(String(call.this), /[\p{M}\uff9e\uff9f]{31}/u);
    });
  }
});

const MARKS = fc
  .array(fc.constantFrom('\u0301', '\u0344', '\u0323', '\uff9e', '\u0e33', '\u200b', '\u09be'), {
    minLength: 25,
    maxLength: 70,
  })
  .map((marks) => `\u09c7${marks.join('')}e`);
const HOSTILE = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', ' ', '\u0301', '\u0308', '\u200b', '\u0000', '\u00a8', '\u00a0', '\ud83d', '\ude00', '\u1100'),
    fc.constantFrom('\u1161', '\uffa0', '\u202e', '\n', '\u0323', '\u1e9b', '\ufdfa', '\u0345', '\u{1d15f}'),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
    fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
    MARKS,
  ),
});

for (const clean of [cleanText, cleanKeyText]) {
  test(`${clean.name} twice is ${clean.name} once`, () => {
    fc.assert(
      fc.property(HOSTILE, (text) => assert.equal(clean(clean(text)), clean(text))),
      { numRuns: runs(1000) },
    );
  });

  test(`${clean.name} leaves nothing unseen, no lone surrogate and no double space`, () => {
    const property = fc.property(HOSTILE, (text) => {
      const cleaned = clean(text);
      assert.ok(cleaned.isWellFormed());
      assert.doesNotMatch(cleaned, /\p{Cc}|\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}| {2}|^ | $/u);
    });
    fc.assert(property, { numRuns: runs(1000) });
  });

  test(`${clean.name} holds for every code point of the planes that have characters, and of one private one`, () => {
    assertCleansPlanes(clean, [0, 1, 2, 3, 14, 16]);
  });
}
