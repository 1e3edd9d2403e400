// Random commands on both engines beside a naive model that knows only the rules of the note.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { claimCommand, refreshCommand, releaseCommand } from '#areas/crossing/_commands.ts';
import type { CrossingCommand, CrossingDeed } from '#areas/crossing/state.ts';
import { crossingUnit } from '#areas/crossing/unit.ts';
import { ManualClock } from '#kernel/clock.ts';
import type { LeaseId } from '#kernel/ids.ts';
import { openStore } from '../support/engines.ts';
import { type EngineName, hasPostgres } from '../support/databases.ts';

interface Held {
  readonly id: LeaseId;
  readonly agent: string;
  readonly mode: string;
  readonly token: string;
  readonly fence: number;
  expiresAtMs: number;
  ended: boolean;
}

type Step =
  | { do: 'claim'; key: string; agent: string; mode: 'shared' | 'exclusive'; slots: number | null; own: boolean }
  | { do: 'refresh' | 'release'; nth: number; wrongToken: boolean }
  | { do: 'wait'; ms: number }
  | { do: 'sweep' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      key: fc.constantFrom('k1', 'k2'),
      agent: fc.constantFrom('a1', 'b2', 'c3'),
      mode: fc.constantFrom('shared' as const, 'exclusive' as const),
      slots: fc.constantFrom(null, 1, 2),
      own: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('refresh' as const, 'release' as const),
      nth: fc.nat(20),
      wrongToken: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 10_000, 15_000, 30_000, 45_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
);

/** What the note promises, kept as simply as possible. */
class Model {
  readonly leases: { key: string; held: Held }[] = [];

  live(key: string, nowMs: number): Held[] {
    return this.leases
      .filter(({ key: k, held }) => k === key && !held.ended && held.expiresAtMs > nowMs)
      .map(({ held }) => held);
  }

  inClearance(key: string, nowMs: number): Held[] {
    return this.leases
      .filter(({ key: k, held }) => k === key && !held.ended && held.mode === 'exclusive')
      .map(({ held }) => held)
      .filter(({ expiresAtMs }) => expiresAtMs <= nowMs && expiresAtMs + 15_000 > nowMs);
  }

  /** 'granted', or the code that must be given. */
  expected(command: Extract<Step, { do: 'claim' }>, token: string | null, nowMs: number): string {
    const live = this.live(command.key, nowMs);
    const mine = live.find(({ agent }) => agent === command.agent);
    if (mine !== undefined && mine.token === token && mine.mode === command.mode) return 'repeated';
    if (mine !== undefined) return 'already_yours';
    if (live.some(({ mode }) => mode === 'exclusive')) return 'held';
    if (this.inClearance(command.key, nowMs).some((held) => held.token !== token)) return 'in_clearance';
    if (command.mode === 'exclusive' && live.length > 0) return 'held';
    if (command.mode === 'shared' && command.slots !== null && live.length >= command.slots) return 'slots_full';
    return 'granted';
  }
}

const TTL_MS = 30_000;

async function play(engine: EngineName, steps: readonly Step[]): Promise<string[]> {
  const clock = new ManualClock();
  await using opened = await openStore(engine, { injectedClock: clock });
  const model = new Model();
  const answers: string[] = [];
  let lastFence = 0;
  for (const [index, next] of steps.entries()) {
    const nowMs = clock.now();
    if (next.do === 'wait') {
      clock.advance(next.ms);
      continue;
    }
    const command = commandOf(next, index, model, nowMs);
    if (command === null) continue;
    const result = await opened.store.run(crossingUnit, command.command);
    assert.equal(outcomeOf(result), command.expected, `step ${index}: ${JSON.stringify(next)}`);
    if (result.outcome === 'granted') {
      assert.ok(result.lease.fence > lastFence, 'fences grow');
      lastFence = result.lease.fence;
      const { id, agent, mode, fence, expiresAtMs } = result.lease;
      for (const { key, held } of model.leases) {
        // A grant removes what lapsed on its key, the holder's own lease in clearance included.
        if (key === result.lease.key && held.expiresAtMs <= nowMs) held.ended = true;
      }
      model.leases.push({
        key: result.lease.key,
        held: { id, agent, mode, token: command.token, fence, expiresAtMs, ended: false },
      });
    }
    if (result.outcome === 'refused' && result.waitMs > 0) {
      assert.ok(result.waitMs <= TTL_MS + 15_000, 'nobody waits longer than a lease and its clearance');
    }
    command.apply(result);
    answers.push(outcomeOf(result));
  }
  const events = await opened.store.read('SELECT rev, key, type, at FROM event ORDER BY rev');
  assert.deepEqual(
    events.map((row) => row['rev']),
    events.map((_, index) => index + 1),
  );
  const live = await opened.store.read('SELECT key, agent, mode, fence, expires_at FROM lease ORDER BY fence');
  return [...answers, ...events.map((row) => JSON.stringify(row)), ...live.map((row) => JSON.stringify(row))];
}

interface Planned {
  readonly command: CrossingCommand;
  readonly token: string;
  readonly expected: string;
  readonly apply: (result: CrossingDeed[1]) => void;
}

function commandOf(next: Exclude<Step, { do: 'wait' }>, index: number, model: Model, nowMs: number): Planned | null {
  if (next.do === 'sweep') {
    const command = { type: 'sweep' as const, commandId: 'sweep', dueBeforeMs: nowMs };
    return { command, token: '', expected: 'swept', apply: () => {} };
  }
  if (next.do === 'claim') {
    const known = model.leases.findLast(({ key, held }) => key === next.key && held.agent === next.agent)?.held;
    const token = next.own && known !== undefined ? known.token : `token-${index}-${'x'.repeat(20)}`;
    const command = claimCommand({
      key: next.key,
      agent: next.agent,
      mode: next.mode,
      slots: next.slots,
      ttlMs: TTL_MS,
      token,
    });
    return { command, token, expected: model.expected(next, token, nowMs), apply: () => {} };
  }
  const target = model.leases[next.nth % Math.max(1, model.leases.length)];
  if (target === undefined) return null;
  const { key, held } = target;
  const token = next.wrongToken ? `wrong-${'x'.repeat(20)}` : held.token;
  const isLive = !held.ended && held.expiresAtMs > nowMs;
  if (next.do === 'refresh') {
    const expected = !isLive ? 'lease_lost' : next.wrongToken ? 'bad_token' : 'refreshed';
    const apply = () => {
      if (expected === 'refreshed') held.expiresAtMs = Math.max(held.expiresAtMs, nowMs + TTL_MS);
    };
    return { command: refreshCommand({ leaseId: held.id, key, token, ttlMs: TTL_MS }), token, expected, apply };
  }
  const apply = () => {
    if (!next.wrongToken && isLive) held.ended = true;
  };
  const expected = next.wrongToken ? 'bad_token' : 'released';
  return { command: releaseCommand({ leaseId: held.id, token }), token, expected, apply };
}

function outcomeOf(result: CrossingDeed[1]): string {
  return result.outcome === 'refused' ? result.code : result.outcome;
}

/** @param runs histories on SQLite, and histories on both engines */
export async function declareLeaseModel(runs: { readonly sqlite: number; readonly both: number }): Promise<void> {
  const skip = !(await hasPostgres()) && 'no PostgreSQL here';
  test('random commands on sqlite give what the rules say', async () => {
    const holds = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      await play('sqlite', steps);
    });
    await fc.assert(holds, { numRuns: runs.sqlite });
  });

  test('the same commands give the same answers and rows on both engines', { skip }, async () => {
    const holds = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      assert.deepEqual(await play('postgres', steps), await play('sqlite', steps));
    });
    await fc.assert(holds, { numRuns: runs.both });
  });
}
