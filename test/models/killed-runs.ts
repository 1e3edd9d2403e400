// Runs of tasks whose process is killed by -9 at a commit, and taken up by another one.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { isChainWhole } from '#areas/tasks/evidence.ts';
import { ManualClock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import { openStore } from '../support/engines.ts';
import { fund } from '../support/wallet.ts';
import type { ChildTask } from './task-child.ts';
import { CALL, CountedWork, type Death, ended, FUNDS, inputOf, PRICE, tasksOf } from './task-runs.ts';

/** No run has more commits. */
const MAX_COMMITS = 10;

/** Before the second commit is behind the first. */
export const EVERY_BOUNDARY: readonly Pick<Death, 'at' | 'when'>[] = [
  { at: 1, when: 'before' },
  ...Array.from({ length: MAX_COMMITS }, (_, index) => ({ at: index + 1, when: 'after' as const })),
];

/** Kills at each of the boundaries in turn, up to the first that a run does not have. */
export async function testKilledRuns(boundaries: readonly Pick<Death, 'at' | 'when'>[]): Promise<void> {
  const clock = new ManualClock();
  await using opened = await openStore('sqlite', { injectedClock: clock });
  const [{ file = '' } = {}] = await opened.store.read('SELECT file FROM pragma_database_list');
  for (const { at, when } of boundaries) {
    const work = new CountedWork();
    const parts = { agentId: newId('agt_'), clock, work };
    await fund(opened.store, parts.agentId, FUNDS);
    const task = { file: String(file), agentId: parts.agentId, nowMs: clock.now(), at, when };
    const { signal, effects } = await runChild(task);
    assert.ok(signal === 'SIGKILL' || at > 4, `commit ${at} ${when}`);
    for (const key of effects) work.effects.add(key);
    clock.advance(60_001);
    const second = tasksOf(opened.store, parts, 'p2');
    await second.runs.resume();
    await second.runs.settled();
    const again = await second.create(inputOf(parts.agentId), CALL, 'create_task');
    assert.ok(!(again instanceof Refusal));
    await second.runs.settled();
    const { id, state, steps, money, seals } = await ended(opened.store, parts.agentId);
    assert.deepEqual(
      [state, [...work.effects], money, seals],
      ['completed', [`${id}:4`], [FUNDS - PRICE, 0], 1],
      `commit ${at} ${when}`,
    );
    assert.ok(isChainWhole(id, steps));
    if (signal === null) return;
  }
  assert.ok((boundaries.at(-1)?.at ?? 0) < MAX_COMMITS, 'a run ends');
}

function runChild(task: ChildTask): Promise<{ signal: string | null; effects: readonly string[] }> {
  const child = fork(new URL('./task-child.ts', import.meta.url), [JSON.stringify(task)]);
  const effects: string[] = [];
  child.on('message', (key) => effects.push(key as string));
  return new Promise((resolve) => child.on('close', (_code, signal) => resolve({ signal, effects })));
}
