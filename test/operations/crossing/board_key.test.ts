import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Light } from '#areas/crossing/look-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';
import { expectForms, expectLimit } from '../../support/page-operations.ts';

const statuses = new PromisedStatuses('board_key');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a key has a page whatever it is made of, and opening it is no look', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_CROSSING_READ: '1/min,14' } });
  const read = async (rest: string) => statuses.saw(await service.call(`/board/${rest}`));
  const long = `https://e.example/${'é'.repeat(60)}`;
  for (const [key, shown] of [
    ['acme/repo#12', 'https://github.com/acme/repo/issues/12'],
    ['https://e.example/a?b=c&d=e', 'https://e.example/a?b=c&d=e'],
    ['notes.md', 'notes.md'],
    ['100% <b>', '100% <b>'],
    [long, undefined],
  ] as const) {
    const answer = await read(encodeURIComponent(key));
    const light = Light.parse(answer.json);
    if (shown !== undefined) assert.equal(light.key, shown);
    assert.equal(light.others.looking, 0);
  }
  assert.equal(Light.parse((await read('a/b/c')).json).key, 'a/b/c');
  await service.call('/v1/claim?key=held&agent=ab&mode=exclusive');
  await expectForms(service, '/board/held', /held_exclusive/);
  expectProblem(await read(''), 400, 'invalid_parameters');
  expectProblem(await read('x'.repeat(513)), 400, 'invalid_parameters');
  await expectLimit(statuses, () => read('held'));
});
