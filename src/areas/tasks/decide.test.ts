import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import fc from '#properties';
import { decide, LEASE_MS } from './decide.ts';
import { isChainWhole } from './evidence.ts';
import { routeNeed } from './router.ts';
import type { AdvanceCommand, CreateTaskCommand, TaskCommand, TaskResult, TasksState } from './state.ts';
import { isInFlight, mayMove, type Task, TASK_MOVES, TASK_STATES, type TaskId, type TaskState } from './task.ts';

const ID: TaskId = 'tsk_1';
const NEED = 'open bounties';
const PERIOD = '2026-10-04';
const NEXT = { rev: 1, seq: 1 };

function empty(): TasksState {
  const none = { due: [], triesOver: [] };
  return {
    tasks: VersionedMap.of(),
    steps: VersionedMap.of(),
    byIdem: VersionedMap.of(),
    tries: VersionedMap.of(),
    ...none,
  };
}

function creating(more: Partial<CreateTaskCommand['task']> = {}, tag: string | null = 'home'): CreateTaskCommand {
  return {
    type: 'create',
    tries: tag === null ? null : { tag, period: PERIOD },
    steps: [{ name: 'route', input: NEED, output: { decision: 'routed', route: 'bounty_search' } }],
    task: {
      id: ID,
      receiptId: 'rcp_1',
      receiptKeyHash: 'h',
      agentId: 'anonymous',
      state: 'submitted',
      need: NEED,
      inputs: {},
      region: 'NL',
      maxMicro: 0,
      mode: 'auto',
      routing: routeNeed(NEED),
      questions: [],
      quote: null,
      holdId: null,
      error: null,
      attestationId: null,
      receipt: null,
      idem: null,
      bodySha256: 'b',
      addressTag: 'addr',
      tryTag: tag,
      runBy: 'p1',
      attempts: 1,
      ...more,
    },
  };
}

const advancing = (to: readonly TaskState[], more: Partial<AdvanceCommand> = {}): AdvanceCommand => {
  return { type: 'advance', id: ID, by: null, to, steps: [], patch: {}, seal: null, ...more };
};

/** Runs commands a millisecond apart. */
function run(commands: readonly TaskCommand[], from = empty(), atMs = 1_000) {
  let state = from;
  const results: TaskResult[] = [];
  for (const [index, command] of commands.entries()) {
    const decided = decide(state, atMs + index, NEXT, command);
    state = decided.state;
    results.push(decided.result);
  }
  return { state, results, last: results.at(-1) as TaskResult, task: state.tasks.get(ID) as Task };
}

test('whatever is asked in whatever order, a task only makes the listed moves and its chain stays whole', () => {
  const target = fc.constantFrom(...TASK_STATES);
  const sealing = fc.boolean();
  fc.assert(
    fc.property(fc.array(fc.tuple(target, sealing), { maxLength: 20 }), (wanted) => {
      let { state } = run([creating()]);
      for (const [index, [to, isSealed]] of wanted.entries()) {
        const before = (state.tasks.get(ID) as Task).state;
        const seal = isSealed ? { seed: 'A'.repeat(43), nonce: 'A'.repeat(22), sandbox: true } : null;
        const { state: after, result } = decide(state, 2_000 + index, NEXT, advancing([to], { seal }));
        const moved = (after.tasks.get(ID) as Task).state;
        if (mayMove(before, to)) assert.equal(moved, to);
        else assert.deepEqual([result, moved], [{ type: 'transition_invalid', from: before, to }, before]);
        assert.equal((after.tasks.get(ID) as Task).runUntilMs !== null, isInFlight(moved));
        assert.ok(isChainWhole(ID, after.steps.get(ID)?.list ?? []));
        state = after;
      }
    }),
  );
});

test('every state but the last ones can be left, and every state but the first can be reached', () => {
  const reached = new Set(Object.values(TASK_MOVES).flat());
  assert.deepEqual(
    TASK_STATES.filter((state) => !reached.has(state as never)),
    [],
  );
  assert.deepEqual(
    TASK_STATES.filter((state) => TASK_MOVES[state].length === 0),
    ['completed', 'failed', 'rejected', 'canceled', 'expired'],
  );
});

test('three tries are free, one that ends in payment_required or rejected is given back', () => {
  const next = (n: number) => creating({ id: `tsk_${n}`, addressTag: `addr${n}` });
  const three = run([next(1), next(2), next(3)]);
  assert.equal(run([next(4)], three.state).last.type, 'tries_used');
  const sold = creating({ id: 'tsk_4', addressTag: 'addr4', tryTag: null });
  assert.deepEqual(pick(run([sold], three.state).last), { type: 'done', triesUsed: 3 });
  for (const to of [['quoted', 'payment_required'], ['rejected']] as const) {
    const back = run([advancing(to, { tryTag: 'home' }), next(4)], three.state);
    assert.equal(back.last.type, 'done');
    assert.equal(run([next(5)], back.state).last.type, 'tries_used');
  }
});

test('one task of an address is in flight at a time, and the next may come when it waits or is over', () => {
  const first = run([creating({}, null)]);
  const second = creating({ id: 'tsk_2' }, null);
  assert.equal(run([second], first.state).last.type, 'in_flight');
  assert.equal(run([creating({ id: 'tsk_2', addressTag: 'other' }, null)], first.state).last.type, 'done');
  assert.equal(run([advancing(['input_required']), second], first.state).last.type, 'done');
  const both = run([advancing(['input_required']), second], first.state).state;
  assert.equal(run([advancing(['submitted'], { patch: { addressTag: 'addr' } })], both).last.type, 'in_flight');
});

test('the same key gives the same task, another body under it is refused', () => {
  const { state } = run([creating({ idem: 'k' })]);
  const again = run([creating({ id: 'tsk_2', receiptId: 'rcp_2', idem: 'k' })], state);
  assert.deepEqual(pick(again.last), { type: 'replayed', triesUsed: 1 });
  assert.equal(again.state.tasks.get('tsk_2'), undefined);
  assert.equal(run([creating({ id: 'tsk_2', idem: 'k', bodySha256: 'c' })], state).last.type, 'conflict');
});

test('a run that was taken over can do nothing more, one that is heard of is not taken over', () => {
  const { state } = run([creating()]);
  const take = { type: 'take', id: ID, by: 'p2' } as const;
  assert.equal(run([take], state).last.type, 'lost');
  assert.equal(run([{ type: 'renew', id: ID, by: 'p1' }, take], state, LEASE_MS).last.type, 'lost');
  const taken = run([take], state, 1_000 + LEASE_MS);
  assert.deepEqual([taken.last.type, taken.task.runBy, taken.task.attempts], ['done', 'p2', 2]);
  assert.equal(run([advancing(['rejected'], { by: 'p1' })], taken.state).last.type, 'lost');
  assert.equal(run([advancing(['rejected'], { by: 'p2' })], taken.state).last.type, 'done');
});

test('a waiting task expires at its time, whether or not a sweep has seen it, and is deleted much later', () => {
  const waiting = run([creating(), advancing(['quoted'])]);
  const dueMs = waiting.task.dueAtMs as number;
  assert.equal(dueMs, 1_001 + 900_000);
  assert.deepEqual(run([advancing(['working'])], waiting.state, dueMs).last, {
    type: 'transition_invalid',
    from: 'expired',
    to: 'working',
  });
  const sweep = { type: 'sweep', dueBeforeMs: dueMs } as const;
  const expired = run([sweep], { ...waiting.state, due: [ID] }, dueMs);
  assert.equal(expired.task.state, 'expired');
  const gone = run([sweep], { ...expired.state, due: [ID] }, expired.task.dueAtMs as number);
  assert.deepEqual([gone.task, gone.state.steps.get(ID)], [undefined, undefined]);
});

test('free tries are counted to the end of their thirty days, also where a process whose clock runs ahead sweeps', () => {
  const { state } = run([creating()]);
  const overMs = Date.parse(PERIOD) + 30 * DAY_MS;
  const sweep = { type: 'sweep', dueBeforeMs: overMs + DAY_MS } as const;
  const usedAfter = (nowMs: number) =>
    decide({ ...state, triesOver: ['home'] }, nowMs, NEXT, sweep).state.tries.get('home')?.used;
  assert.deepEqual([usedAfter(overMs - 1), usedAfter(overMs)], [1, undefined]);
});

test('a dry run changes nothing', () => {
  const { state } = run([creating()]);
  assert.equal(decide(state, 2_000, NEXT, advancing(['rejected'], { isDry: true })).state, state);
});

function pick(result: TaskResult): object {
  const { type, triesUsed } = result as { type: string; triesUsed: number };
  return { type, triesUsed };
}
