import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { FenceAnswer } from '#areas/crossing/lease/fence-operation.ts';
import type { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { expectLimited } from '../../support/refusals.ts';
import type { TestService } from '../../support/service.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('fence');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const TOKEN = 'a-secret-that-the-caller-made-itself';

for (const engine of ENGINES) {
  suite(`fence on ${engine}`, { skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here' }, () => {
    let service: TestService;
    let clock: ManualClock;
    before(async () => {
      ({ service, clock } = await sharedServiceOn(engine));
    });
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
      const first = await claim('fenced');
      assert.deepEqual(await check('fenced', first.fence), ['held', first.fence]);
      await release(first);
      assert.deepEqual(await check('fenced', first.fence), ['released', first.fence]);
      const second = await claim('fenced');
      assert.deepEqual(await check('fenced', first.fence), ['superseded', second.fence]);
      clock.advance(30_000);
      assert.deepEqual(await check('fenced', second.fence), ['clearance', second.fence]);
      clock.advance(15_000);
      assert.deepEqual(await check('fenced', second.fence), ['expired', second.fence]);
      const third = await claim('fenced');
      assert.deepEqual(await check('fenced', second.fence), ['superseded', third.fence]);
      await release(third);
      assert.deepEqual(await check('fenced', first.fence), ['superseded', third.fence]);
    });

    test('shared leases are current side by side, under any spelling of the key', async () => {
      const [one, two] = [await claim('acme/r%231', 'shared', 'a7'), await claim('gh:Acme/r/1', 'shared', 'b2')];
      assert.deepEqual(await check('https://github.com/acme/r/pull/1', one.fence), ['held', two.fence]);
      assert.deepEqual(await check('acme/r%231', two.fence), ['held', two.fence]);
    });

    test('a fence that this key never had is unknown', async () => {
      const other = await claim('fenced+too');
      assert.deepEqual(await check('never', other.fence), ['unknown', null]);
      assert.deepEqual(await check('fenced+too', other.fence + 1), ['unknown', other.fence]);
      const bad = await service.call('/v1/fence?key=k&fence=0');
      expectProblem(statuses.saw(bad), 400, 'invalid_parameters');
    });
  });
}

test('fence is limited with the other reads', async () => {
  await expectLimited(statuses, (limited) => limited.call('/v1/fence?key=k&fence=1'));
});
