import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Board } from '#areas/crossing/board/board-page.ts';
import { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';
import { expectForms } from '../../support/documents.ts';
import { EventReader } from '../../support/sse.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('board');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

for (const engine of ENGINES) {
  suite(`board on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    const clock = new ManualClock();
    let service: TestService;
    // Of its own: the board shows every key.
    before(async () => {
      service = await TestService.start({ engine, clock });
    });
    after(() => service[Symbol.asyncDispose]());

    test('a stream tells of every change of any key', async () => {
      await using reader = await EventReader.open(`${service.url}/board`, { accept: 'text/event-stream' });
      assert.equal(reader.response.headers['content-type'], 'text/event-stream');
      for (const key of ['one', 'two']) {
        const { json } = await service.call(`/v1/claim?key=${key}&agent=ab`);
        const event = await reader.next();
        assert.deepEqual([event?.event, event?.data], ['change', { rev: json['rev'] }]);
        const proof = new URLSearchParams({ lease: String(json['lease']), token: String(json['token']) });
        const { json: released } = await service.call(`/v1/release?${proof}`);
        assert.deepEqual((await reader.next())?.data, { rev: released['rev'] });
      }
    });

    test('keys that are held come first, then those with marks, with light, holders and brief; what ended is gone', async () => {
      const read = async () => Board.parse(statuses.saw(await service.call('/board')).json);
      assert.deepEqual((await read()).keys, []);
      await service.call('/v1/mark?key=marked&agent=ab&kind=failed&note=no+way');
      await service.call('/v1/claim?key=held&agent=ab&mode=exclusive&intent=mine');
      const brief = await service.call('/v1/brief', { method: 'POST', body: { goal: 'g', key: 'held', slots: 3 } });
      const { keys, complete } = await read();
      assert.deepEqual(
        keys.map((row) => [row.key, row.signal, row.holders.length, row.marks.length, row.brief?.brief]),
        [
          ['held', 'RED', 1, 0, brief.json['brief']],
          ['marked', 'GREEN', 0, 1, undefined],
        ],
      );
      assert.equal(complete, true);
      for (const [part, shown] of [
        ['held', ['held']],
        ['marks', ['marked']],
        ['all', ['held', 'marked']],
      ] as const) {
        const { keys: some } = Board.parse(statuses.saw(await service.call(`/board?show=${part}`)).json);
        assert.deepEqual(
          some.map(({ key }) => key),
          shown,
        );
      }
      await expectForms(service, '/board', /no way/);
      clock.advance(3_700_000);
      assert.deepEqual(
        (await read()).keys.map(({ key }) => key),
        ['marked'],
      );
    });
  });
}

test('no more than sixty keys are shown, and the board then says that there are more', async () => {
  const { service, clock } = await sharedServiceOn('sqlite');
  for (let n = 0; n < 61; n += 1) await service.call(`/v1/claim?key=board+${n}&agent=ab`);
  // What was read a second ago is shown again.
  clock.advance(1_001);
  const { keys, complete } = Board.parse((await service.call('/board')).json);
  assert.deepEqual([keys.length, complete], [60, false]);
});

test('bad parameters are refused and reads are limited', async () => {
  const service = await sharedService();
  for (const query of ['key=x', 'show=none']) {
    expectProblem(statuses.saw(await service.call(`/board?${query}`)), 400, 'invalid_parameters');
  }
  await expectLimited(statuses, (limited) => limited.call('/board'));
});
