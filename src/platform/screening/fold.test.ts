import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { foldWords } from './fold.ts';

const folded = (name: string) =>
  foldWords(name)
    .map(({ text }) => text)
    .join(' ');

const VECTORS: Readonly<Record<string, string>> = {
  Щербаков: 'shcherbakov',
  Хрущёв: 'khrushchev',
  Ђорђевић: 'djordjevic',
  Ξενοφών: 'xenofon',
  Straße: 'strasse',
  Łukasz: 'lukasz',
  'O’Brien': 'obrien',
  'J.P. Morgan': 'jp morgan',
  'AT&T': 'at and t',
  김철수: 'gim cheol su',
  王小明: 'wang xiao ming',
  Øystein: 'oystein',
  'S.A.R.L.': 'sarl',
  'Ｆｕｌｌ　Ｗｉｄｔｈ': 'full width',
  Юлія: 'yuliya',
  タナカ: 'tanaka',
  'राजेश चन्द्र भट्ट': 'rajesh chandra bhatt',
  'ज्ञान फ़ाल्गुनी': 'gyan falguni',
  'আনোয়ার হোসেন': 'anwar hosen',
  'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ': 'gurprit singh',
  'સંજય ગાંધી': 'sanjay gandhi',
  'උපුල් තරංග': 'upul tharanga',
  'மணிகண்டன் பெருமாள்': 'manigandan perumal',
  'గోపాల కృష్ణ': 'gopala krishna',
  'ተስፋዬ ግርማ': 'tesfaye girma',
  အောင်မြင့်: 'aung myint',
  ဝဏ္ဏလှိုင်: 'wan na hlaing',
  'ګل ښکلی': 'gl shkly',
  'Ɗan Ƙasa': 'dan kasa',
  '٤٤ ۷ ९ ๕': '44 7 9 5',
  '🅞🅢🅐🅜🅐 🅻🅰🅳🅴🅽': 'osama laden',
  'Osama 🄻🄰🄳🄴🄽': 'osama laden',
  'zero\u200bwidth \u202ebidi': 'zerowidth bidi',
  'Zalgo\u0301\u0302\u0303': 'zalgo',
  'pаypаl with Cyrillic letters': 'paypal with cyrillic letters',
};

for (const [name, expected] of Object.entries(VECTORS)) {
  test(`${JSON.stringify(name)} folds to ${expected}`, () => assert.equal(folded(name), expected));
}

test('no text makes folding fail, and folding folded words changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (name) => {
      const once = folded(name);
      assert.equal(folded(once), once);
    }),
    { numRuns: 500 },
  );
});

test('the ten digits of every script are 0 to 9', () => {
  const isDigit = (one: string) => /\p{Nd}/u.test(one);
  const digits = Array.from({ length: 0x20_000 }, (_, code) => String.fromCodePoint(code)).filter(isDigit);
  const values = digits.map(folded);
  assert.ok(values.length > 500);
  assert.deepEqual(
    values,
    values.map((_, at) => String(at % 10)),
  );
});
