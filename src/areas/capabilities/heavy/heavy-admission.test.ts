import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { HeavyAdmission } from './heavy-admission.ts';
import { HEAVY_LIMITS } from './heavy-limits.ts';

test('an agent has so many executions under way, all agents together so many more, and what ends makes room', () => {
  const admission = new HeavyAdmission(new ManualClock());
  const { executionsPerAgent, executions } = HEAVY_LIMITS;
  for (let n = 0; n < executionsPerAgent; n += 1) assert.equal(admission.enter('agt_0'), undefined);
  const own = admission.enter('agt_0');
  assert.deepEqual([own?.code, own?.retryAfterSeconds], ['too_many_executions', 5]);
  for (let n = executionsPerAgent; n < executions; n += 1) assert.equal(admission.enter(`agt_${n}`), undefined);
  const full = admission.enter('agt_last');
  assert.deepEqual([full?.code, full?.retryAfterSeconds], ['capabilities_busy', 5]);
  admission.leave('agt_0');
  assert.equal(admission.enter('agt_last'), undefined);
  assert.equal(admission.enter('agt_0')?.code, 'capabilities_busy', 'another has its place');
});

test('failures at a limit are counted for a while, each against its agent alone', () => {
  const clock = new ManualClock();
  const admission = new HeavyAdmission(clock);
  const { failuresPerAgent, failureWindowMs, restMs } = HEAVY_LIMITS;
  for (let n = 1; n < failuresPerAgent; n += 1) admission.failed('agt_a');
  assert.equal(admission.restOf('agt_a'), undefined);
  clock.advance(failureWindowMs);
  admission.failed('agt_a');
  assert.equal(admission.restOf('agt_a'), undefined, 'the others are too long ago');
  for (let n = 1; n < failuresPerAgent; n += 1) admission.failed('agt_a');
  clock.advance(1_000);
  const rest = admission.restOf('agt_a');
  assert.deepEqual([rest?.code, rest?.retryAfterSeconds], ['heavy_work_paused', restMs / 1_000 - 1]);
  assert.equal(admission.restOf('agt_b'), undefined);
  clock.advance(restMs - 1_000);
  assert.equal(admission.restOf('agt_a'), undefined);
});

test('the agent whose failure is the longest ago is forgotten when there are too many', () => {
  const admission = new HeavyAdmission(new ManualClock());
  const failing = (agentId: string) => {
    for (let n = 0; n < HEAVY_LIMITS.failuresPerAgent; n += 1) admission.failed(agentId);
  };
  failing('agt_first');
  failing('agt_second');
  for (let n = 2; n <= HEAVY_LIMITS.agentsRemembered; n += 1) admission.failed(`agt_${n}`);
  assert.equal(admission.restOf('agt_first'), undefined);
  assert.equal(admission.restOf('agt_second')?.code, 'heavy_work_paused');
});
