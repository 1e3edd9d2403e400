import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { FenceAnswer } from '#areas/crossing/fence-operation.ts';
import { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { TestService } from '../../support/service.ts';

const statuses = new PromisedStatuses('fence');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const TOKEN = 'a-secret-that-the-caller-made-itself';

for (const engine of ENGINES) {
  suite(`fence on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    const clock = new ManualClock();
    let service: TestService;
    before(async () => (service = await TestService.start({ engine, clock })));
    after(() => service[Symbol.asyncDispose]());
    const check = async (key: string, fence: unknown) => {
      const answer = statuses.saw(await service.call(`/v1/fence?key=${key}&fence=${String(fence)}`));
      const { state, current, newest } = FenceAnswer.parse(answer.json);
      assert.equal(current, state === 'held');
      return [state, newest];
    };
    const claim = async (key: string, mode = 'exclusive', agent = 'a7') => {
      const { json } = await service.call(`/v1/claim?key=${key}&agent=${agent}&mode=${mode}&ttl=30&token=${TOKEN}`);
      return { fence: json['fence'] as number, lease: String(json['lease']) };
    };
    const release = ({ lease }: { lease: string }) => service.call(`/v1/release?lease=${lease}&token=${TOKEN}`);

    test('a fence is held until its lease ends, then what ended it, then superseded', async () => {
      const first = await claim('k');
      assert.deepEqual(await check('k', first.fence), ['held', first.fence]);
      await release(first);
      assert.deepEqual(await check('k', first.fence), ['released', first.fence]);
      const second = await claim('k');
      assert.deepEqual(await check('k', first.fence), ['superseded', second.fence]);
      clock.advance(30_000);
      assert.deepEqual(await check('k', second.fence), ['clearance', second.fence]);
      clock.advance(15_000);
      assert.deepEqual(await check('k', second.fence), ['expired', second.fence]);
      const third = await claim('k');
      assert.deepEqual(await check('k', second.fence), ['superseded', third.fence]);
      await release(third);
      assert.deepEqual(await check('k', first.fence), ['superseded', third.fence]);
    });

    test('shared leases are current side by side, under any spelling of the key', async () => {
      const [one, two] = [await claim('acme/r%231', 'shared', 'a7'), await claim('gh:Acme/r/1', 'shared', 'b2')];
      assert.deepEqual(await check('https://github.com/acme/r/pull/1', one.fence), ['held', two.fence]);
      assert.deepEqual(await check('acme/r%231', two.fence), ['held', two.fence]);
    });

    test('a fence that this key never had is unknown', async () => {
      const other = await claim('other');
      assert.deepEqual(await check('never', other.fence), ['unknown', null]);
      assert.deepEqual(await check('other', other.fence + 1), ['unknown', other.fence]);
      const bad = await service.call('/v1/fence?key=k&fence=0');
      expectProblem(statuses.saw(bad), 400, 'invalid_parameters');
    });
  });
}

test('fence is limited with the other reads', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_CROSSING_READ: '5/min,1' } });
  assert.equal((await service.call('/v1/fence?key=k&fence=1')).status, 200);
  expectProblem(statuses.saw(await service.call('/v1/fence?key=k&fence=1')), 429, 'slow_down');
});
