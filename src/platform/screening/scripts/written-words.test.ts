import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { SCREEN_THRESHOLD } from '../name-score.ts';
import { matchPair } from '../pair-score.ts';
import { hasUnreadLetters } from '../unread-letters.ts';

interface Pair {
  readonly class: string;
  readonly query: string;
  readonly listed: string;
  readonly same: boolean;
}

const SET = new URL('../../../../test/evals/development/names-scripts.json', import.meta.url);
const { pairs } = JSON.parse(readFileSync(SET, 'utf8')) as { pairs: readonly Pair[] };
const isFound = ({ query, listed }: Pair) => matchPair(query, listed).score >= SCREEN_THRESHOLD;
const LEAST_FOUND = 0.9;

suite('scripts that are read word by word', () => {
  for (const [script, own = []] of Map.groupBy(pairs, ({ class: name }) => name)) {
    const same = own.filter((pair) => pair.same);
    const found = same.filter(isFound).length / same.length;

    test(`${script}: a name is called read only where nine of ten are found by their Latin spelling`, () => {
      const isRead = same.map(({ query }) => !hasUnreadLetters(query));
      assert.equal(new Set(isRead).size, 1);
      assert.ok(found >= LEAST_FOUND || isRead[0] === false, `${found}`);
    });

    test(`${script}: the spelling of another name does not match`, () => {
      assert.deepEqual(
        own.filter((pair) => !pair.same && isFound(pair)),
        [],
      );
    });
  }

  test('seven scripts are called read', () => {
    const read = new Set(pairs.filter(({ query }) => !hasUnreadLetters(query)).map(({ class: name }) => name));
    assert.deepEqual([...read].toSorted(), [
      'bengali',
      'burmese',
      'devanagari',
      'ethiopic',
      'gujarati',
      'gurmukhi',
      'sinhala',
    ]);
  });
});
