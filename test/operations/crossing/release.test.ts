import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ReleaseAnswer } from '#areas/crossing/operations.ts';
import type { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { expectLimited } from '../../support/refusals.ts';
import { lockDatabase, type TestService } from '../../support/service.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('release');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const TOKEN = 'a-secret-that-the-caller-made-itself';
const OTHER = 'another-secret-of-somebody-else-here';

async function claimed(service: TestService, key = 'released'): Promise<string> {
  const { json } = await service.call(`/v1/claim?key=${key}&agent=a7&mode=exclusive&ttl=30&token=${TOKEN}`);
  return String(json['lease']);
}

for (const engine of ENGINES) {
  suite(`release on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    let service: TestService;
    let clock: ManualClock;
    before(async () => {
      ({ service, clock } = await sharedServiceOn(engine));
    });
    const release = async (lease: string, more = '', token = TOKEN) =>
      statuses.saw(await service.call(`/v1/release?lease=${lease}&token=${token}${more}`));
    const claim = (key: string, agent: string, more = '') =>
      service.call(`/v1/claim?key=${key}&agent=${agent}&mode=exclusive${more}`);

    test('a release ends the lease, frees the key at once, and is harmless when repeated', async () => {
      const lease = await claimed(service);
      const first = ReleaseAnswer.parse((await release(lease)).json);
      assert.deepEqual(
        [first.released, first.again, first.key, first.outcome, first.mark_log],
        [true, false, 'released', null, null],
      );
      const [entry] = await service.service.store.read('SELECT type FROM entries WHERE seq = $1', [first.log]);
      assert.equal(entry?.['type'], 'release');
      clock.advance(1_000);
      const second = ReleaseAnswer.parse((await release(lease)).json);
      assert.deepEqual(second, { ...first, again: true });
      assert.equal((await claim('released', 'b2')).status, 200);
    });

    test('an outcome leaves a mark of full weight, in the log behind the release, once', async () => {
      const lease = await claimed(service, 'marked');
      const said = '&outcome=done&note=merged&evidence=https://e.example/1';
      const first = ReleaseAnswer.parse((await release(lease, said)).json);
      assert.deepEqual([first.outcome, first.mark_log], ['done', Number(first.log) + 1]);
      assert.deepEqual((await release(lease, said)).json, { ...first, again: true });
      const { store } = service.service;
      const marks = await store.read('SELECT seq, rev, agent, note, leased FROM mark WHERE key = $1', ['marked']);
      assert.deepEqual(
        marks.map((row) => ({ ...row })),
        [{ seq: first.mark_log, rev: first.rev + 1, agent: 'a7', note: 'merged', leased: 1 }],
      );
      const events = await store.read('SELECT type FROM event WHERE key = $1 ORDER BY rev', ['marked']);
      assert.deepEqual(
        events.map((row) => row['type']),
        ['claim', 'release', 'mark'],
      );
    });

    test('a release that may leave no mark is a release all the same', async () => {
      for (const note of ['1', '2', '3']) await service.call(`/v1/mark?key=full&agent=a7&kind=note&note=${note}`);
      const { json } = await release(await claimed(service, 'full'), '&outcome=failed');
      assert.deepEqual([json['released'], json['mark_log'], json['mark_refused']], [true, null, 'mark_limit']);
    });

    test('a once intent that was declined is free again, one that was done is not', async () => {
      const once = (agent: string) => service.call(`/v1/claim?key=once&agent=${agent}&mode=once&token=${TOKEN}`);
      await release(String((await once('a7')).json['lease']), '&outcome=declined');
      const again = await once('b2');
      assert.equal(again.status, 200, again.text);
      await release(String(again.json['lease']), '&outcome=done');
      expectProblem(await once('c3'), 409, 'once_taken');
    });

    test('releasing an expired lease says that it was over', async () => {
      const lease = await claimed(service, 'expired');
      clock.advance(30_000);
      const { json } = await release(lease, '&outcome=done');
      const { released, released_at, outcome, log, mark_log, again } = ReleaseAnswer.parse(json);
      assert.deepEqual([released, released_at, outcome, log, mark_log, again], [false, null, null, null, null, true]);
    });

    test('only the token releases, and an unknown lease is not found', async () => {
      const lease = await claimed(service, 'guarded');
      expectProblem(await release(lease, '', OTHER), 403, 'bad_token');
      expectProblem(await release('L000000000000'), 404, 'unknown_lease');
      assert.equal((await claim('guarded', 'b2')).status, 409);
      expectProblem(await release(lease, '&note=why'), 400, 'invalid_parameters');
    });
  });
}

test('release by POST, and its malformed forms', async () => {
  const service = await sharedService();
  const lease = await claimed(service, 'posted+release');
  const post = async (body: string, type = 'application/json') =>
    statuses.saw(await service.call('/v1/release', { method: 'POST', body, headers: { 'content-type': type } }));
  expectProblem(await post('{}'), 400, 'invalid_parameters');
  expectProblem(await post(JSON.stringify({ lease, token: 'x'.repeat(70_000) })), 413, 'body_too_large');
  expectProblem(await post('lease=1', 'text/plain'), 415, 'unsupported_media_type');
  assert.equal((await post(JSON.stringify({ lease, token: TOKEN }))).status, 200);
});

test('release is limited with claim, and refused with 503 while nothing can be written', async () => {
  const service = await sharedService();
  const lease = await claimed(service, 'locked+release');
  const release = () => service.call(`/v1/release?lease=${lease}&token=${TOKEN}`);
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(statuses.saw(await release()), 503, 'storage_unavailable');
  }
  assert.equal((await release()).json['again'], false);
  await expectLimited(statuses, (limited) => limited.call('/v1/release'));
});
