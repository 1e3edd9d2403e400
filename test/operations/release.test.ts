import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ReleaseAnswer } from '#areas/crossing/operations.ts';
import { ManualClock } from '#kernel/clock.ts';
import { ENGINES, expectProblem, hasPostgres, lockDatabase, PromisedStatuses, TestService } from '../_harness.ts';
import { BEGUN } from '../_log.ts';

const statuses = new PromisedStatuses('release');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const TOKEN = 'a-secret-that-the-caller-made-itself';
const OTHER = 'another-secret-of-somebody-else-here';

async function claimed(service: TestService, key = 'k'): Promise<string> {
  const { json } = await service.call(`/v1/claim?key=${key}&agent=a7&mode=exclusive&ttl=30&token=${TOKEN}`);
  return String(json['lease']);
}

for (const engine of ENGINES) {
  suite(`release on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a release ends the lease, frees the key at once, and is harmless when repeated', async () => {
      const clock = new ManualClock();
      await using service = await TestService.start({ engine, clock });
      const lease = await claimed(service);
      const release = async () => statuses.saw(await service.call(`/v1/release?lease=${lease}&token=${TOKEN}`));
      const first = ReleaseAnswer.parse((await release()).json);
      assert.deepEqual([first.released, first.again, first.key, first.log], [true, false, 'k', BEGUN]);
      clock.advance(1_000);
      const second = ReleaseAnswer.parse((await release()).json);
      assert.deepEqual(second, { ...first, again: true });
      assert.equal((await service.call('/v1/claim?key=k&agent=b2&mode=exclusive')).status, 200);
    });

    test('releasing an expired lease says that it was over', async () => {
      const clock = new ManualClock();
      await using service = await TestService.start({ engine, clock });
      const lease = await claimed(service);
      clock.advance(30_000);
      const { json } = await service.call(`/v1/release?lease=${lease}&token=${TOKEN}`);
      assert.deepEqual([json['released'], json['released_at'], json['again'], json['log']], [false, null, true, null]);
    });

    test('only the token releases, and an unknown lease is not found', async () => {
      await using service = await TestService.start({ engine });
      const lease = await claimed(service);
      expectProblem(statuses.saw(await service.call(`/v1/release?lease=${lease}&token=${OTHER}`)), 403, 'bad_token');
      expectProblem(
        statuses.saw(await service.call(`/v1/release?lease=L000000000000&token=${TOKEN}`)),
        404,
        'unknown_lease',
      );
      assert.equal((await service.call(`/v1/claim?key=k&agent=b2`)).status, 409);
    });
  });
}

test('release by POST, and its malformed forms', async () => {
  await using service = await TestService.start();
  const lease = await claimed(service);
  const post = async (body: string, type = 'application/json') =>
    statuses.saw(await service.call('/v1/release', { method: 'POST', body, headers: { 'content-type': type } }));
  expectProblem(await post('{}'), 400, 'invalid_parameters');
  expectProblem(await post(JSON.stringify({ lease, token: 'x'.repeat(70_000) })), 413, 'body_too_large');
  expectProblem(await post('lease=1', 'text/plain'), 415, 'unsupported_media_type');
  assert.equal((await post(JSON.stringify({ lease, token: TOKEN }))).status, 200);
});

test('release is limited with claim, and refused with 503 while nothing can be written', async () => {
  await using service = await TestService.start({
    env: { AVOUCH_RATE_CROSSING_WRITE: '5/min,3' },
    clock: new ManualClock(),
  });
  const lease = await claimed(service);
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(
      statuses.saw(await service.call(`/v1/release?lease=${lease}&token=${TOKEN}`)),
      503,
      'storage_unavailable',
    );
  }
  assert.equal((await service.call(`/v1/release?lease=${lease}&token=${TOKEN}`)).json['again'], false);
  expectProblem(statuses.saw(await service.call(`/v1/release?lease=${lease}&token=${TOKEN}`)), 429, 'slow_down');
});
