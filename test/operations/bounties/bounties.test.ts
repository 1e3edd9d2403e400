import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { z } from 'zod';
import { BountyAnswer } from '#areas/bounties/operations.ts';
import { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { expectLimited } from '../../support/refusals.ts';
import { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';

const statuses = new PromisedStatuses('bounties');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

/** Numbers of the issues that each query leaves, in order. */
const QUERIES: Readonly<Record<string, readonly number[]>> = {
  '': [9, 7, 3, 11, 4, 5],
  '?include_rewarded=yes': [9, 7, 3, 2, 11, 4, 5],
  '?include_rewarded=no&repository_pays=no': [9, 7, 3, 11, 4, 5],
  '?repository_pays=yes': [9, 7],
  '?min_reward_usd=200': [9, 7, 3],
  '?min_reward_usd=200.000001': [9, 7],
  '?min_reward_usd=0': [9, 7, 3, 11],
  '?max_on_it=0': [9, 4, 5],
  '?max_on_it=1': [9, 11, 4, 5],
  '?max_on_it=2&min_reward_usd=100&repository_pays=yes': [9],
  '?limit=2': [9, 7],
  '?min_reward_usd=999999999': [],
};

for (const engine of ENGINES) {
  suite(`bounties on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a sandbox lists fictional bounties, and filters leave what they say', async () => {
      const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
      await using service = await TestService.start({ engine, clock });
      const isCounted = ({ bounties }: z.output<typeof BountyAnswer>) =>
        bounties.length > 0 && bounties.every((row) => row.repo_rewarded_count !== null);
      await until('bounties that are counted', async () => {
        await service.runNow('bounties');
        return isCounted(BountyAnswer.parse((await service.call('/v1/bounties')).json));
      });
      for (const [query, numbers] of Object.entries(QUERIES)) {
        const answer = statuses.saw(await service.call(`/v1/bounties${query}`));
        assert.equal(answer.headers['cache-control'], 'no-store');
        const { bounties, count, total, ...list } = BountyAnswer.parse(answer.json);
        assert.deepEqual(
          bounties.map(({ number }) => number),
          numbers,
          query,
        );
        assert.deepEqual([count, total], [numbers.length, query === '?limit=2' ? 6 : numbers.length]);
        assert.deepEqual(list, {
          as_of: '2026-11-15T10:00:00.000Z',
          age_s: 0,
          refresh_every_s: 3_600,
          stale: false,
          venue: 'github',
          incomplete: false,
          sandbox: true,
        });
        assert.equal((await service.call(`/v1/bounties${query}`)).text, answer.text, 'same rows, same answer');
      }
      const [, parser] = BountyAnswer.parse((await service.call('/v1/bounties')).json).bounties;
      assert.deepEqual(parser, {
        source: 'external',
        key: 'https://github.com/sandbox-acme/parser/issues/7',
        repository: 'sandbox-acme/parser',
        number: 7,
        untrusted_title: 'Parser drops the last row',
        reward: { amount: 500, currency: 'USD', usd: 500, from: 'label' },
        open_prs: 1,
        claiming_people: 3,
        assignees: 1,
        already_rewarded: false,
        repo_rewarded_count: 2,
        repo_rewarded_as_of: '2026-11-15T10:00:00.000Z',
        updated_at: '2026-11-15T09:00:00.000Z',
        facts_as_of: '2026-11-15T10:00:00.000Z',
        facts_complete: true,
      });
    });
  });
}

test('bad parameters are refused, all at once, and reads are limited', async () => {
  const service = await sharedService();
  const ask = async (query: string) => statuses.saw(await service.call(`/v1/bounties?${query}`));
  for (const query of [
    'max_on_it=-1',
    'max_on_it=1.5',
    'min_reward_usd=1e3',
    'min_reward_usd=-1',
    'limit=0',
    'limit=201',
  ]) {
    expectProblem(await ask(query), 400, 'invalid_parameters');
  }
  const bad = expectProblem(
    await ask('repository_pays=maybe&include_rewarded=&limit=x&colour=red'),
    400,
    'invalid_parameters',
  );
  assert.deepEqual((bad['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).toSorted(), [
    '#/colour',
    '#/include_rewarded',
    '#/limit',
    '#/repository_pays',
  ]);
  assert.equal((await ask('')).status, 200);
  await expectLimited(statuses, (limited) => limited.call('/v1/bounties?limit=0'));
});

test('texts about bounties say what rows count: people, not agents', async () => {
  const service = await sharedService();
  const { tags } = (await service.call('/openapi.json')).json as { tags: { name: string; description: string }[] };
  const { gives } = (await service.call('/product/coordination')).json as { gives: string[] };
  const texts = [tags.find(({ name }) => name === 'bounties')?.description, gives.find((text) => /bount/.test(text))];
  for (const text of texts) assert.match(text ?? '', /^Open bounties, (?:and|with) how many people claim/);
});
