import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { inOrder, isLeft } from './bounty-list.ts';
import type { BountyInput, BountyRow } from './operations.ts';
import { venueKey } from './venue-key.ts';

const row = fc.record<BountyRow>({
  source: fc.constant('external'),
  key: fc.integer({ min: 1, max: 9 }).map((number) => `https://github.com/a/b/issues/${number}`),
  repository: fc.constant('a/b'),
  number: fc.constant(1),
  untrusted_title: fc.constant(''),
  reward: fc.option(
    fc.record({
      amount: fc.constantFrom(5, 100, 250.5),
      currency: fc.constant('USD' as const),
      usd: fc.option(fc.constantFrom(5, 100, 250.5)),
      from: fc.constant('label' as const),
    }),
  ),
  open_prs: fc.nat(3),
  claiming_people: fc.nat(5),
  assignees: fc.nat(2),
  already_rewarded: fc.boolean(),
  repo_rewarded_count: fc.option(fc.nat(2)),
  repo_rewarded_as_of: fc.constant('2026-11-15T20:00:00.000Z'),
  updated_at: fc.constantFrom('2026-11-14T20:00:00.000Z', '2026-11-15T20:00:00.000Z'),
  facts_as_of: fc.constant('2026-11-15T20:00:00.000Z'),
  facts_complete: fc.boolean(),
});

type Filter = Omit<BountyInput, 'limit'>;
const LAX: Filter = { repository_pays: 'no', include_rewarded: 'yes' };

test('a stricter filter gives a part of what a laxer one gives', () => {
  const steps: readonly ((filter: Filter) => Filter)[] = [
    (filter) => ({ ...filter, include_rewarded: 'no' }),
    (filter) => ({ ...filter, repository_pays: 'yes' }),
    (filter) => ({ ...filter, max_on_it: (filter.max_on_it ?? 5) - 1 }),
    (filter) => ({ ...filter, min_reward_usd: String(Number(filter.min_reward_usd ?? '0') + 90) }),
  ];
  fc.assert(
    fc.property(fc.array(row), fc.array(fc.nat(3), { maxLength: 5 }), (rows, order) => {
      let [filter, left] = [LAX, rows];
      for (const step of order) {
        filter = (steps[step] as (filter: Filter) => Filter)(filter);
        const stricter = rows.filter((bounty) => isLeft(bounty, filter));
        assert.ok(stricter.every((bounty) => left.includes(bounty)));
        left = stricter;
      }
    }),
  );
});

test('a lower bound does not pass for few people, nor an unknown amount for enough', () => {
  const [known] = fc.sample(row, 1) as [BountyRow];
  const bounty = { ...known, claiming_people: 0, facts_complete: false, reward: null };
  assert.equal(isLeft(bounty, LAX), true);
  assert.equal(isLeft(bounty, { ...LAX, max_on_it: 5 }), false);
  assert.equal(isLeft(bounty, { ...LAX, min_reward_usd: '0' }), false);
  assert.equal(isLeft({ ...bounty, repo_rewarded_count: null }, { ...LAX, repository_pays: 'yes' }), false);
});

test('the order is total: best paid, then fewer people, then newer, then by key', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const sorted = rows.toSorted(inOrder);
      assert.deepEqual(rows.toReversed().toSorted(inOrder).map(rank), sorted.map(rank));
      for (const [index, next] of sorted.slice(1).entries()) assert.ok(inOrder(sorted[index] as BountyRow, next) <= 0);
    }),
  );
});

function rank({ key, reward, claiming_people: people, updated_at: at }: BountyRow): unknown[] {
  return [key, reward?.usd ?? -1, people, at];
}

test('only issues of hosts that can be asked are venue keys, and none climbs out of its path', () => {
  const keys: Readonly<Record<string, unknown>> = {
    'https://github.com/acme/re.po/issues/12': { venue: 'github', repository: 'acme/re.po', number: 12 },
    'https://gitlab.com/g/sub/p/-/issues/7': { venue: 'gitlab', repository: 'g/sub/p', number: 7 },
    'https://gitlab.com/g/p/-/merge_requests/7': null,
    'https://gitlab.example/g/p/-/issues/7': null,
    'https://github.com/acme/../issues/1': null,
    'https://gitlab.com/g/../p/-/issues/7': null,
    'https://gitlab.com/g/%2e%2e/-/issues/7': null,
    'https://github.com/acme/repo/issues/0': null,
    'https://github.com/acme/repo': null,
    'acme/repo#1': null,
  };
  for (const [key, expected] of Object.entries(keys)) assert.deepEqual(venueKey(key), expected, key);
});
