import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { suite, test } from 'node:test';
import fc, { anyCharacter, runs } from '#properties';
import { fictionalList } from '../../../test/evals/sanctions-names.ts';
import type { ListedEntity, SanctionsList } from './fsf-list.ts';
import { matchNames, SCREEN_THRESHOLD } from './name-score.ts';
import { parseNames } from './parsed-name.ts';
import { matchPair } from './pair-score.ts';
import { loadList, screen, ScreeningList, screeningList } from './screening-list.ts';
import { Dice } from './quality/common-names.ts';
import { mangled } from './quality/name-changes.ts';

const fixture = await loadList(createReadStream(new URL('../../../test/vectors/fsf-fictional.xml', import.meta.url)));
assert.ok(fixture instanceof ScreeningList);
const found = (name: string) => screen(fixture, name).map(({ entity }) => entity.id);

const invented = fictionalList(300, 17);
const list = screeningList(invented);

function listOf(...names: string[]): SanctionsList {
  const entities = names.map(
    (name, at): ListedEntity => ({
      id: `id${at}`,
      subjectType: null,
      programme: null,
      country: null,
      names: [{ name, isWeak: false }],
    }),
  );
  return { generationDate: null, entities };
}

suite('screening a name', () => {
  test('a listed name is found with score 1 in any order and case, and says why', () => {
    const [hit] = screen(fixture, 'vymyslov, ANTON BORISOVICH');
    assert.deepEqual([hit?.entity.id, hit?.listedName, hit?.score], ['EU.80001.11', 'Anton Borisovich VYMYSLOV', 1]);
    assert.deepEqual(
      hit?.words.map(({ how }) => how),
      ['equal', 'equal', 'equal'],
    );
  });

  test('names are found across scripts, numbers in words, and without the legal form', () => {
    assert.deepEqual(found('خالد المختاراني'), ['EU.80003.33']);
    assert.deepEqual(found('Anton Wymyslow'), ['EU.80001.11']);
    assert.deepEqual(found('brigade 44'), ['EU.80004.44']);
    assert.deepEqual(found('Zephyrion Marble Trading'), ['80002']);
  });

  test('another number, one word of many, and a stranger find nothing', () => {
    for (const name of ['Unit 61486 of the Lumarian Guard', 'Anton', 'GmbH & Co. KG', 'Jane Nobody', '', '...'])
      assert.deepEqual(found(name), [], name);
  });

  test('a word for an alias that stands between no two names is part of a name', () => {
    const aliased = screeningList(listOf('AKA', 'Formerly', 'DBA GmbH', 'AKA Harvest', 'Anton Vymyslov'));
    const foundIn = (name: string) => screen(aliased, name).map(({ entity }) => entity.id);
    assert.deepEqual(foundIn('AKA'), ['id0']);
    assert.deepEqual(foundIn('formerly'), ['id1']);
    assert.deepEqual(foundIn('DBA Ltd'), ['id2']);
    assert.deepEqual(foundIn('AKA Harvest'), ['id3']);
    assert.deepEqual(foundIn('AKA a.k.a. Anton Vymyslov'), ['id0', 'id4']);
    assert.deepEqual(foundIn('Jane Nobody AKA Anton Vymyslov'), ['id4']);
    assert.deepEqual(foundIn('a.k.a. Anton Vymyslov'), ['id4']);
  });

  test('a weak alias is shown as weak unless it fits almost wholly and has two words', () => {
    assert.deepEqual(found('Tony Vymy'), ['EU.80001.11']);
    assert.deepEqual(
      found('Tony Vymi'),
      ['EU.80001.11'].filter(() => matchPair('Tony Vymi', 'Tony Vymy').score >= 0.95),
    );
    const [weak] = fixture.screen('Shadow Badgr');
    assert.deepEqual([weak?.entity.id, weak?.isWeak], ['EU.80001.11', true]);
    assert.deepEqual(found('Shadow Badgr'), []);
  });

  test('a name that holds two names is screened by both', () => {
    assert.deepEqual(found('Jane Nobody also known as Anton Borisovich Vymyslov'), ['EU.80001.11']);
  });
});

suite('what holds for every list', () => {
  test('every strong name finds its own entity with score 1', () => {
    for (const entity of invented.entities) {
      for (const { name, isWeak } of entity.names) {
        if (isWeak) continue;
        const own = screen(list, name).find((hit) => hit.entity.id === entity.id);
        assert.equal(own?.score, 1, name);
      }
    }
  });

  test('the index loses nothing that a comparison with every name finds', () => {
    const dice = new Dice(23);
    const names = invented.entities.flatMap(({ id, names: own }) =>
      own.filter(({ isWeak }) => !isWeak).flatMap(({ name }) => parseNames(name).map((parsed) => ({ id, parsed }))),
    );
    for (let turn = 0; turn < runs(60); turn += 1) {
      const { text } = mangled(dice.of(dice.of(invented.entities).names).name, dice);
      const twice = dice.chance(0.3) ? mangled(text, dice).text : text;
      const queries = parseNames(twice);
      const expected = names
        .filter(({ parsed }) => queries.some((query) => matchNames(query, parsed).score >= SCREEN_THRESHOLD))
        .map(({ id }) => id);
      const hits = new Set(screen(list, twice).map(({ entity }) => entity.id));
      for (const id of expected) assert.ok(hits.has(id), `${twice} loses ${id}`);
    }
  });

  test('the same name gives the same bytes, whatever was asked before and however the list is ordered', () => {
    const turned = screeningList({ ...invented, entities: invented.entities.toReversed() });
    const dice = new Dice(31);
    const names = Array.from(
      { length: runs(60) },
      () => mangled(dice.of(dice.of(invented.entities).names).name, dice).text,
    );
    const bytes = (source: ScreeningList, name: string) => JSON.stringify(source.screen(name));
    const first = names.map((name) => bytes(list, name));
    const again = names
      .toReversed()
      .map((name) => bytes(turned, name))
      .toReversed();
    assert.deepEqual(again, first);
  });

  test('another entity or alias on the list takes no hit away and changes no score', () => {
    const WORD = fc.constantFrom('anton', 'vymyslov', 'lumar', 'zephyr', 'heron', 'trading', 'khalid');
    const NAME = fc.array(WORD, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(NAME, NAME, NAME, (query, listed, other) => {
        const hitsOf = (source: SanctionsList) =>
          screen(screeningList(source), query).map(({ entity, score }) => [entity.id, score] as const);
        const alone = hitsOf(listOf(listed));
        const both = new Map(hitsOf(listOf(listed, other)));
        for (const [id, score] of alone) assert.equal(both.get(id), score);
      }),
      { numRuns: runs(60) },
    );
  });

  test('no text makes screening fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (name) => void list.screen(name)),
      { numRuns: runs(200) },
    );
    for (const name of ['a'.repeat(5_000), 'anton '.repeat(500), '\u202e\u200d'.repeat(200), '한'.repeat(200)])
      list.screen(name);
  });
});
