import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type LeaseId, tokenHash } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { claimCommand, markCommand, refreshCommand, releaseCommand } from './_commands.ts';
import { decide } from './decide.ts';
import {
  CLEARANCE_MS,
  ENDED_KEPT_MS,
  type EndedLease,
  type Lease,
  MAX_SHARED_LEASES,
  ONCE_MS,
  onceIntentOf,
} from './lease/lease.ts';
import type { ClaimAllResult, ClaimResult, CrossingCommand, CrossingState } from './state.ts';
import { crossingUnit } from './unit.ts';

const NOW = 1_000_000;
const TOKEN = 'token-of-the-old-holder';

function lease(given: Partial<Lease> = {}): Lease {
  return {
    key: 'k',
    id: 'L000000000001',
    agent: 'a1',
    mode: 'exclusive',
    tokenHash: tokenHash(TOKEN),
    intent: null,
    hops: null,
    addressTag: 'tag',
    sinceMs: NOW - 1_000,
    evidenceAtMs: null,
    expiresAtMs: NOW + 100_000,
    fence: 6 + Number(given.id?.at(-1) ?? 1),
    identity: null,
    ...given,
  };
}

function stateWith(leases: readonly Lease[], ended: readonly EndedLease[] = []): CrossingState {
  const names = Object.keys(crossingUnit.reads([]));
  const nothing = Object.fromEntries(names.map((name) => [name, []])) as unknown as FoundRows;
  return crossingUnit.load({ ...nothing, leases, leasesBeside: leases, leasesDue: leases, ended }, []);
}

type FoundRows = Parameters<typeof crossingUnit.load>[0];

function run(state: CrossingState, command: CrossingCommand, nowMs = NOW) {
  return decide(state, nowMs, { rev: 100, seq: 10 }, command);
}

function claimOn(leases: readonly Lease[], given: Parameters<typeof claimCommand>[0], nowMs = NOW): ClaimResult {
  return run(stateWith(leases), claimCommand(given), nowMs).result as ClaimResult;
}

const REFUSALS: readonly [string, readonly Lease[], Parameters<typeof claimCommand>[0], string, number][] = [
  ['hops below zero', [], { hops: -1 }, 'hop_limit', 0],
  ['mode once on a public venue', [], { mode: 'once', publicVenue: true }, 'public_venue', 0],
  ['a live lease of the same name', [lease()], { agent: 'a1', mode: 'exclusive' }, 'already_yours', 115_000],
  ['a live shared lease of the same name', [lease({ mode: 'shared' })], { agent: 'a1' }, 'already_yours', 100_000],
  [
    'its own name beside a shared holder who stays longer',
    [
      lease({ mode: 'shared' }),
      lease({ id: 'L000000000002', agent: 'c3', mode: 'shared', expiresAtMs: NOW + 200_000 }),
    ],
    { agent: 'a1', mode: 'exclusive' },
    'already_yours',
    200_000,
  ],
  [
    'the same name with a wrong token',
    [lease()],
    { agent: 'a1', mode: 'exclusive', token: 'x'.repeat(22) },
    'already_yours',
    115_000,
  ],
  ['another exclusive holder', [lease()], { agent: 'b2' }, 'held', 115_000],
  ['another once holder', [lease({ mode: 'once' })], { agent: 'b2' }, 'held', 115_000],
  [
    'an exclusive claim beside a shared holder',
    [lease({ mode: 'shared' })],
    { agent: 'b2', mode: 'exclusive' },
    'held',
    100_000,
  ],
  ['a lease in clearance', [lease({ expiresAtMs: NOW - 1 })], { agent: 'b2' }, 'in_clearance', CLEARANCE_MS - 1],
  [
    'its own lapsed lease without the token',
    [lease({ expiresAtMs: NOW - 1 })],
    { agent: 'a1' },
    'in_clearance',
    CLEARANCE_MS - 1,
  ],
  [
    'full slots',
    [lease({ mode: 'shared' }), lease({ id: 'L000000000002', agent: 'c3', mode: 'shared', expiresAtMs: NOW + 5_000 })],
    { agent: 'b2', slots: 1 },
    'slots_full',
    100_000,
  ],
];

for (const [what, leases, given, code, waitMs] of REFUSALS) {
  test(`a claim against ${what} is refused as ${code} with the longest wait`, () => {
    const result = claimOn(leases, given);
    assert.equal(result.outcome, 'refused');
    assert.equal(result.outcome === 'refused' && result.code, code);
    assert.equal(result.outcome === 'refused' && result.waitMs, waitMs);
    assert.equal(result.rev, 99, 'a refusal takes no revision');
  });
}

test('slots count the others: two of three slots taken still grants', () => {
  const others = [lease({ mode: 'shared' }), lease({ id: 'L000000000002', agent: 'c3', mode: 'shared' })];
  const result = claimOn(others, { agent: 'b2', slots: 3 });
  assert.equal(result.outcome, 'granted');
  assert.equal(result.outcome === 'granted' && result.position, 3);
});

test('the wait for slots is the expiry that brings the others below slots', () => {
  const others = [1_000, 2_000, 3_000].map((ms, index) =>
    lease({ id: `L00000000000${index}`, agent: `x${index}`, mode: 'shared', expiresAtMs: NOW + ms }),
  );
  const waits = [1, 2, 3].map((slots) => {
    const result = claimOn(others, { agent: 'b2', slots });
    return result.outcome === 'refused' ? result.waitMs : null;
  });
  assert.deepEqual(waits, [3_000, 2_000, 1_000]);
});

suite('a crowd on one key', () => {
  const crowdOf = (length: number) =>
    Array.from({ length }, (_, n) =>
      lease({
        id: `Lcrowd${String(n).padStart(7, '0')}`,
        agent: `x${n}`,
        mode: 'shared',
        fence: n + 1,
        expiresAtMs: NOW + 1_000 + n,
      }),
    );

  const crowd = crowdOf(MAX_SHARED_LEASES);

  test('is at most the limit, whatever slots are given', () => {
    const refusedBy = (given: Parameters<typeof claimCommand>[0], leases = crowd) => {
      const result = claimOn(leases, { agent: 'b2', ...given });
      return result.outcome === 'refused' ? [result.code, result.cap, result.waitMs] : result.outcome;
    };
    const slots = MAX_SHARED_LEASES;
    assert.deepEqual(refusedBy({}), ['slots_full', { cause: 'limit', slots }, 1_000]);
    assert.deepEqual(refusedBy({ slots }), ['slots_full', { cause: 'slots', slots }, 1_000]);
    assert.equal(refusedBy({}, crowd.slice(1)), 'granted');
    // Data of an earlier version: full until fewer are left than the limit takes now.
    const larger = crowdOf(1_000);
    assert.deepEqual(refusedBy({}, larger), ['slots_full', { cause: 'limit', slots }, 1_000 + 1_000 - slots]);
    const own = refreshCommand({ leaseId: larger[999]?.id as LeaseId, token: TOKEN });
    assert.equal(run(stateWith(larger), own).result.outcome, 'refreshed');
  });

  test('makes a change cost no more than a few looks at each lease, and only what changed is written', () => {
    let looks = 0;
    const rows = crowd.slice(1).map((row) => {
      const { id, ...rest } = row;
      return Object.defineProperty(rest as Lease, 'id', { enumerable: true, get: () => ((looks += 1), id) });
    });
    const before = stateWith(rows);
    const { state: after } = run(before, claimCommand({ agent: 'b2' }));
    const writes = crossingUnit.writes(before, after);
    assert.equal(writes.flatMap((write) => write.rows).length, 1);
    assert.ok(looks < 20 * rows.length, `${looks} looks at ${rows.length} leases`);
  });
});

test('the same token again is the same lease, without an event', () => {
  const { result, events } = run(stateWith([lease()]), claimCommand({ agent: 'a1', mode: 'exclusive', token: TOKEN }));
  assert.equal(result.outcome, 'repeated');
  assert.equal(result.outcome === 'repeated' && result.lease.fence, 7);
  assert.equal(events, undefined);
});

test('with hops below zero a claim asks for the lease of its token, and is granted none', () => {
  const asked = { agent: 'a1', mode: 'exclusive', token: TOKEN, hops: -1 } as const;
  const own = claimOn([lease()], asked);
  assert.equal(own.outcome === 'repeated' && own.lease.fence, 7);
  for (const leases of [[], [lease({ expiresAtMs: NOW - 1 })]]) {
    const none = claimOn(leases, asked);
    assert.equal(none.outcome === 'refused' && none.code, 'hop_limit');
  }
});

test('the old holder gets its key back in clearance, with a new lease and a higher fence', () => {
  const state = stateWith([lease({ expiresAtMs: NOW - 1 })]);
  const { result, events } = run(state, claimCommand({ agent: 'a1', mode: 'exclusive', token: TOKEN }));
  assert.equal(result.outcome, 'granted');
  assert.equal(result.outcome === 'granted' && result.lease.fence, 101);
  assert.deepEqual(
    events?.map(({ type }) => type),
    ['expire', 'claim'],
  );
});

test('after the clearance anybody is granted, and the lapsed lease leaves with it', () => {
  const lapsed = lease({ expiresAtMs: NOW - CLEARANCE_MS });
  const { result, state } = run(stateWith([lapsed]), claimCommand({ agent: 'b2', mode: 'exclusive' }));
  assert.equal(result.outcome, 'granted');
  assert.equal(state.ended.get(lapsed.id)?.how, 'expired');
  assert.deepEqual(
    state.leases.get('k')?.map(({ agent }) => agent),
    ['b2'],
  );
});

test('a shared lease that expired has no clearance', () => {
  assert.equal(
    claimOn([lease({ mode: 'shared', expiresAtMs: NOW })], { agent: 'b2', mode: 'exclusive' }).outcome,
    'granted',
  );
});

test('once happens once in thirty days, and only its old holder resumes it in clearance', () => {
  const first = run(stateWith([]), claimCommand({ agent: 'a1', mode: 'once', token: TOKEN }));
  const again = (state: CrossingState, given: Parameters<typeof claimCommand>[0], nowMs: number) =>
    run(state, claimCommand({ mode: 'once', ...given }), nowMs).result as ClaimResult;
  const expiredMs = NOW + 600_000;
  const refused = again(first.state, { agent: 'b2' }, expiredMs + CLEARANCE_MS);
  assert.equal(refused.outcome === 'refused' && refused.code, 'once_taken');
  assert.equal(again(first.state, { agent: 'a1', token: TOKEN }, expiredMs + 1).outcome, 'granted');
  assert.equal(again(first.state, { agent: 'b2' }, NOW + ONCE_MS).outcome, 'granted');
});

test('a resumed once keeps the end of its thirty days', () => {
  const first = run(stateWith([]), claimCommand({ agent: 'a1', mode: 'once', token: TOKEN }));
  const resumed = run(first.state, claimCommand({ agent: 'a1', mode: 'once', token: TOKEN }), NOW + 600_001);
  assert.equal(resumed.state.once.get('once-k')?.untilMs, NOW + ONCE_MS);
});

test('a refresh keeps the fence, never shortens, and ends exactly at the expiry', () => {
  const short = run(stateWith([lease()]), refreshCommand({ leaseId: lease().id, token: TOKEN, ttlMs: 30_000 }));
  assert.equal(short.result.outcome === 'refreshed' && short.result.lease.expiresAtMs, NOW + 100_000);
  const long = run(stateWith([lease()]), refreshCommand({ leaseId: lease().id, token: TOKEN }));
  assert.equal(long.result.outcome === 'refreshed' && long.result.lease.expiresAtMs, NOW + 600_000);
  assert.equal(long.result.outcome === 'refreshed' && long.result.lease.fence, 7);
  const late = run(stateWith([lease({ expiresAtMs: NOW })]), refreshCommand({ leaseId: lease().id, token: TOKEN }));
  assert.equal(late.result.outcome === 'refused' && late.result.code, 'lease_lost');
});

test('a refresh needs the token and the key of its lease', () => {
  const state = stateWith([lease()]);
  const wrong = run(state, refreshCommand({ leaseId: lease().id, token: 'y'.repeat(22) }));
  assert.equal(wrong.result.outcome, 'bad_token');
  assert.equal(
    run(state, refreshCommand({ leaseId: lease().id, token: TOKEN, key: 'other' })).result.outcome,
    'other_key',
  );
});

test('a release frees the key at once and is remembered for repeats', () => {
  const released = run(stateWith([lease()]), releaseCommand({ leaseId: lease().id, token: TOKEN }));
  assert.deepEqual(
    released.events?.map(({ type }) => type),
    ['release'],
  );
  assert.equal((released.result as { again: boolean }).again, false);
  const again = run(released.state, releaseCommand({ leaseId: lease().id, token: TOKEN }), NOW + 5);
  assert.deepEqual(again.events, undefined);
  assert.deepEqual(again.result, {
    outcome: 'released',
    again: true,
    leaseId: lease().id,
    key: 'k',
    releasedAtMs: NOW,
    releaseInfo: { seq: 10, outcome: null, markSeq: null, markRefused: null },
    rev: 100,
    atMs: NOW + 5,
  });
  assert.equal(run(released.state, claimCommand({ agent: 'b2', mode: 'exclusive' })).result.outcome, 'granted');
});

test('releasing an expired lease is harmless and says that it was not released', () => {
  const { result } = run(
    stateWith([lease({ expiresAtMs: NOW })]),
    releaseCommand({ leaseId: lease().id, token: TOKEN }),
  );
  assert.equal((result as { releasedAtMs: number | null }).releasedAtMs, null);
  assert.equal((result as { again: boolean }).again, true);
});

test('a wrong token releases nothing, an unknown lease is unknown', () => {
  const state = stateWith([lease()]);
  assert.equal(run(state, releaseCommand({ leaseId: lease().id, token: 'z'.repeat(22) })).result.outcome, 'bad_token');
  assert.equal(run(state, releaseCommand({ leaseId: 'L999999999999', token: TOKEN })).result.outcome, 'unknown_lease');
});

test('a sweep removes leases after their clearance and ends after thirty days, nothing earlier', () => {
  const inClearance = lease({ expiresAtMs: NOW - CLEARANCE_MS + 1 });
  const gone = lease({ id: 'L000000000002', key: 'k2', expiresAtMs: NOW - CLEARANCE_MS });
  const state = stateWith([inClearance, gone]);
  const swept = run(state, { type: 'sweep', commandId: 'c', dueBeforeMs: NOW });
  assert.equal(swept.state.leases.get('k')?.length, 1);
  assert.equal(swept.state.leases.get('k2'), undefined);
  assert.deepEqual(
    swept.events?.map(({ type, key }) => [type, key]),
    [['expire', 'k2']],
  );
  const later = run(swept.state, releaseCommand({ leaseId: gone.id, token: TOKEN }), NOW + ENDED_KEPT_MS - 1);
  assert.equal(later.result.outcome, 'released');
});

test('a sweep of a process whose clock runs ahead removes no mark that has not faded yet', () => {
  const given = stateWith([]);
  const faded = VersionedMap.of([['1', { seq: 1, fadesAtMs: NOW }] as const, ['2', { seq: 2, fadesAtMs: NOW + 1 }]]);
  const state = { ...given, faded, due: { ...given.due, marks: ['1', '2'] } };
  const swept = run(state, { type: 'sweep', commandId: 'c', dueBeforeMs: NOW + 60_000 });
  assert.deepEqual(swept.result, { outcome: 'swept', removed: 1 });
  assert.deepEqual(swept.state.faded.values(), [{ seq: 2, fadesAtMs: NOW + 1 }]);
});

test('decide is pure: the same frozen input twice gives the same answer and writes', () => {
  const command = Object.freeze(claimCommand({ agent: 'b2', mode: 'exclusive', token: TOKEN }));
  const answers = [1, 2].map(() => {
    const before = stateWith([Object.freeze(lease({ expiresAtMs: NOW - CLEARANCE_MS }))]);
    const { result, events, state } = run(before, command);
    return { result, events, writes: crossingUnit.writes(before, state) };
  });
  assert.deepEqual(answers[0], answers[1]);
});

test('a refused exclusive claim may wait in a line, and only the first in it gets the freed key', () => {
  const held = stateWith([lease()]);
  const wish = (agent: string) => claimCommand({ agent, mode: 'exclusive', token: agent.repeat(22), queues: true });
  const [first, second] = [wish('b2'), wish('c3')];
  const one = run(held, first);
  const two = run(one.state, second);
  const queueOf = (result: unknown) => (result as { queue?: { position: number; keepAliveMs: number } }).queue;
  assert.deepEqual([queueOf(one.result)?.position, queueOf(two.result)?.position], [1, 2]);
  assert.equal(crossingUnit.writes(held, two.state).flatMap(({ rows }) => rows).length, 2, 'two tickets, no event');
  const freed = run(two.state, releaseCommand({ leaseId: lease().id, token: TOKEN }));
  const late = run(freed.state, second, NOW + 1);
  assert.deepEqual(
    [late.result.outcome === 'refused' && late.result.code, late.result.outcome === 'refused' && late.result.waitMs],
    ['in_clearance', 9_999],
  );
  const shared = run(late.state, claimCommand({ agent: 'd4' }), NOW + 2).result;
  assert.equal(shared.outcome === 'refused' && shared.code, 'in_clearance', 'nobody else either');
  const thief = run(late.state, { ...first, proof: 'of somebody else', givenTokenHash: null }, NOW + 2).result;
  assert.equal(thief.outcome === 'refused' && thief.code, 'in_clearance', 'the name alone is no ticket');
  assert.equal(run(late.state, first, NOW + 3).result.outcome, 'granted');
});

test('the old holder in clearance comes before the line, and the line has its turn after the clearance', () => {
  const lapsing = lease({ expiresAtMs: NOW + 1_000 });
  const first = claimCommand({ agent: 'b2', mode: 'exclusive', token: 'b'.repeat(22), queues: true });
  const { state } = run(stateWith([lapsing]), first, NOW);
  const inClearance = NOW + 2_000;
  assert.equal(run(state, first, inClearance).result.outcome, 'refused');
  const back = run(state, claimCommand({ agent: 'a1', mode: 'exclusive', token: TOKEN }), inClearance);
  assert.equal(back.result.outcome, 'granted');
  const renewed = run(state, first, NOW + CLEARANCE_MS);
  const other = claimCommand({ agent: 'c3', mode: 'exclusive' });
  const freeAt = NOW + 1_000 + CLEARANCE_MS;
  assert.equal(run(renewed.state, other, freeAt).result.outcome, 'refused');
  assert.equal(run(renewed.state, other, freeAt + 10_000).result.outcome, 'granted');
  assert.equal(run(renewed.state, first, freeAt).result.outcome, 'granted');
});

test('a sweep leaves the turn of somebody who asked in time, though it need not ask again before its turn', () => {
  const lapsing = lease({ expiresAtMs: NOW + 1_000 });
  const first = claimCommand({ agent: 'b2', mode: 'exclusive', token: 'b'.repeat(22), queues: true });
  const freeAt = NOW + 1_000 + CLEARANCE_MS;
  const { state } = run(stateWith([lapsing]), first, freeAt - 1);
  const keepUntilMs = state.queues.get('k')?.tickets[0]?.keepUntilMs ?? 0;
  assert.ok(keepUntilMs > freeAt && keepUntilMs < freeAt + 9_000);
  const sweepAt = (nowMs: number) => {
    const due = { ...state.due, keys: new Set(['k']), queues: ['k'] };
    return run({ ...state, due }, { type: 'sweep', commandId: 'c', dueBeforeMs: nowMs }, nowMs).state;
  };
  const other = claimCommand({ agent: 'c3' });
  assert.equal(run(sweepAt(freeAt + 9_000), other, freeAt + 9_000).result.outcome, 'refused');
  assert.equal(run(sweepAt(freeAt + 9_000), first, freeAt + 9_000).result.outcome, 'granted');
  assert.equal(sweepAt(keepUntilMs + 10_000).queues.get('k'), undefined);
});

suite('the slots of a brief', () => {
  const briefSlots = new Map([
    ['open', { id: 'open', key: 'k', slots: 2, openUntilMs: null }],
    ['closed', { id: 'closed', key: 'k', slots: 1, openUntilMs: NOW }],
    ['of other work', { id: 'of other work', key: 'k2', slots: 1, openUntilMs: null }],
  ]);
  const state = {
    ...stateWith([lease({ mode: 'shared' }), lease({ mode: 'shared', agent: 'c3', id: 'L000000000002', fence: 8 })]),
    briefSlots,
  };
  const named = (id: string, by: 'parameter' | 'link' = 'parameter') => ({ id, by });

  test('cap the claims that name it, and no others', () => {
    const capOf = (given: Parameters<typeof claimCommand>[0]) => {
      const { result } = run(state, claimCommand({ agent: 'b2', ...given }));
      return result.outcome === 'refused' ? result.cap : result.outcome;
    };
    assert.equal(capOf({}), 'granted');
    assert.equal(capOf({ slots: 3 }), 'granted');
    assert.deepEqual(capOf({ slots: 2 }), { cause: 'slots', slots: 2 });
    for (const by of ['parameter', 'link'] as const) {
      assert.deepEqual(capOf({ slots: 9, brief: named('open', by) }), { cause: 'brief', slots: 2, brief: 'open' });
      assert.deepEqual(capOf({ slots: 1, brief: named('open', by) }), { cause: 'slots', slots: 1 });
      assert.equal(capOf({ brief: named('closed', by) }), 'granted');
    }
  });

  test('are asked for with a brief of the key only; a link that is none is a key like any other', () => {
    for (const id of ['of other work', 'unknown']) {
      const outcome = (by: 'parameter' | 'link') =>
        run(state, claimCommand({ agent: 'b2', brief: named(id, by) })).result.outcome;
      assert.deepEqual([outcome('parameter'), outcome('link')], ['other_brief', 'granted']);
    }
  });
});

test('a once intent that failed or was declined may be taken again, one that was done or left may not', () => {
  for (const [outcome, expected] of [
    ['failed', 'granted'],
    ['declined', 'granted'],
    ['done', 'refused'],
    [null, 'refused'],
  ] as const) {
    const onceIntent = onceIntentOf({ key: 'k', intent: null });
    const claim = claimCommand({ agent: 'a1', mode: 'once', onceIntent, token: TOKEN });
    const taken = run(stateWith([]), claim);
    const { lease: held } = taken.result as { lease: Lease };
    const kept = { ...taken.state, keyOfLease: new Map([[held.id, 'k']]) };
    const { state } = run(kept, releaseCommand({ leaseId: held.id, token: TOKEN, outcome }));
    assert.equal(run(state, { ...claim, agent: 'b2' }).result.outcome, expected, String(outcome));
  }
});

test('a release with an outcome leaves one mark, and is a release all the same where it may leave none', () => {
  const marked = markCommand({ kind: 'note' });
  const three = ['1', '2', '3'].reduce((state, note) => run(state, { ...marked, note }).state, stateWith([lease()]));
  const release = releaseCommand({ leaseId: lease().id, token: TOKEN, outcome: 'done' });
  const left = run(stateWith([lease()]), release);
  assert.deepEqual(
    left.events?.map(({ type }) => type),
    ['release', 'mark'],
  );
  const releaseInfoOf = (given: ReturnType<typeof run>) => (given.result as { releaseInfo: unknown }).releaseInfo;
  const releaseInfo = { seq: 10, outcome: 'done', markSeq: 11, markRefused: null };
  assert.deepEqual(releaseInfoOf(left), releaseInfo);
  assert.deepEqual(releaseInfoOf(run(left.state, release)), releaseInfo, 'the second release repeats it');
  assert.deepEqual(releaseInfoOf(run(three, release)), { ...releaseInfo, markSeq: null, markRefused: 'mark_limit' });
  const refusedByRule = run(stateWith([lease()]), { ...release, ruleRefused: true });
  assert.deepEqual(releaseInfoOf(refusedByRule), { ...releaseInfo, markSeq: null, markRefused: 'rule_refused' });
  assert.equal(refusedByRule.entries?.length, 1);
});

test('several keys are claimed all or none, one event and one fence each', () => {
  const claims = ['k1', 'k2', 'k'].map((key) => claimCommand({ key, agent: 'b2', mode: 'exclusive' }));
  const refused = run(stateWith([lease()]), { type: 'claim_all', claims });
  assert.deepEqual([refused.events, refused.result.outcome], [undefined, 'none']);
  assert.equal((refused.result as ClaimAllResult & { outcome: 'none' }).refused[0]?.key, 'k');
  const { result, events } = run(stateWith([]), { type: 'claim_all', claims });
  const fences = (result as ClaimAllResult & { outcome: 'all' }).results.map(
    (one) => 'lease' in one && one.lease.fence,
  );
  assert.deepEqual([fences, events?.length], [[100, 101, 102], 3]);
});
