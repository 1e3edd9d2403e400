import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import { ENGINES, hasPostgres } from '../../../../test/support/databases.ts';
import { openStore } from '../../../../test/support/engines.ts';
import type { CallRecord } from '../sql.ts';
import { AgentCalls, callExpiry } from './calls.ts';

/** How many went in each portion. */
async function erased(calls: AgentCalls, agentId: string): Promise<number[]> {
  const counts: number[] = [];
  for (let count = await calls.erasePortion(agentId); count > 0; count = await calls.erasePortion(agentId))
    counts.push(count);
  return counts;
}

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`calls are listed newest first, counted up to a limit that is said, forgotten after their time and with their agent (${engine})`, {
    skip,
  }, async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15));
    await using opened = await openStore(engine, { injectedClock: clock });
    const calls = new AgentCalls(opened.store);
    const note = (agentId: string, op: string) => calls.note(agentId, { atMs: clock.now(), op, status: 200 });
    const listed = async (agentId: string) => {
      const list = await calls.page(agentId, undefined, 10);
      return list.map(({ operation }) => operation);
    };
    note('agt_1', 'old');
    clock.advance(365 * DAY_MS);
    note('agt_1', 'first');
    note('agt_2', 'other');
    clock.advance(1_000);
    note('agt_1', 'second');
    assert.deepEqual(await listed('agt_1'), ['second', 'first', 'old']);
    assert.equal(await expire({ ...opened, clock }, callExpiry), 1);
    assert.deepEqual(await listed('agt_1'), ['second', 'first']);
    calls.note('agt_1', { atMs: clock.now(), op: 'third', status: 404 });
    assert.deepEqual(await calls.countSince('agt_1', 0, 3), { total: 3, failed: 1, isMore: false });
    assert.deepEqual(await calls.countSince('agt_1', 0, 2), { total: 2, failed: 1, isMore: true });
    assert.deepEqual(await erased(calls, 'agt_1'), [3]);
    assert.deepEqual([await listed('agt_1'), await listed('agt_2')], [[], ['other']]);
  });

  test(`pages of calls have each once, also those of one moment, and calls go in portions (${engine})`, {
    skip,
  }, async () => {
    await using opened = await openStore(engine);
    const calls = new AgentCalls(opened.store);
    for (let n = 0; n < 1_100; n += 1) calls.note('agt_1', { atMs: 1_000 + Math.floor(n / 7), op: `op ${n}` });
    calls.note('agt_2', { atMs: 1_000, op: 'other' });
    const seen: CallRecord[] = [];
    for (let page = await calls.page('agt_1', undefined, 100); page.length > 0; ) {
      seen.push(...page);
      page = await calls.page('agt_1', page.at(-1), 100);
    }
    assert.deepEqual([seen.length, new Set(seen.map(({ operation }) => operation)).size], [1_100, 1_100]);
    const asked = { beforeMs: 2_000, limit: 10, operation: 'op 8' };
    assert.deepEqual(
      (await calls.records('agt_1', asked)).map(({ operation, atMs }) => [operation, atMs]),
      [['op 8', 1_001]],
    );
    assert.deepEqual(await erased(calls, 'agt_1'), [500, 500, 100]);
    assert.equal((await calls.page('agt_2', undefined, 10)).length, 1);
  });
}
