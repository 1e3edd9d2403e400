import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fictionalList } from '../../../../test/evals/sanctions-names.ts';
import { Dice } from './common-names.ts';
import { INNOCENT_SETS, innocentNames, LISTED_SETS, listedQueries, measureQuality } from './quality.ts';

const OPTIONS = { seed: 7, queries: 60 };
const list = fictionalList(120, 3);
const listOf = (...names: readonly { name: string; isWeak: boolean }[]) => ({
  generationDate: null,
  entities: [{ id: 'EU.1.1', subjectType: null, programme: null, country: null, names }],
});

test('the same list and seed give the same figures, another list or seed others', () => {
  const figures = measureQuality(list, OPTIONS);
  assert.deepEqual(measureQuality(structuredClone(list), OPTIONS), figures);
  assert.notDeepEqual(measureQuality(list, { ...OPTIONS, seed: 8 }), figures);
  assert.notDeepEqual(measureQuality(fictionalList(120, 4), OPTIONS), figures);
});

test('every set is measured, and no query counts twice', () => {
  const { recall, falseHits } = measureQuality(list, OPTIONS);
  assert.deepEqual(
    recall.map(({ set }) => set),
    Object.keys(LISTED_SETS),
  );
  assert.deepEqual(
    falseHits.map(({ set }) => set),
    Object.keys(INNOCENT_SETS),
  );
  for (const changed of Object.values(LISTED_SETS)) {
    const queries = listedQueries(list.entities, changed, new Dice(1), 500).map(({ text, id }) => `${id} ${text}`);
    assert.equal(new Set(queries).size, queries.length);
  }
  for (const make of Object.values(INNOCENT_SETS)) {
    const names = innocentNames(make, new Dice(1), 500);
    assert.equal(new Set(names).size, names.length);
  }
});

test('a list without a name for a set has no recall there instead of a perfect or a bad one', () => {
  const { recall } = measureQuality(listOf({ name: 'Organização Exemplo', isWeak: false }), OPTIONS);
  const [, cyrillic, arabic] = recall;
  assert.deepEqual(
    [cyrillic, arabic],
    ['cyrillic', 'arabic'].map((set) => ({ set, entities: 0, queries: 0, recall: null })),
  );
});

test('weak aliases and single words are no queries: they are not meant to be found', () => {
  const { recall } = measureQuality(
    listOf({ name: 'Tony Vymy', isWeak: true }, { name: 'Vymyslov', isWeak: false }),
    OPTIONS,
  );
  assert.ok(recall.every(({ queries }) => queries === 0));
});

test('a common name that is listed is counted as a false hit', () => {
  const names = innocentNames(INNOCENT_SETS['greek'] as (dice: Dice) => string, new Dice(1), 200);
  const listed = listOf({ name: names[0] ?? '', isWeak: false });
  const { falseHits } = measureQuality(listed, { seed: 1, queries: 200 });
  assert.ok(falseHits.some(({ set, falseHits: value }) => set === 'greek' && value > 0));
});
