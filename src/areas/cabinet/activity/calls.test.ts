import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { expire } from '#platform/storage/expiry.ts';
import { ENGINES, hasPostgres } from '../../../../test/support/databases.ts';
import { openStore } from '../../../../test/support/engines.ts';
import { AgentCalls, callExpiry } from './calls.ts';

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`calls are listed newest first, counted up to a limit that is said, forgotten after their time and with their agent (${engine})`, {
    skip,
  }, async () => {
    await using opened = await openStore(engine);
    const clock = new ManualClock(Date.UTC(2026, 10, 15));
    const calls = new AgentCalls(opened.store);
    const note = (agentId: string, op: string) => calls.note(agentId, { atMs: clock.now(), op, status: 200 });
    const listed = async (agentId: string) => {
      const list = await calls.list(agentId, clock.now() + 1, 10);
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
    await opened.store.runAll([calls.eraseStep('agt_1')]);
    assert.deepEqual([await listed('agt_1'), await listed('agt_2')], [[], ['other']]);
  });
}
