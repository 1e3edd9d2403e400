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
