import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { anyText } from './_fixture.ts';
import { keptNames, keptTag, keptText } from './redact.ts';

test('names of parameters are kept as they are', () => {
  assert.deepEqual(keptNames(['key', 'amount_usd', 'a.b-c', 'X1']), ['key', 'amount_usd', 'a.b-c', 'X1']);
  assert.deepEqual(keptNames([]), []);
});

test('a name that is empty, longer than 40 characters or has other characters is hidden', () => {
  const names = ['', 'a'.repeat(40), 'a'.repeat(41), 'jan@example.org', 'a b', 'a"b', 'naam=Jan', 'é', 'a\n'];
  assert.deepEqual(keptNames(names), ['?', 'a'.repeat(40), '?', '?', '?', '?', '?', '?', '?']);
});

test('names beyond the 32nd are one question mark', () => {
  const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
  assert.deepEqual(keptNames(names), [...names.slice(0, 32), '?']);
  assert.deepEqual(keptNames(names.slice(0, 32)), names.slice(0, 32));
});

test('whatever is sent, at most 33 short names of the allowed characters are kept', () => {
  fc.assert(
    fc.property(fc.array(anyText(60), { maxLength: 50 }), (names) => {
      const kept = keptNames(names);
      assert.ok(kept.length <= 33);
      for (const name of kept) assert.match(name, /^(?:[A-Za-z0-9_.-]{1,40}|\?)$/);
    }),
  );
});

test('a network address in place of its tag is hidden', () => {
  assert.equal(keptTag('0123456789abcdef'), '0123456789abcdef');
  assert.equal(keptTag('0123456789abcdef'.repeat(4)), '0123456789abcdef');
  for (const other of ['192.0.2.17', '2001:db8::17', '', '0123456789ABCDEF', '0123456789abcde']) {
    assert.equal(keptTag(other), '?');
  }
});

test('a text is kept up to 128 characters', () => {
  assert.equal(keptText('x'.repeat(128)), 'x'.repeat(128));
  assert.equal(keptText('x'.repeat(129)), 'x'.repeat(128));
});
