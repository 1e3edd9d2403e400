import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from '#properties';
import { VersionedMap } from './versioned-map.ts';

const HUNG_MS = 60_000;
const KEYS = ['a', 'b', 'c', 'd', 'e'];

test('a new version has the change and the old one does not', () => {
  const one = { n: 1 };
  const two = { n: 2 };
  const first = VersionedMap.of([['a', one]]);
  const second = first.with('a', two).with('b', one);
  const third = second.without('a');
  assert.deepEqual([first.get('a'), first.get('b')], [one, undefined]);
  assert.deepEqual([second.get('a'), second.get('b')], [two, one]);
  assert.deepEqual([third.get('a'), third.get('b')], [undefined, one]);
});

test('changing an older version again starts a line of its own, and both lines stay as they are', () => {
  const start = VersionedMap.of([['a', { n: 0 }]]);
  const one = start.with('a', { n: 1 }).with('b', { n: 1 });
  const other = start.with('a', { n: 2 });
  assert.deepEqual([start.get('a'), one.get('a'), other.get('a')], [{ n: 0 }, { n: 1 }, { n: 2 }]);
  assert.deepEqual([one.get('b'), other.get('b')], [{ n: 1 }, undefined]);
  assert.deepEqual([...other.changesSince(start).keys()], ['a'], 'what was left behind is not among the changes');
  assert.deepEqual(one.changesSince(start).get('a'), { n: 0 });
});

test('the changes since a version of another map are an error, and there are none since itself', () => {
  const first = VersionedMap.of<string, object>();
  const second = first.with('a', {});
  assert.throws(() => second.changesSince(VersionedMap.of()), /not a version/);
  assert.deepEqual(second.changesSince(second), new Map());
});

test('a map keeps no hold on the entries that it was made of', () => {
  const entries = new Map([['a', { n: 1 }]]);
  const map = VersionedMap.of(entries);
  entries.clear();
  assert.deepEqual(map.get('a'), { n: 1 });
});

interface Step {
  readonly key: string;
  readonly value: { readonly n: number } | undefined;
  /** How many versions back the change is made. */
  readonly back: number;
}
const back = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });
const value = fc.option(
  fc.nat(3).map((n) => ({ n })),
  { nil: undefined },
);
const steps = (from: fc.Arbitrary<number>) =>
  fc.array(fc.record<Step>({ key: fc.constantFrom(...KEYS), value, back: from }), { maxLength: 40 });
const start = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.nat(3).map((n) => ({ n })),
);

/** The version after each step, beside a plain copy of what it should hold. */
function play(entries: Record<string, { n: number }>, changes: readonly Step[]) {
  const history = [{ version: VersionedMap.of(Object.entries(entries)), copy: new Map(Object.entries(entries)) }];
  for (const step of changes) {
    const { version, copy } = history.at(-1 - (step.back % history.length)) as (typeof history)[number];
    const next = new Map(copy);
    if (step.value === undefined) next.delete(step.key);
    else next.set(step.key, step.value);
    const changed = step.value === undefined ? version.without(step.key) : version.with(step.key, step.value);
    history.push({ version: changed, copy: next });
  }
  return history;
}

test('property: every version, of any line, reads like the copy of a plain map that was taken at its time', () => {
  fc.assert(
    fc.property(start, steps(back), (entries, changes) => {
      for (const { version, copy } of play(entries, changes)) {
        for (const key of KEYS) assert.equal(version.get(key), copy.get(key));
      }
    }),
  );
});

test('property: the changes between any two versions name every key that differs, with the value before', () => {
  fc.assert(
    fc.property(start, steps(back), fc.nat(), fc.nat(), (entries, changes, a, b) => {
      const history = play(entries, changes);
      const [before, after] = [history[a % history.length], history[b % history.length]] as [
        (typeof history)[number],
        (typeof history)[number],
      ];
      const found = after.version.changesSince(before.version);
      for (const [key, valueBefore] of found) assert.equal(valueBefore, before.copy.get(key));
      for (const key of KEYS) if (before.copy.get(key) !== after.copy.get(key)) assert.ok(found.has(key));
    }),
  );
});

test('property: the changes between two versions of one line name exactly the keys that were touched', () => {
  fc.assert(
    fc.property(start, steps(fc.constant(0)), fc.nat(), fc.nat(), (entries, changes, a, b) => {
      const history = play(entries, changes);
      const [from = 0, to = 0] = [a % history.length, b % history.length].toSorted((x, y) => x - y);
      const [before, after] = [history[from], history[to]] as [(typeof history)[number], (typeof history)[number]];
      const found = after.version.changesSince(before.version);
      assert.deepEqual(new Set(found.keys()), new Set(changes.slice(from, to).map(({ key }) => key)));
      for (const [key, valueBefore] of found) assert.equal(valueBefore, before.copy.get(key));
    }),
  );
});

test('reading the end of a chain does not walk along it', { timeout: HUNG_MS }, async ({ signal }) => {
  let version = VersionedMap.of(Array.from({ length: 1_000 }, (_, key) => [key, { n: key }] as const));
  for (let n = 0; n < 200_000; n += 1) version = version.with(1_000, { n });
  // Two million reads take a moment; two hundred thousand steps for each of them would take the better part of an hour.
  for (let piece = 0; piece < 2_000; piece += 1) {
    for (let key = 0; key < 1_000; key += 1) if (version.get(key) === undefined) assert.fail(`no ${key}`);
    await setImmediate(undefined, { signal });
  }
});
