import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { runs } from '#properties';
import { parseExactJson, valuesIn } from './exact-json.ts';

const faultsOf = (text: string) => parseExactJson(text).faults.map(({ pointer, code }) => `${pointer} ${code}`);

test('every member that is given twice is named with its path', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['{"a":1,"a":2}', ['#/a repeated']],
    ['{"a":1,"a":2,"a":3}', ['#/a repeated', '#/a repeated']],
    ['{"a":{"b":[0,{"c":1,"c":1}]}}', ['#/a/b/1/c repeated']],
    ['{"a":1,"\\u0061":2}', ['#/a repeated']],
    ['{"\\"":1,"\\u0022":2}', ['#/%22 repeated']],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":{"a":{"a":1}}}', []],
    ['{"a":"\\\\","b":"{\\"a\\":1,\\"a\\":2}"}', []],
    ['{"a/b~":1,"a/b~":2}', ['#/a~1b~0 repeated']],
    ['{"":1,"":2}', ['#/ repeated']],
    ['{"__proto__":1}', ['#/__proto__ forbidden_name']],
    ['"a"', []],
    [' [ ] ', []],
  ];
  for (const [text, faults] of table) assert.deepEqual(faultsOf(text), faults, text);
});

test('an object of many members is looked at whole, and no more than twenty faults are named', () => {
  const members = Array.from({ length: 500 }, (_, n) => `"m${n}":${n}`);
  assert.deepEqual(faultsOf(`{${members.join()}}`), []);
  assert.deepEqual(faultsOf(`{${members.join()},"m499":0}`), ['#/m499 repeated']);
  assert.equal(faultsOf(`{${members.join()},${members.join()}}`).length, 20);
});

test('a member given twice far inside is named by the first steps to it, and in few words', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}{"b":1,"b":2}${'}'.repeat(levels)}`;
  assert.deepEqual(faultsOf(deep(15)), [`#${'/a'.repeat(15)}/b repeated`]);
  for (const levels of [16, 17, 1_000]) assert.deepEqual(faultsOf(deep(levels)), [`#${'/a'.repeat(16)} repeated`]);
  const twice = Array.from({ length: 101 }, () => '"b":1').join();
  const faults = faultsOf(`${'{"a":'.repeat(50_000)}{${twice}}${'}'.repeat(50_000)}`);
  assert.deepEqual([faults.length, faults.join().length < 2_000], [20, true]);
});

test('what JSON.parse refuses is refused, however deep or odd', () => {
  for (const text of ['', '{', '{"a":1,}', '{"a" 1}', '"\\x"', '[1,]', 'NaN', '{"a":1}{"a":1}']) {
    assert.throws(() => parseExactJson(text), SyntaxError, text);
  }
  const deep = 50_000;
  assert.deepEqual(faultsOf(`${'['.repeat(deep)}${']'.repeat(deep)}`), []);
});

test('any value is read as JSON.parse reads it, and no text that was written from a value has a fault', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { value, faults } = parseExactJson(text);
      assert.deepEqual(value, JSON.parse(text));
      assert.deepEqual(
        faults.filter(({ code }) => code === 'repeated'),
        [],
      );
    }),
    { numRuns: runs(1_000) },
  );
});

test('a member repeated anywhere in any value is found', () => {
  const tree = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), tie('object'), fc.array(tie('value'))),
    object: fc.dictionary(fc.string(), tie('value')),
  })).object;
  fc.assert(
    fc.property(tree, fc.string(), (object, name) => {
      const written = JSON.stringify(name);
      const inside = JSON.stringify(object).slice(1, -1);
      const others = inside === '' ? '' : `${inside},`;
      const isThere = Object.hasOwn(object, name);
      const text = `{"outer":[{${others}${written}:1${isThere ? '' : `,${written}:2`}}]}`;
      assert.ok(
        faultsOf(text).some((fault) => fault.endsWith('repeated')),
        text,
      );
    }),
    { numRuns: runs(1_000) },
  );
});

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 1);
}

test('members and items are counted over all depths, an empty object or list for one more, and no further than asked', () => {
  const count = (text: string, most = 1_000) => valuesIn(Buffer.from(text), most);
  assert.equal(count('{"a,[{":"\\"[,{","b":[1,2,{"c":"\\\\"}]}'), 7);
  assert.equal(count(`[${'[],'.repeat(50_000)}0]`, 20), 21);
  for (const text of ['', '"', '"\\', '{"a', '[[[']) assert.ok(count(text) <= 4, text);
  fc.assert(
    fc.property(fc.json(), (text) => {
      const empty = text.match(/\[\]|\{\}/g)?.length ?? 0;
      const [found, real] = [count(text, 1e6), valuesOf(JSON.parse(text))];
      assert.ok(found >= real && found <= real + empty, `${found} of ${real} in ${text}`);
    }),
    { numRuns: runs(200) },
  );
});
