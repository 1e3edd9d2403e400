import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { hasUnreadLetters } from './unread-letters.ts';

const READ = [
  'Jane Sample',
  'O’Brien & Søns, 44',
  'Щербаков Ђорђевић',
  'Ξενοφών',
  'محمد العبدالله',
  'נועה כהן',
  '王小明',
  '김철수',
  'タナカ はなこ',
  'สมชาย',
  'Աննա',
  'ნინო',
  'Zalgo\u0301\u0302',
  'राजेश भट्ट',
  'অমিত ঘোষ',
  'ਗੁਰਪ੍ਰੀਤ',
  'સંજય',
  'උපුල්',
  'ተስፋዬ',
  'အောင်',
  'ګل ښکلی',
  '٤٤',
  'Jane 🅂🄰🄼🄿🄻🄴',
  'Jane 🅢🅐🅜🅟🅛🅔',
  'Jane 🆂🅰🅼🅿🅻🅴',
];
const UNREAD = {
  'a script that has no Latin forms here': 'ឈ្មោះ គំរូ',
  'one word of several': 'Jane ឈ្មោះ',
  'a rare Chinese character': '王鬱',
  'a script that is read too roughly': 'முருகன்',
  'a letter that is not known in a script that is read': 'राॺ',
  'signs without a letter': '★ ★',
  'nothing at all': ' ',
};

for (const name of READ) {
  test(`${name} is read in full`, () => assert.equal(hasUnreadLetters(name), false));
}
for (const [what, name] of Object.entries(UNREAD)) {
  test(`${what} is unread: ${name}`, () => assert.equal(hasUnreadLetters(name), true));
}

test('a name of ASCII letters is read, whatever signs are between them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
      fc.constantFrom('a', 'Z', '7'),
      (text, letter) => {
        assert.equal(hasUnreadLetters(text + letter), false);
      },
    ),
  );
});
