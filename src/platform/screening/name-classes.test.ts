import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PAIR_THRESHOLD, SCREEN_THRESHOLD } from './name-score.ts';
import { matchPair } from './pair-score.ts';

type Pairs = readonly (readonly [string, string])[];

/** Invented names, a few of each class of spelling. */
const SAME: Readonly<Record<string, Pairs>> = {
  'a name and Allah are one name, written apart or together': [
    ['Rafi Ullah Wardaki', 'Rafiullah Wardaki'],
    ['رفيع الله ورداکی', 'Rafiullah Wardaki'],
    ['Nasr Allah Fakhouri', 'Nasrallah Fakhouri'],
  ],
  'a name and al-Din are one name, written apart or together': [
    ['Badr al-Din Lumari', 'Badruddin Lumari'],
    ['Badreddine Lumari', 'Badr ud-Din Lumari'],
    ['بدر الدين لوماري', 'Badreddine Lumari'],
  ],
  'Abu is a word of its own, written apart or together': [
    ['Abutalib Zarnudi', 'Abu Talib Zarnudi'],
    ['أبوطالب الزرنودي', 'Abu Talib al-Zarnudi'],
  ],
  'Arabic words of organisations are translated or transliterated': [
    ['شبكة زرنود', 'Zarnud Network'],
    ['مؤسسة البرق للتجارة', 'Al Barq Trading Establishment'],
    ['كتيبة الزرنود', 'Katibat al-Zarnud'],
  ],
  'Wade and Giles write Chinese in other letters': [
    ["Ch'en Kuo-liang", 'Chen Guoliang'],
    ['Hsu Tse-min', 'Xu Zemin'],
  ],
  'Korean names have southern, northern and English spellings': [
    ['Paek Song-chol', 'Baek Seong-cheol'],
    ['Lee Young-soo', 'Ri Yong Su'],
    ['백성철', 'Paek Song Chol'],
  ],
  'Japanese names are read in older letters and in characters': [
    ['Sigeru Huzita', 'Shigeru Fujita'],
    ['藤田 茂', 'Fujita Shigeru'],
  ],
  'a digit that a machine read inside a word is a letter': [
    ['Vym1s1ov 8orisov', 'Vymislov Borisov'],
    ['Zephyri0n Marb1e Tr4ding', 'Zephyrion Marble Trading'],
    ['L3onid V0rst', 'Leonid Vorst'],
  ],
  'short forms and other languages have the same given name': [
    ['Kolya Vymyslov', 'Nikolai Vymyslov'],
    ['Nacho Lumarez', 'Ignacio Lumarez'],
    ['Hristos Mpelakis', 'Christos Belakis'],
  ],
  "a woman's family name is that of the family": [
    ['Oksana Vymyslov', 'Oksana Vymyslova'],
    ['Agnieszka Lumarski', 'Agnieszka Lumarska'],
  ],
  'what stands before a number says only that one follows': [
    ['Lumarian Survey Nr 12', 'Lumarian Survey No. 12'],
    ['Lumarian Survey Number 12', 'Lumarian Survey 12'],
  ],
  'a name and its own initials in one are the name': [
    ['Lumarian Oil Loading Terminal (LOLT)', 'Lumarian Oil Loading Terminal'],
  ],
};

const DIFFERENT: Readonly<Record<string, Pairs>> = {
  'two known given names are two, however alike they are': [
    ['Orhan Vymyslov', 'Erhan Vymyslov'],
    ['Ahmad Lumari', 'Hamad Lumari'],
    ['عمر الزرنودي', 'Ammar al-Zarnudi'],
  ],
  'an ending makes another family name': [
    ['Peter Lumar', 'Peter Lumarson'],
    ['Bohdan Vorst', 'Bohdan Vorstenko'],
    ['Omar Zarnud', 'Omar Zarnudi'],
  ],
  'an ending makes the name of a woman': [
    ['Jamil Zarnudi', 'Jamila Zarnudi'],
    ['Michael Vorst', 'Michaela Vorst'],
  ],
  'an initial of another word is of another name': [
    ['L. K. Vymyslov', 'Leonid Naumovich Vymyslov'],
    ['Hans O. Lumar', 'Hans Joachim Lumar'],
  ],
  'one syllable makes another name': [
    ['Shen Yan', 'Chen Yan'],
    ['김철수', '김철호'],
    ['Bae Soo-jin', 'Bae Soo-min'],
  ],
  'characters that only sound alike are other names': [['林诗明', '林时明']],
  'another number is another entity': [
    ['Lumarian Survey No. 22', 'Lumarian Survey No. 29'],
    ['Eighth Lumarian Survey', 'Eighteenth Lumarian Survey'],
  ],
};

for (const [what, pairs] of Object.entries(SAME)) {
  suite(what, () => {
    for (const [left, right] of pairs)
      test(`${left} is taken for ${right}`, () => {
        const { score, words } = matchPair(left, right);
        assert.ok(score >= PAIR_THRESHOLD, String(score));
        assert.ok(words.length > 0, 'and it is said why');
      });
  });
}

for (const [what, pairs] of Object.entries(DIFFERENT)) {
  suite(what, () => {
    for (const [left, right] of pairs)
      test(`${left} is not taken for ${right}`, () => {
        const { score } = matchPair(left, right);
        assert.ok(score < PAIR_THRESHOLD, String(score));
      });
  });
}

suite('words that stand for two things', () => {
  test('a title at the end of a name is the name, and at the start it is a title', () => {
    assert.ok(matchPair('Joseph King', 'Joseph').score < PAIR_THRESHOLD);
    assert.ok(matchPair('King Joseph Lumar', 'Joseph Lumar').score >= SCREEN_THRESHOLD);
  });

  test('Ben at the start of a name is Benjamin, and between names it is a particle', () => {
    assert.ok(matchPair('Ben Vymyslov', 'Benjamin Vymyslov').score >= SCREEN_THRESHOLD);
    assert.ok(matchPair('Karim Ben Zarnud', 'Karim Zarnud').score >= SCREEN_THRESHOLD);
  });

  test('a word that is alike beyond a slip of the pen is no hit beside a common name alone', () => {
    assert.ok(matchPair('Ahmad Sebti', 'Ahmad Sabet').score < SCREEN_THRESHOLD);
    assert.ok(matchPair('Vladlmxr Nikolayevich Vymyslov', 'Vladimir Nikolaevich Vymyslov').score >= SCREEN_THRESHOLD);
  });
});
