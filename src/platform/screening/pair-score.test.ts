import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { anyCharacter } from '#properties';
import { PAIR_THRESHOLD } from './name-score.ts';
import { matchPair } from './pair-score.ts';

const SAME: readonly (readonly [string, string])[] = [
  ['Exemplar Aktiengesellschaft', 'Exemplar AG'],
  ['OOO Vymysel', 'Vymysel Limited Liability Company'],
  ['Общество с ограниченной ответственностью "Вымысел"', 'Vymysel LLC'],
  ['Zandvoort Testbedrijf B.V.', 'Zandvoort Testbedrijf'],
  ['Testbedrijf Besloten Vennootschap', 'TESTBEDRIJF BV'],
  ['AntonVymyslov', 'Anton Vymyslov'],
  ['Вымыслов Антон Борисович', 'Anton Vymyslov'],
  ['Wymyslow Anton', 'Anton Vymyslov'],
  ['A. Vymyslov', 'Anton Vymyslov'],
  ['Brigade 44', 'Brigade Forty-Four'],
  ['Lumaria Int’l Bank', 'Lumaria International Bank'],
  ['Vymyslov, Anton', 'Anton Vymyslov'],
  ['Dr. Anton Vymyslov', 'Anton Vymyslov'],
  ['Anton Vymyslov a.k.a. The Baker', 'Anton Vymyslov'],
  ['Pak Chol-su', '박철수'],
  ['Wang Xiaoming', '王小明'],
  ['MV Silver Heron', 'Silver Heron'],
  ['Muhammad Yusuf al-Mukhtarani', 'Mohamed Youssef El Mukhtarani'],
];
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['Unit 61398', 'Unit 61486'],
  ['EMMA LLC', 'Emma Daniels'],
  ['BELLETECH CORP', '11420 CORP'],
  ['George Bush', 'George Habbash'],
  ['Anton Petrov', 'Anton Vymyslov'],
  ['Management Company', 'Lumaria Management Company'],
  ['Abu Ali', 'Abu Ali al-Mukhtarani'],
  ['Anton', 'Anton Vymyslov'],
  ['Hassan Dahir Farah', 'Hassan Dahir Lumar'],
  ['Bank of Estonia', 'Bank of Ethiopia'],
];

suite('pairs', () => {
  for (const [left, right] of SAME) {
    test(`${left} is taken for ${right}`, () =>
      assert.ok(matchPair(left, right).score >= PAIR_THRESHOLD, String(matchPair(left, right).score)));
  }
  for (const [left, right] of DIFFERENT) {
    test(`${left} is not taken for ${right}`, () =>
      assert.ok(matchPair(left, right).score < PAIR_THRESHOLD, String(matchPair(left, right).score)));
  }
});

const NAME_WORD = fc.constantFrom(
  'anton',
  'vymyslov',
  'lumar',
  'zephyr',
  'heron',
  'trading',
  'al',
  'bin',
  'khalid',
  'mukhtarani',
  'brenda',
  'cosmic',
);
const NAME = fc.uniqueArray(NAME_WORD, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));

suite('what holds for all pairs', () => {
  test('a name is wholly itself in any order, in any case and with any legal form', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(NAME_WORD, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('', ' LLC', ' GmbH', ', Inc.'),
        (words, form) => {
          const name = words.join(' ');
          assert.equal(matchPair(words.toReversed().join(' ').toUpperCase() + form, name).score, 1);
        },
      ),
    );
  });

  test('two names without a like word do not match, whatever the words', () => {
    fc.assert(fc.property(NAME, (name) => assert.ok(matchPair(name, 'qqxw jjgg').score < PAIR_THRESHOLD)));
  });

  test('any text gives a score from 0 to 1 with four decimals, the same each time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 50 }),
        fc.string({ unit: 'grapheme', maxLength: 50 }),
        (left, right) => {
          const match = matchPair(left, right);
          assert.ok(match.score >= 0 && match.score <= 1);
          assert.equal(match.score, Math.round(match.score * 10_000) / 10_000);
          assert.equal(JSON.stringify(matchPair(left, right)), JSON.stringify(match));
        },
      ),
    );
  });

  test('every word of both names is either matched or named as unmatched', () => {
    fc.assert(
      fc.property(NAME, NAME, (left, right) => {
        const { words, unmatchedQuery } = matchPair(left, right);
        if (words.length === 0 && unmatchedQuery.length === 0) return;
        const all = [...words.flatMap(({ query }) => query.split(' ')), ...unmatchedQuery];
        assert.deepEqual(all.sort(), left.split(' ').sort());
      }),
    );
  });

  test('hostile names are answered: long runs, marks, mixed scripts', () => {
    for (const name of [
      'a'.repeat(5_000),
      'ab '.repeat(2_000),
      'e\u0301'.repeat(500),
      '김'.repeat(300),
      'ا'.repeat(300),
    ]) {
      assert.ok(matchPair(name, 'Anton Vymyslov').score < PAIR_THRESHOLD);
    }
  });
});
