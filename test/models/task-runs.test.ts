import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isChainWhole } from '#areas/tasks/evidence.ts';
import { ManualClock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import { newId } from '#kernel/ids.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import { type OpenedStore, openStore } from '../support/engines.ts';
import { ENGINES, hasPostgres } from '../support/databases.ts';
import { ANONYMOUS, callRoute, FREE } from '#kernel/task-route.ts';
import { SEAL_FEE_MICRO } from '#platform/ledger/steps.ts';
import { EVERY_BOUNDARY, testKilledRuns } from './killed-runs.ts';
import {
  CALL,
  CountedWork,
  dyingAt,
  ended,
  fetchingWork,
  FUNDS,
  inputOf,
  Killed,
  PRICE,
  tasksOf,
  unreadable,
} from './task-runs.ts';
import { fund } from '../support/wallet.ts';

/** Work that waits until it is let go. */
class GatedWork extends CountedWork {
  readonly #gate: Promise<void>;
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves when it is asked for. */
  readonly begun = this.#begun.promise;

  constructor(gate: Promise<void>) {
    super();
    this.#gate = gate;
  }

  override async run(...given: Parameters<CountedWork['run']>) {
    this.#begun.resolve();
    await this.#gate;
    return super.run(...given);
  }
}

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  suite(`a killed run on ${engine}`, { skip }, () => {
    const clock = new ManualClock();
    let opened: OpenedStore;
    before(async () => (opened = await openStore(engine, { injectedClock: clock })));
    after(() => opened[Symbol.asyncDispose]());
    const funded = async () => {
      const parts = { agentId: newId('agt_'), clock, work: new CountedWork() };
      await fund(opened.store, parts.agentId, FUNDS);
      return parts;
    };

    test('is taken up at every boundary: executed once, charged once, sealed once, its chain whole', async () => {
      let commits = Number.POSITIVE_INFINITY;
      for (let at = 1; at <= commits; at += 1) {
        for (const when of ['before', 'after'] as const) {
          const parts = await funded();
          const { agentId, work } = parts;
          const killed = dyingAt(opened.store, { at, when });
          const first = tasksOf(killed, parts, 'p1');
          const called = first.create(inputOf(agentId), CALL, 'create_task');
          await called.catch((error: unknown) => assert.ok(error instanceof Killed));
          await first.runs.settled();
          if (killed.commits() < at) commits = killed.commits();
          const second = tasksOf(opened.store, parts, 'p2');
          clock.advance(60_001);
          await second.runs.resume();
          await second.runs.settled();
          // The caller never had an answer and repeats its call.
          const again = await second.create(inputOf(agentId), CALL, 'create_task');
          assert.ok(!(again instanceof Refusal));
          await second.runs.settled();
          const { id, state, steps, money, seals } = await ended(opened.store, agentId);
          const names = steps.map(({ name }) => name);
          assert.deepEqual(
            [state, id, [...work.effects], money, seals, names],
            [
              'completed',
              again.body.task_id,
              [`${id}:4`],
              [FUNDS - PRICE, 0],
              1,
              ['route', 'quote', 'reserve', 'execute', 'seal', 'settle'],
            ],
            `commit ${at} ${when}`,
          );
          assert.ok(isChainWhole(id, steps));
          const executed = steps[3] as (typeof steps)[number];
          const altered = String(executed.output).replace('done', 'gone');
          assert.ok(!isChainWhole(id, steps.with(3, { ...executed, output: altered })));
        }
      }
      assert.ok(commits >= 4 && commits < 10, `${commits} commits`);
    });

    test('is taken up at every boundary and seals its page once, with the step that names the seal', async () => {
      for (const { at, when } of EVERY_BOUNDARY) {
        const parts = { ...(await funded()), work: fetchingWork(clock) };
        const url = `https://${parts.agentId.replace('_', '-')}.example/`;
        const input = { ...inputOf(parts.agentId), inputs: { url } };
        const first = tasksOf(dyingAt(opened.store, { at, when }), parts, 'p1');
        await first.create(input, CALL, 'create_task').catch(() => undefined);
        await first.runs.settled();
        const second = tasksOf(opened.store, parts, 'p2');
        clock.advance(60_001);
        await second.runs.resume();
        await second.runs.settled();
        const again = await second.create(input, CALL, 'create_task');
        assert.ok(!(again instanceof Refusal));
        const { state, steps, money } = await ended(opened.store, parts.agentId);
        const { result } = JSON.parse(String(steps[3]?.output)) as { result: { attestation_id: string } };
        const sealed = await opened.store.read(
          'SELECT e.attestation_id FROM entries e JOIN records r ON r.seq = e.seq WHERE r.claim LIKE $1',
          [`%${url}%`],
        );
        assert.deepEqual(
          [state, sealed.map((row) => row['attestation_id']), money],
          ['completed', [result.attestation_id], [FUNDS - SEAL_FEE_MICRO, 0]],
          `commit ${at} ${when}`,
        );
      }
    });

    test('whose work breaks off again and again fails, uncharged', async () => {
      const parts = await funded();
      parts.work.diesInside = true;
      const tasks = tasksOf(opened.store, parts, 'p1');
      await tasks.create(inputOf(parts.agentId), CALL, 'create_task');
      for (let turn = 0; turn < 3; turn += 1) {
        clock.advance(60_001);
        assert.equal(await tasks.runs.resume(), 1);
        await tasks.runs.settled();
      }
      const { id, state, body, steps, money, seals } = await ended(opened.store, parts.agentId);
      assert.deepEqual([state, money, seals, parts.work.effects.size], ['failed', [FUNDS, 0], 1, 1]);
      assert.match(body, /"code":"work_failed"/);
      assert.ok(isChainWhole(id, steps));
      assert.equal(await tasks.runs.resume(), 0);
    });

    test('whose work finds the inputs wrong asks about them, with its money free again', async () => {
      const parts = await funded();
      const refusal = new Refusal(transitionInvalid, {
        detail: 'wrong',
        errors: [{ pointer: '#/bom/lines', code: 'missing', detail: 'is required' }],
      });
      const call = async (inputs: object) => ('bom' in inputs ? { total: 1 } : refusal);
      const work = callRoute({ revenue: 'revenue:bom', priceMicro: () => PRICE, from: {}, call });
      const tasks = tasksOf(opened.store, { ...parts, work }, 'p1');
      const made = await tasks.create(inputOf(parts.agentId), CALL, 'create_task');
      assert.ok(!(made instanceof Refusal));
      const { task_id, receipt_key } = made.body;
      const settled = async () => {
        await tasks.runs.settled();
        const status = await tasks.check({ ref: task_id, receipt_key });
        assert.ok(!(status instanceof Refusal));
        return status;
      };
      const { state, questions } = await settled();
      assert.deepEqual([state, questions], ['input_required', [{ id: 'bom/lines', text: 'bom/lines: is required' }]]);
      assert.deepEqual((await ended(opened.store, parts.agentId)).money, [FUNDS, 0]);
      const answered = await tasks.answer({ task_id, inputs: { bom: {} }, receipt_key }, CALL);
      assert.ok(!(answered instanceof Refusal));
      const done = await settled();
      assert.deepEqual([done.state, done.result], ['completed', { total: 1 }]);
      const { id, steps, money } = await ended(opened.store, parts.agentId);
      assert.deepEqual([money, isChainWhole(id, steps)], [[FUNDS - PRICE, 0], true]);
    });

    test('that is canceled charges nothing and shows no result, whatever its work still gives', async () => {
      const parts = await funded();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const work = new GatedWork(gate);
      const tasks = tasksOf(opened.store, { ...parts, work }, 'p1');
      const made = tasks.create(inputOf(parts.agentId), CALL, 'create_task');
      await work.begun;
      const at = await ended(opened.store, parts.agentId);
      assert.deepEqual([at.state, at.money], ['working', [FUNDS, PRICE]]);
      const canceled = await tasks.cancel({ task_id: at.id, agent_key: 'agk_x' });
      assert.ok(!(canceled instanceof Refusal) && canceled.state === 'canceled');
      open();
      await tasks.runs.settled();
      await made;
      const { state, money } = await ended(opened.store, parts.agentId);
      assert.deepEqual([state, money], ['canceled', [FUNDS, 0]]);
    });

    test('that takes longer than two seconds is answered while it works', async () => {
      const parts = await funded();
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const work = new GatedWork(gate);
      const quoting = tasksOf(opened.store, { ...parts, work }, 'p1');
      const quoted = await quoting.create({ ...inputOf(parts.agentId), mode: 'quote' }, CALL, 'create_task');
      assert.ok(!(quoted instanceof Refusal));
      const { task_id: id, receipt_key } = quoted.body;
      // From its acceptance on it is working, however long the machine takes for the steps before.
      const tasks = tasksOf(opened.store, { ...parts, work, patience: 1 }, 'p1');
      const answer = await tasks.accept({ task_id: id, receipt_key });
      assert.ok(!(answer instanceof Refusal));
      const { state, poll, result } = answer;
      assert.deepEqual([state, poll, result], ['working', `/api/tasks/${id}`, null]);
      open();
      await tasks.runs.settled();
      const status = await tasks.check({ ref: id, receipt_key });
      assert.deepEqual(status instanceof Refusal ? status : [status.state, status.result], [
        'completed',
        { said: 'done' },
      ]);
    });

    test('that is stored is answered though it cannot be read again', async () => {
      const parts = await funded();
      const faults: string[] = [];
      const logFault = (id: string) => void faults.push(id);
      const tasks = tasksOf(unreadable(opened.store), { ...parts, logFault }, 'p1');
      const made = await tasks.create({ ...inputOf(parts.agentId), idempotency_key: undefined }, CALL, 'create_task');
      assert.ok(!(made instanceof Refusal));
      await tasks.runs.settled();
      const { id, state, money } = await ended(opened.store, parts.agentId);
      assert.deepEqual([made.status, made.body.task_id, state, money], [201, id, 'completed', [FUNDS - PRICE, 0]]);
      assert.deepEqual(faults, [id]);
    });

    test('of one address is let go on once at a time where nobody has a key', async () => {
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const work = Object.assign(new GatedWork(gate), { quote: async () => FREE });
      const tasks = tasksOf(opened.store, { agentId: ANONYMOUS, clock, work, patience: 0 }, 'p1');
      const asked = { ...inputOf(ANONYMOUS), mode: 'quote' as const, idempotency_key: undefined };
      const quoted = [];
      for (let n = 0; n < 2; n += 1) {
        const made = await tasks.create(asked, CALL, 'create_task');
        assert.ok(!(made instanceof Refusal));
        await tasks.runs.settled();
        quoted.push({ task_id: made.body.task_id, receipt_key: made.body.receipt_key as string });
      }
      const accepted = await Promise.all(quoted.map((one) => tasks.accept(one, CALL)));
      const codes = accepted.map((one) => (one instanceof Refusal ? one.type.code : one.state));
      open();
      await tasks.runs.settled();
      assert.deepEqual(codes.toSorted(), ['in_flight', 'working']);
    });

    test('is run once where two processes take it up at once', async () => {
      const parts = await funded();
      const first = tasksOf(dyingAt(opened.store, { at: 2, when: 'after' }), parts, 'p1');
      await first.create(inputOf(parts.agentId), CALL, 'create_task').catch(() => undefined);
      clock.advance(60_001);
      const stores = [opened.store, await opened.beside()];
      const others = stores.map((store, index) => tasksOf(store, parts, `p${index + 2}`));
      const taken = await Promise.all(others.map(({ runs }) => runs.resume()));
      await Promise.all(others.map(({ runs }) => runs.settled()));
      assert.equal((taken[0] as number) + (taken[1] as number), 1);
      const { state, money } = await ended(opened.store, parts.agentId);
      assert.deepEqual([state, money, parts.work.effects.size], ['completed', [FUNDS - PRICE, 0], 1]);
    });
  });
}

test('a process killed by -9 in the middle of a run leaves what another one ends: once executed, charged and sealed', () =>
  testKilledRuns([
    { at: 1, when: 'after' },
    { at: 3, when: 'after' },
  ]));
