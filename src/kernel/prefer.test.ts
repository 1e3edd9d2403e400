import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { prefersMinimal } from './prefer.ts';

/** Headers as RFC 7240 reads them. */
const CASES: readonly [header: string | undefined, isMinimal: boolean, why: string][] = [
  [undefined, false, 'no header'],
  ['', false, 'an empty one'],
  ['return=minimal', true, 'the preference alone'],
  ['return=representation', false, 'the other form'],
  ['RETURN=minimal', true, 'names in any case'],
  ['return=Minimal', false, 'values in their own case'],
  ['return="minimal"', true, 'a quoted value'],
  [String.raw`return="min\imal"`, true, 'a quoted pair'],
  ['return \t=  minimal', true, 'blanks around the equals sign'],
  ['  return=minimal  ', true, 'blanks around it'],
  ['return=minimal; foo; bar="x, y"', true, 'parameters'],
  ['return=minimal;', true, 'an empty parameter'],
  ['respond-async, wait=100, return=minimal', true, 'after others'],
  [',, return=minimal,,', true, 'empty elements'],
  ['foo="a, return=minimal"', false, 'inside a quoted value'],
  [String.raw`foo="\", return=minimal"`, false, 'behind a quoted quote'],
  ['foo; return=minimal', false, 'as a parameter of another preference'],
  ['return', false, 'no value'],
  ['return=""', false, 'an empty value'],
  ['return=other', false, 'an unknown value'],
  ['returns=minimal', false, 'another name'],
  ['return=minimal, return=minimal', true, 'twice the same'],
  ['return=other, return=minimal', false, 'the first of two counts'],
  ['return=minimal, return=other', true, 'the first of two counts'],
  ['return=minimal, return=representation', false, 'both forms: neither'],
  ['return=representation, return=minimal', false, 'both forms: neither'],
  ['return=minimal foo', false, 'malformed: two words'],
  ['return=minimal, foo="', false, 'malformed: a quote left open'],
  ['return=minimal, =x', false, 'malformed: no name'],
  ['return=', false, 'malformed: no word after the equals sign'],
  ['return=minimal, foo=a/b', false, 'malformed: a slash in a token'],
  ['return==minimal', false, 'malformed: two equals signs'],
  ['return=(minimal)', false, 'malformed: no token'],
  ['return=minimal; =', false, 'malformed: a parameter without a name'],
];

test('the minimal form is preferred where RFC 7240 says so, and a malformed header is ignored', () => {
  for (const [header, isMinimal, why] of CASES) assert.equal(prefersMinimal(header), isMinimal, `${why}: ${header}`);
});

test('whatever stands beside it in the list, well-formed preferences leave it as it is', () => {
  const other = fc.stringMatching(/^[a-q]{1,8}(="[^"\\]{0,8}")?( ?; ?[a-z]{1,4}(=[a-z]{1,4})?){0,3}$/);
  fc.assert(
    fc.property(fc.array(other), fc.array(other), (before, after) => {
      assert.ok(prefersMinimal([...before, 'return=minimal', ...after].join(', ')));
    }),
  );
});

const LONG_PARTS = [' ', 'a', ';', '; ', ',', ', ', '=', ' =', '"', String.raw`\"`, 'a ; b ', 'a;\t', 'a = "" , '];

test('a long header that ends in an open quote is ignored, whatever it repeats', () => {
  for (const start of ['', 'a', 'a;', 'a=', 'a=b', 'a;b=c', 'return=minimal, ']) {
    for (const part of LONG_PARTS) {
      const header = `${start}${part.repeat(16_000 / part.length)}`;
      // Whichever of the two leaves a quote open.
      assert.ok(!prefersMinimal(`${header}"`) || !prefersMinimal(header), header.slice(0, 20));
    }
  }
});
