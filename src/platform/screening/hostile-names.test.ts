import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runs } from '#properties';
import { COMMON, crowdedList, crowdedName, HOSTILE, PARTICLES } from './_hostile-names.ts';
import { matchNames, SCREEN_THRESHOLD } from './name-score.ts';
import { parseNames } from './parsed-name.ts';
import { Dice } from './quality/common-names.ts';
import { type ScreeningList, screeningList } from './screening-list.ts';

/** As many names as the EU list has. */
const LISTED_NAMES = 21_001;
/** A comparison takes some 0.01 to 0.1 ms: so many leave a screening far below 5 ms. */
const FEW = 100;

function comparisonsOf(list: ScreeningList, name: string): number {
  const before = list.comparisons;
  list.screen(name);
  return list.comparisons - before;
}

suite('names that are made to be expensive', () => {
  const crowded = screeningList(crowdedList(LISTED_NAMES, 5));
  for (const [what, name] of Object.entries(HOSTILE)) {
    test(`${what}: few names of a long list are compared`, () => {
      const count = comparisonsOf(crowded, name);
      assert.ok(count <= FEW, `${count} comparisons`);
    });
  }

  test('random words that half the list has: few names are compared', () => {
    const dice = new Dice(77);
    for (let turn = 0; turn < runs(60); turn += 1) {
      const name = crowdedName(dice);
      const count = comparisonsOf(crowded, name);
      assert.ok(count <= FEW, `${count} comparisons of ${name}`);
    }
  });

  test('a name that is said again costs no comparison more', () => {
    assert.equal(comparisonsOf(crowded, 'ali khan aka ali khan aka ali khan'), comparisonsOf(crowded, 'ali khan'));
  });

  test('nothing is lost that a comparison with every name finds', () => {
    const listed = crowdedList(400, 9);
    const list = screeningList(listed);
    const names = listed.entities.flatMap(({ id, names: own }) =>
      own.flatMap(({ name }) => parseNames(name).map((parsed) => ({ id, name, parsed }))),
    );
    const dice = new Dice(41);
    for (let turn = 0; turn < runs(60); turn += 1) {
      const own = dice.of(names).name.split(' ');
      for (let more = dice.below(6); more > 0; more -= 1)
        own.splice(
          dice.below(own.length + 1),
          0,
          dice.of([dice.of(own), dice.of(PARTICLES), dice.of(COMMON), 'a', 'm']),
        );
      const query = own.join(' ');
      const queries = parseNames(query);
      const hits = new Set(list.screen(query).map(({ entity }) => entity.id));
      for (const { id, parsed } of names) {
        const isExpected = queries.some((one) => matchNames(one, parsed).score >= SCREEN_THRESHOLD);
        if (isExpected) assert.ok(hits.has(id), `${query} loses ${id}`);
      }
    }
  });

  test('where more names fit than are compared, those that nobody looked at are shown as hits', () => {
    const count = 2_500;
    const entities = crowdedList(count, 3).entities.map((entity, at) => ({
      ...entity,
      names: [{ name: at % 2 === 0 ? 'Ali Hassan Khan' : 'Ali Hassan', isWeak: false }],
    }));
    const list = screeningList({ generationDate: null, entities });
    const found = list.screen('Ali Hasan Khan');
    assert.ok(list.comparisons <= 1_000, `${list.comparisons} comparisons`);
    const ids = new Set(found.map(({ entity }) => entity.id));
    for (let at = 0; at < count; at += 2) assert.ok(ids.has(`id${at}`), `id${at} is called clean`);
  });
});
