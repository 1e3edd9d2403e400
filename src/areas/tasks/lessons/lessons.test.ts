import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openStore } from '../../../../test/support/engines.ts';
import { ENGINES, hasPostgres } from '../../../../test/support/databases.ts';
import { consolidate } from './digest.ts';
import { areAlike, lessonTerms } from './terms.ts';
import { lessonUnit } from './unit.ts';

test('a lesson is found by its rarer words', () => {
  assert.deepEqual(lessonTerms('Claim the PARSER repository before you claim it with the parser'), [
    'repository',
    'parser',
    'claim',
  ]);
  assert.deepEqual(lessonTerms('it is so'), []);
  assert.equal(lessonTerms(Array.from({ length: 100 }, (_, n) => `word${n}`).join(' ')).length, 24);
});

test('two lessons are alike by half of their words, on the same key by a third', () => {
  assert.deepEqual(
    [areAlike(2, [3, 3], false), areAlike(2, [4, 3], false), areAlike(2, [4, 3], true), areAlike(0, [0, 0], true)],
    [true, false, true, false],
  );
});

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`the digest of lessons on ${engine}`, { skip }, () => {
    test('holds what several left, is sealed once, and again when there is more to say', async () => {
      await using opened = await openStore(engine);
      const { store } = opened;
      let count = 0;
      const leave = (text: string) => {
        count += 1;
        const lesson = {
          id: `les_${count}`,
          who: `name:a${count}`,
          text,
          addressTag: `addr${count}`,
          key: null,
          about: {},
        };
        return store.run(lessonUnit, lesson);
      };
      const digest = () => consolidate(store, true);
      const stored = () => store.read('SELECT body, attestation_id FROM lesson_digest ORDER BY at, sha256');
      assert.equal(await digest(), null);
      await leave('the register answers slowly on mondays');
      await leave('claim the parser repository first');
      assert.equal(await digest(), null, 'nobody said it twice');
      await leave('claim parser repository first');
      const id = await digest();
      assert.match(String(id), /^ATT-/);
      assert.equal(await digest(), null, 'nothing is new');
      const [kept] = await stored();
      const [theme, ...more] = (JSON.parse(String(kept?.['body'])) as { themes: Record<string, unknown>[] }).themes;
      assert.deepEqual(
        [more, theme?.['theme'], theme?.['count'], theme?.['source'], theme?.['untrusted_examples']],
        [[], 'les_2', 2, 'agent', ['claim the parser repository first', 'claim parser repository first']],
      );
      await Promise.all([leave('first claim parser repository'), leave('parser repository claim first')]);
      assert.notEqual(await digest(), null);
      assert.equal((await stored()).length, 2);
    });
  });
}
