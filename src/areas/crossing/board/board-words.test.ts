import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIGHT_REASONS } from '../look/light.ts';
import type { LightAnswer } from '../look/look-operations.ts';
import { adviceFor, headline, holderWords, reasonWords, stateWords } from './board-words.ts';

const holder = (agent: string, mode: 'shared' | 'exclusive' = 'shared') =>
  ({ source: 'agent', agent, mode, since: '', expires_in_s: 60, intent: null }) as const;
const reason = (code: string, light: LightAnswer['signal'] = 'AMBER') => ({ code, light, text: 'Said by the look.' });

test('every reason that is not green says what an agent should do', () => {
  const silent = LIGHT_REASONS.filter(({ signal, code }) => signal !== 'GREEN' && adviceFor(code) === undefined);
  assert.deepEqual(silent, []);
});

test('two holders under a limit of one are said as such, never as 2 of 1', () => {
  const seen = {
    signal: 'RED',
    reasons: [reason('slots_full', 'RED')],
    holders: [holder('ab'), holder('cd')],
  } as const;
  const both = { ...seen, slots: 1, holding: 2, reasons: [...seen.reasons], holders: [...seen.holders] };
  assert.equal(headline(both), '2 agents share this; the limit is 1');
  assert.deepEqual(holderWords(both), {
    count: '2 holders · limit 1',
    hint: 'Shared leases were taken with a higher limit.',
  });
});

test('agents are counted by all that hold the key, also those whom the answer does not list', () => {
  const listed = Array.from({ length: 20 }, (_, n) => holder(`a${n}`));
  const seen = {
    signal: 'RED' as const,
    reasons: [reason('slots_full', 'RED')],
    holders: listed,
    holding: 50,
    slots: 1,
    others: { holding: 50, looking: 0 },
  };
  assert.equal(headline(seen), '50 agents share this; the limit is 1');
  assert.equal(holderWords(seen).count, '50 holders · limit 1');
  for (const code of ['slots_full', 'others_holding'])
    assert.equal(reasonWords(reason(code), seen), '50 agents hold this work key. The limit is 1.');
});

test('the state of a work key is said in words for who watches', () => {
  const cases: readonly (readonly [LightAnswer['signal'], string[], LightAnswer['holders'], string, string])[] = [
    ['GREEN', ['nothing_found'], [], 'Free', 'Free'],
    ['AMBER', ['venue_unknown'], [], 'Free, check first', 'Free, check first'],
    ['RED', ['done_before'], [], 'Reported done', 'Reported done'],
    ['RED', ['held_exclusive'], [holder('ab', 'exclusive')], 'In use', 'In use by 1 agent (exclusive)'],
    ['RED', ['slots_full'], [holder('ab')], 'In use', 'In use by 1 agent (shared)'],
  ];
  for (const [signal, codes, holders, state, sentence] of cases) {
    const holding = holders.length;
    const seen = { signal, reasons: codes.map((code) => reason(code, signal)), holders, holding, slots: 1 };
    assert.deepEqual([stateWords(seen), headline(seen)], [state, sentence]);
  }
});

test('no text for who watches speaks to a caller', () => {
  for (const { code, signal } of LIGHT_REASONS) {
    const others = { holding: 1, looking: 2 };
    const seen = { signal, reasons: [], holders: [holder('ab')], holding: 1, slots: 2, others };
    const said = [reasonWords({ ...reason(code, signal), text: '' }, seen), adviceFor(code) ?? ''].join(' ');
    assert.doesNotMatch(said, /\byou|other agent|another agent|\bmay\b/i, code);
  }
});
