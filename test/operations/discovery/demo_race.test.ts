import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { Race } from '#areas/discovery/front/race.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited, FORM, formRefusals } from '../../support/refusals.ts';
import { lockDatabase, TestService } from '../../support/service.ts';

const statuses = new PromisedStatuses('demo_race');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const run = (service: TestService, headers: Record<string, string> = {}) =>
  service.call('/demo/race', { method: 'POST', body: {}, headers });

test('demo_race: one claim gets the lease, the other learns how long to wait', async () => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock });
  const { race, home } = statuses.saw(await run(service)).json as { race: unknown; home: { service: string } };
  const { key, claims } = Race.parse(race);
  assert.match(key, /^demo\/[\w-]{10}$/);
  assert.deepEqual(
    claims.map(({ status, code }) => [status, code]),
    [
      [200, null],
      [409, 'held'],
    ],
  );
  assert.deepEqual(claims.map(({ agent }) => agent).toSorted(), ['scout-1', 'scout-2']);
  assert.equal(claims[0]?.fence, claims[1]?.fence);
  assert.ok(Number(claims[1]?.wait_s) >= 30);
  assert.equal(home.service, 'Avouch');
  const look = (await service.call(`/v1/look?key=${encodeURIComponent(key)}`)).json;
  assert.equal(look['signal'], 'RED');
});

test('demo_race: an address runs it once every five seconds', async () => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock });
  assert.equal((await run(service)).status, 200);
  const early = await run(service);
  expectProblem(early, 429, 'slow_down');
  assert.equal(early.headers['retry-after'], '5');
  clock.advance(5_000);
  assert.equal((await run(service)).status, 200);
});

test('demo_race: refuses what every form refuses', async () => {
  await using service = await TestService.start({});
  await formRefusals(statuses, service, '/demo/race');
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(statuses.saw(await run(service)), 503, 'storage_unavailable');
  }
  await expectLimited(statuses, (limited) =>
    limited.call('/demo/race', { method: 'POST', body: '', headers: { 'content-type': FORM } }),
  );
});
