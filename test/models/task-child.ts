// A process that makes a task, tells of the effect of its work, and kills itself at a chosen commit.
import { ManualClock } from '#kernel/clock.ts';
import { GroupCommitter } from '#platform/storage/committer.ts';
import { SqliteEngine } from '#platform/storage/sqlite.ts';
import { testSequencer } from '../support/engines.ts';
import { CALL, CountedWork, type Death, dyingAt, inputOf, tasksOf } from './task-runs.ts';

export interface ChildTask extends Pick<Death, 'at' | 'when'> {
  readonly file: string;
  readonly agentId: string;
  readonly nowMs: number;
}

/** The parent has the key of the effect before the work says that it is done. */
class ToldWork extends CountedWork {
  override async run(...given: Parameters<CountedWork['run']>) {
    await new Promise((resolve) => process.send?.(given[2].key, undefined, undefined, resolve));
    return super.run(...given);
  }
}

const { file, agentId, at, when, nowMs } = JSON.parse(process.argv[2] as string) as ChildTask;
const clock = new ManualClock(nowMs);
const store = new GroupCommitter({
  engine: new SqliteEngine(file, clock),
  clock,
  injectedClock: clock,
  maxBatch: 256,
  maxQueue: 100,
});
store.attachLog(testSequencer());
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => {});
};
const tasks = tasksOf(dyingAt(store, { at, when, die }), { agentId, clock, work: new ToldWork() }, 'p1');
await tasks.create(inputOf(agentId), CALL, 'create_task');
await tasks.runs.settled();
await store.close();
process.disconnect?.();
