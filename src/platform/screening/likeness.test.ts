import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { editCost } from './edit-cost.ts';
import { type NameWord, parseNames, tokenOf } from './parsed-name.ts';
import { consonantKey, consonantKeys } from './sound-keys.ts';
import { likenessOf } from './token-similarity.ts';

const WORD = fc.string({
  unit: fc.constantFrom(...'a b d e h i k l m n o r s t u y z'.split(' ')),
  minLength: 1,
  maxLength: 12,
});
const tokensOf = (name: string): readonly NameWord[] => parseNames(name)[0]?.tokens ?? [];
const latin = (text: string): NameWord => tokenOf(text, 'latin', text);

suite('consonants of a script without vowels', () => {
  const SAME: Readonly<Record<string, string>> = {
    محمد: 'Muhammad Mohammed Mohamad',
    أحمد: 'Ahmad Ahmed',
    خالد: 'Khalid Khaled',
    إبراهيم: 'Ibrahim Ebrahim',
    حسين: 'Husayn Hussein Hossein',
    قاسم: 'Qasim Kassem',
    شريف: 'Sharif Cherif',
    فاطمة: 'Fatima Fatimah',
    طارق: 'Tariq Tarek',
    جعفر: 'Jaafar Djafar',
    غالب: 'Ghalib Galeb',
    پرویز: 'Parviz',
    عثمان: 'Osman Othman',
  };
  for (const [written, spellings] of Object.entries(SAME)) {
    for (const spelling of spellings.split(' ')) {
      test(`${written} is found by the consonants of ${spelling}, and sounds like it`, () => {
        const [a] = tokensOf(written) as [NameWord];
        const [b] = tokensOf(spelling) as [NameWord];
        assert.ok(a.consonants.includes(consonantKey(b.text)), `${a.consonants.join()} and ${consonantKey(b.text)}`);
        assert.ok((likenessOf(a, b)?.similarity ?? 0) >= 0.75);
      });
    }
  }

  test('a letter with two sounds gives a key for each', () => {
    assert.deepEqual(consonantKeys('ثم', 'thm', 'arabic'), ['tm', 'sm']);
  });

  test('Abd and the name after it are one word, however they are written', () => {
    const forms = [
      'Abdul Rahman',
      'Abd al-Rahman',
      'Abdulrahman',
      'Abdurrahman',
      'Abdel Rahman',
      'عبد الرحمن',
      'عبدالرحمن',
    ];
    const tokens = forms.map((form) => tokensOf(form));
    for (const [at, one] of tokens.entries()) {
      assert.equal(one.length, 1, String(forms[at]));
      assert.ok(
        (likenessOf(one[0] as NameWord, tokens[0]?.[0] as NameWord)?.similarity ?? 0) >= 0.9,
        String(forms[at]),
      );
    }
  });
});

suite('likeness of words', () => {
  test('it does not depend on which word is asked first', () => {
    fc.assert(
      fc.property(WORD, WORD, (a, b) =>
        assert.deepEqual(likenessOf(latin(a), latin(b)), likenessOf(latin(b), latin(a))),
      ),
    );
  });

  test('a word is wholly like itself, and no likeness is outside of 0 to 1', () => {
    fc.assert(
      fc.property(WORD, WORD, (a, b) => {
        assert.equal(likenessOf(latin(a), latin(a))?.similarity, 1);
        const { similarity } = likenessOf(latin(a), latin(b)) ?? { similarity: 0 };
        assert.ok(similarity >= 0 && similarity <= 1);
      }),
    );
  });

  test('different numbers are never alike, and a number is its word', () => {
    const [unit, number] = tokensOf('Unit 61398') as [NameWord, NameWord];
    assert.equal(unit.kind, 'word');
    assert.equal(likenessOf(number, parseNames('x 61389')[0]?.tokens[1] as NameWord), undefined);
    assert.equal(parseNames('Brigade Forty-Four')[0]?.tokens[1]?.text, '44');
  });

  test('the cost of an edit is symmetric and ends at the limit', () => {
    fc.assert(fc.property(WORD, WORD, (a, b) => assert.equal(editCost(a, b, 3), editCost(b, a, 3))));
    assert.equal(editCost('lavrov', 'lavrv', 1), 1);
    assert.equal(editCost('abcdef', 'uvwxyz', 2), Number.POSITIVE_INFINITY);
    assert.ok(editCost('ahmed', 'amhed', 1) < 1, 'two letters swapped are one slip');
  });
});
