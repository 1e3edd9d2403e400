import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Light } from '#areas/crossing/look/look-operations.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectForms } from '../../support/documents.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('board_key');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a key has a page whatever it is made of, and opening it is no look', async () => {
  const service = await sharedService();
  const read = async (rest: string) => statuses.saw(await service.call(`/board/${rest}`));
  const long = `https://e.example/${'é'.repeat(60)}`;
  for (const [key, shown] of [
    ['acme/paged#12', 'https://github.com/acme/paged/issues/12'],
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
  await service.call('/v1/claim?key=held+page&agent=ab&mode=exclusive');
  await expectForms(service, '/board/held%20page', /held_exclusive/);
  expectProblem(await read(''), 400, 'invalid_parameters');
  expectProblem(await read('x'.repeat(513)), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/board/x'));
});
