import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueAnswer } from '#areas/bounties/port.ts';
import { aroundKey } from './around-key.ts';

const around = (answer: VenueAnswer) =>
  aroundKey({ factsOf: async () => answer, briefs: { briefOf: async () => null }, nowMs: () => 0 })('k');

test('why nothing is known of a venue is kept: it was not asked, is not read, has no such issue, or gave no answer', async () => {
  const unavailable = (code: string) => ({ kind: 'unavailable', code, retryAfterSeconds: 60 }) as const;
  for (const [answer, noVenue] of [
    [{ kind: 'no_venue' }, 'not_read'],
    [unavailable('NOT_CONFIGURED'), 'not_read'],
    [unavailable('NOT_FOUND'), 'no_such_issue'],
    [unavailable('NOT_ASKED'), 'not_asked'],
    [unavailable('TIMEOUT'), 'no_answer'],
    [unavailable('BUDGET_SPENT'), 'no_answer'],
    [unavailable('HELD'), 'no_answer'],
  ] as const) {
    const found = await around(answer);
    assert.deepEqual([found.venue, found.noVenue], [null, noVenue], JSON.stringify(answer));
  }
});
