import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VersionedMap } from '#kernel/versioned-map.ts';
import {
  type Brief,
  goneAtMs,
  RETENTION_AFTER_END_MS,
  IDLE_RETENTION_MS,
  MAX_BRIEFS_OF_KEY,
  stateOf,
} from './brief.ts';
import { type BriefCommand, type BriefsState, decide } from './decide.ts';

const NOW = Date.UTC(2026, 10, 15);
const BRIEF: Brief = {
  id: 'brf_a',
  key: 'k',
  slots: 2,
  card: { goal: 'The parser accepts commas', inputs: 'a file' },
  tokenHash: 'right',
  madeAtMs: NOW - 1_000,
  changedAtMs: NOW - 1_000,
  closedAtMs: null,
};
const CHANGE = {
  type: 'change',
  id: BRIEF.id,
  key: 'k',
  tokenHash: 'right',
  given: {},
  slots: undefined,
  closes: false,
} as const;

function stateWith(parts: { brief?: Brief; heldUntilMs?: number; briefs?: number } = {}): BriefsState {
  const { brief = BRIEF, heldUntilMs = 0, briefs = 0 } = parts;
  return {
    briefs: VersionedMap.of([[brief.id, brief]]),
    counts: VersionedMap.of([['k', { briefs }]]),
    heldUntilMs: new Map([['k', heldUntilMs]]),
  };
}
const run = (state: BriefsState, command: BriefCommand, nowMs = NOW) =>
  decide(state, nowMs, { rev: 8 }, command).result;
const outcomes = (state: BriefsState, commands: readonly BriefCommand[]) =>
  commands.map((one) => run(state, one).outcome);

test('only its own token changes a brief, a closed one stays as it is, and closing twice is harmless', () => {
  assert.deepEqual(
    outcomes(stateWith(), [
      { ...CHANGE, tokenHash: 'wrong' },
      { ...CHANGE, id: 'brf_b' },
      { ...CHANGE, closes: true },
    ]),
    ['bad_token', 'unknown', 'stored'],
  );
  const closed = stateWith({ brief: { ...BRIEF, closedAtMs: NOW - 500 } });
  assert.deepEqual(
    outcomes(closed, [
      { ...CHANGE, slots: 3 },
      { ...CHANGE, given: { goal: 'x' } },
    ]),
    ['closed', 'closed'],
  );
  const again = run(closed, { ...CHANGE, closes: true });
  assert.equal(again.outcome === 'stored' && again.brief.closedAtMs, NOW - 500);
});

test('while an agent holds the key the text it works to does not change, and everything else may', () => {
  const held = stateWith({ heldUntilMs: NOW + 5_000 });
  for (const field of ['goal', 'acceptance', 'target', 'boundaries', 'output'] as const) {
    const refused = run(held, { ...CHANGE, given: { [field]: 'Something else entirely' } });
    assert.deepEqual([refused.outcome, refused.outcome === 'held' && refused.untilMs], ['held', NOW + 5_000], field);
  }
  const allowed: BriefCommand[] = [
    { ...CHANGE, given: { goal: BRIEF.card.goal, inputs: 'another file', reward_usd: '5' } },
    { ...CHANGE, slots: 9 },
    { ...CHANGE, closes: true },
  ];
  assert.deepEqual(outcomes(held, allowed), ['stored', 'stored', 'stored']);
  assert.equal(
    run(stateWith({ heldUntilMs: NOW }), { ...CHANGE, given: { goal: 'The parser writes commas' } }).outcome,
    'stored',
  );
});

test('given fields replace, blank ones are emptied, and the whole card keeps its limit', () => {
  const changed = run(stateWith(), { ...CHANGE, given: { inputs: '', output: 'a list', target: undefined } });
  assert.deepEqual(changed.outcome === 'stored' && changed.brief.card, { goal: BRIEF.card.goal, output: 'a list' });
  assert.equal(run(stateWith(), { ...CHANGE, given: { output: 'x'.repeat(7_990) } }).outcome, 'too_long');
});

test('a key takes a hundred briefs', () => {
  const make = { type: 'make', id: 'brf_c', key: 'k', slots: 1, card: {}, tokenHash: 't' } as const;
  assert.equal(run(stateWith({ briefs: MAX_BRIEFS_OF_KEY }), make).outcome, 'key_crowded');
  const last = decide(stateWith({ briefs: MAX_BRIEFS_OF_KEY - 1 }), NOW, { rev: 8 }, make);
  assert.equal(last.result.outcome, 'stored');
  assert.equal(run(last.state, { ...make, id: 'brf_d' }).outcome, 'key_crowded');
});

test('a brief goes 30 days after its end, or 180 days after its last change when it has none', () => {
  const ends: [Brief, number][] = [
    [BRIEF, BRIEF.changedAtMs + IDLE_RETENTION_MS],
    [{ ...BRIEF, closedAtMs: NOW }, NOW + RETENTION_AFTER_END_MS],
    [{ ...BRIEF, card: { expires_at: '2026-12-01T00:00:00Z' } }, Date.UTC(2026, 11, 1) + RETENTION_AFTER_END_MS],
    [{ ...BRIEF, card: { expires_at: '2020-01-01' } }, BRIEF.changedAtMs + RETENTION_AFTER_END_MS],
    [{ ...BRIEF, card: { expires_at: 'soon' } }, BRIEF.changedAtMs + IDLE_RETENTION_MS],
  ];
  for (const [brief, goneMs] of ends) {
    assert.equal(goneAtMs(brief), goneMs);
    const state = stateWith({ brief });
    assert.notEqual(run(state, CHANGE, goneMs - 1).outcome, 'unknown');
    assert.equal(run(state, CHANGE, goneMs).outcome, 'unknown');
  }
  const expired = { ...BRIEF, card: { expires_at: '2026-11-14' } };
  assert.deepEqual([stateOf(BRIEF, NOW), stateOf(expired, NOW)], ['open', 'expired']);
});
