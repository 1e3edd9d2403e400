import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Acknowledged, checkHistory, type EventRow, type History } from './history.ts';

type Change = Partial<EventRow> & Partial<Record<'id' | 'agent' | 'mode', string>> & { fence?: number; until?: number };

const TTL_MS = 30_000;
const CLEARANCE_MS = 15_000;

/** An event one millisecond after its predecessor at most; what is not given is a claim of `k` by `a`, exclusive. */
function event(rev: number, type: string, change: Change = {}): EventRow {
  const { id = `c${rev}`, agent = 'a', mode = 'exclusive', fence = rev, until, ...row } = change;
  const at = row.at ?? rev;
  const body = JSON.stringify({ id, agent, mode, fence, expires_at: until ?? at + TTL_MS });
  return { rev, key: 'k', type, at, body, ...row };
}

function history(...events: readonly EventRow[]): History {
  const last = events.at(-1);
  return { events, head: { rev: last?.rev ?? 0, at: last?.at ?? 0 } };
}

/** The answer that belongs to an event. */
function answer(row: EventRow, change: Partial<Acknowledged> = {}): Acknowledged {
  const { agent, mode, fence, expires_at: expiresAt } = JSON.parse(row.body);
  const call = row.type as Acknowledged['call'];
  const { rev, key, at } = row;
  return {
    call,
    repeats: false,
    token: 't',
    rev,
    key,
    at,
    agent,
    mode,
    fence,
    expiresAt,
    lease: `L${fence}`,
    ...change,
  };
}

function assertFound(found: readonly string[], ...expected: readonly RegExp[]): void {
  const unexplained = found.filter((sentence) => !expected.some((pattern) => pattern.test(sentence)));
  assert.deepEqual(unexplained, []);
  for (const pattern of expected)
    assert.ok(
      found.some((sentence) => pattern.test(sentence)),
      String(pattern),
    );
}

const grant = event(1, 'claim');
const refreshed = event(2, 'refresh', { fence: 1 });
const released = event(3, 'release', { fence: 1, until: refreshed.at + TTL_MS });
const expiry = grant.at + TTL_MS;

suite('a right history is found right', () => {
  test('nothing at all', () => assertFound(checkHistory(history(), [])));

  test('grant, refresh, release, with every answer and the repeats of two of them', () => {
    const answers = [grant, refreshed, released].map((row) => answer(row));
    const repeatedClaim = answer(grant, { repeats: true, at: 9, expiresAt: refreshed.at + TTL_MS });
    const repeatedRelease = answer(released, { repeats: true, expiresAt: 0 });
    assertFound(checkHistory(history(grant, refreshed, released), [...answers, repeatedClaim, repeatedRelease]));
  });

  test('shared holders side by side, and a mark between them', () => {
    const shared = ['a', 'b', 'c'].map((agent, index) => event(index + 1, 'claim', { agent, mode: 'shared' }));
    assertFound(checkHistory(history(...shared, event(4, 'mark', { fence: 0 })), []));
  });

  test('an exclusive lease that leaves after its clearance, and a shared one that leaves at its expiry', () => {
    const swept = event(2, 'expire', { fence: 1, at: expiry + CLEARANCE_MS, until: expiry, id: 'sweep' });
    const next = event(3, 'claim', { agent: 'b', at: swept.at, mode: 'shared' });
    const sweptToo = event(4, 'expire', { agent: 'b', fence: 3, at: next.at + TTL_MS, mode: 'shared', id: 'sweep' });
    assertFound(checkHistory(history(grant, swept, next, sweptToo), []));
  });

  test('the old holder that claims anew in the clearance', () => {
    const gone = event(2, 'expire', { fence: 1, at: expiry, until: expiry, id: 'again' });
    assertFound(checkHistory(history(grant, gone, event(3, 'claim', { at: expiry, id: 'again' })), []));
  });
});

suite('numbers', () => {
  test('a missing revision is found', () => {
    assertFound(checkHistory(history(grant, event(3, 'release', { fence: 1 })), []), /rev 3 follows rev 1/);
  });

  test('a first revision other than 1 is found', () => {
    assertFound(checkHistory(history(event(2, 'claim')), []), /rev 2 follows rev 0/);
  });

  test('a revision that stands twice is found', () => {
    assertFound(
      checkHistory(history(grant, event(1, 'claim', { key: 'other', id: 'x', fence: 2 })), []),
      /rev 1 follows rev 1/,
      /instead of its revision/,
    );
  });

  test('events that end before or after the head are found', () => {
    const head = { rev: 2, at: grant.at };
    assertFound(checkHistory({ events: [grant], head }, []), /newest event is rev 1, the head says 2/);
  });

  test('a head of an earlier time than the newest event is found', () => {
    assertFound(checkHistory({ events: [grant], head: { rev: 1, at: -1 } }, []), /the head says -1/);
  });

  test('time that goes back is found', () => {
    const early = event(2, 'release', { fence: 1, at: 0 });
    assertFound(checkHistory(history(grant, early), []), /time goes back at rev 2/);
  });

  test('a fence that is not the revision of its grant is found', () => {
    assertFound(checkHistory(history(event(1, 'claim', { fence: 5 })), []), /fence 5 instead of its revision/);
  });

  test('a fence that is not above all earlier ones is found', () => {
    const low = event(2, 'claim', { key: 'other', fence: 1 });
    assertFound(checkHistory(history(grant, low), []), /fence 1 after fence 1/, /instead of its revision/);
  });

  test('a body that cannot be read is found', () => {
    assertFound(checkHistory(history({ ...grant, body: '{' }), []), /rev 1 has no readable body/);
  });

  test('an event of an unknown type is found', () => {
    assertFound(checkHistory(history(event(1, 'steal')), []), /no known type/);
  });
});

suite('holders', () => {
  for (const mode of ['exclusive', 'once']) {
    test(`two ${mode} holders are found`, () => {
      const second = event(2, 'claim', { agent: 'b', mode });
      assertFound(checkHistory(history(event(1, 'claim', { mode }), second), []), /at rev 2 2 leases on k are held/);
    });
  }

  test('a shared holder beside an exclusive one is found', () => {
    const second = event(2, 'claim', { agent: 'b', mode: 'shared' });
    assertFound(checkHistory(history(grant, second), []), /2 leases on k are held, one of them exclusive/);
  });

  test('an exclusive holder beside a shared one is found', () => {
    const first = event(1, 'claim', { agent: 'b', mode: 'shared' });
    assertFound(checkHistory(history(first, event(2, 'claim')), []), /2 leases on k are held, one of them exclusive/);
  });

  test('a second holder that only a refresh of the first excludes is found', () => {
    const late = event(3, 'claim', { agent: 'b', at: expiry });
    assertFound(checkHistory(history(grant, refreshed, late), []), /at rev 3 2 leases/);
  });

  test('a grant over an expired lease that has not left is found', () => {
    const late = event(2, 'claim', { agent: 'b', at: expiry + CLEARANCE_MS });
    assertFound(checkHistory(history(grant, late), []), /the expired fence 1 has not left/);
  });

  test('a release frees the key only for later events', () => {
    const events = [grant, refreshed, event(3, 'claim', { agent: 'b' }), event(4, 'release', { fence: 1 })];
    assertFound(checkHistory(history(...events), []), /at rev 3 2 leases/);
  });
});

suite('the end of a lease', () => {
  test('a refresh at the expiry is found', () => {
    const late = event(2, 'refresh', { fence: 1, at: expiry });
    assertFound(checkHistory(history(grant, late), [answer(late)]), /refreshes at 30001 what expired at 30001/);
  });

  test('a refresh that makes a lease shorter is found', () => {
    assertFound(
      checkHistory(history(grant, event(2, 'refresh', { fence: 1, until: 99 })), []),
      /makes a lease shorter/,
    );
  });

  test('a refresh after the release is found', () => {
    const late = event(4, 'refresh', { fence: 1 });
    assertFound(
      checkHistory(history(grant, refreshed, released, late), []),
      /rev 4, refresh of k, is about fence 1, which/,
    );
  });

  test('a refresh under another fence is found', () => {
    assertFound(
      checkHistory(history(grant, event(2, 'refresh')), []),
      /is about fence 2, which is not held/,
      /twice/,
      /2 leases/,
    );
  });

  test('a refresh that changes the holder or the mode is found', () => {
    for (const change of [{ agent: 'b' }, { mode: 'once' }]) {
      const odd = event(2, 'refresh', { fence: 1, ...change });
      assertFound(checkHistory(history(grant, odd), []), /changes holder or mode of fence 1/);
    }
  });

  test('a second release is found', () => {
    const again = event(4, 'release', { fence: 1 });
    assertFound(checkHistory(history(grant, refreshed, released, again), []), /rev 4, release of k, is about fence 1/);
  });

  test('a release after the expiry is found', () => {
    const late = event(2, 'release', { fence: 1, at: expiry });
    assertFound(checkHistory(history(grant, late), []), /ends a lease that had expired/);
  });

  test('an expire before the expiry is found', () => {
    const early = event(2, 'expire', { fence: 1, at: expiry - 1 });
    assertFound(checkHistory(history(grant, early), []), /expires what is held until 30001/);
  });

  test('an expire that a refresh has postponed is found', () => {
    const early = event(3, 'expire', { fence: 1, at: expiry, mode: 'exclusive' });
    assertFound(checkHistory(history(grant, refreshed, early), []), /expires what is held until 30002/);
  });

  test('an exclusive lease swept in its clearance is found', () => {
    const early = event(2, 'expire', { fence: 1, at: expiry + CLEARANCE_MS - 1 });
    assertFound(checkHistory(history(grant, early), []), /cuts a clearance short/);
  });

  test('an exclusive lease that leaves in its clearance for another agent is found', () => {
    const gone = event(2, 'expire', { fence: 1, at: expiry, id: 'theft' });
    const theft = event(3, 'claim', { agent: 'b', at: expiry, id: 'theft' });
    assertFound(checkHistory(history(grant, gone, theft), []), /cuts a clearance short/);
  });

  test('an exclusive lease that leaves in its clearance by another command than the claim is found', () => {
    const gone = event(2, 'expire', { fence: 1, at: expiry, id: 'sweep' });
    assertFound(checkHistory(history(grant, gone, event(3, 'claim', { at: expiry })), []), /cuts a clearance short/);
  });
});

suite('acknowledged answers', () => {
  test('an answer whose event is missing is found', () => {
    const lost = answer(event(2, 'claim', { key: 'other' }));
    assertFound(checkHistory(history(grant), [lost]), /claim of other by a .* rev 2 is not in the events/);
  });

  const changes: readonly [string, Partial<Acknowledged>, RegExp][] = [
    ['key', { key: 'other' }, /in key$/],
    ['holder', { agent: 'b' }, /in agent$/],
    ['mode', { mode: 'once' }, /in mode$/],
    ['fence', { fence: 7 }, /in fence$/],
    ['expiry', { expiresAt: 7 }, /in expires_at$/],
    ['time', { at: 7 }, /in at$/],
    ['call', { call: 'refresh' }, /in type$/],
  ];
  for (const [what, change, pattern] of changes) {
    test(`an answer with another ${what} than its event is found`, () => {
      assertFound(checkHistory(history(grant), [answer(grant, change)]), pattern);
    });
  }

  test('a repeated claim that tells an expiry which no event states is found', () => {
    const odd = answer(grant, { repeats: true, expiresAt: 7 });
    assertFound(checkHistory(history(grant, refreshed), [odd]), /in expires_at$/);
  });

  test('a repeated release whose event is not a release is found', () => {
    const odd = answer(grant, { repeats: true, call: 'release' });
    assertFound(checkHistory(history(grant), [odd]), /in type$/);
  });

  test('a command that took effect twice is found', () => {
    const twice = event(2, 'claim', { key: 'other', id: 'c1' });
    assertFound(checkHistory(history(grant, twice), []), /rev 2 repeats the command c1/);
    assertFound(
      checkHistory(history(grant, event(2, 'refresh', { fence: 1, id: 'c1' })), []),
      /repeats the command c1/,
    );
  });

  test('an agent that was granted the same key twice is found', () => {
    const [first, second] = [1, 2].map((rev) => event(rev, 'claim', { mode: 'shared' })) as [EventRow, EventRow];
    assertFound(checkHistory(history(first, second), []), /at rev 2 one agent holds k twice/);
  });

  test('one event that answered two calls is found', () => {
    assertFound(checkHistory(history(grant), [answer(grant), answer(grant)]), /rev 1 was given to two calls/);
  });

  test('a lease shown with two fences, and a fence shown with two leases, are found', () => {
    const other = event(2, 'claim', { key: 'other' });
    const first = answer(grant);
    assertFound(
      checkHistory(history(grant, other), [first, answer(other, { lease: 'L1' })]),
      /lease L1 was shown with two/,
    );
    const second = answer(grant, { repeats: true, lease: 'L9' });
    assertFound(checkHistory(history(grant), [first, second]), /fence 1 was shown with two leases/);
  });

  test('a claim that was denied and yet stored is found', () => {
    assertFound(checkHistory(history(grant), [], [{ key: 'k', agent: 'a' }]), /k by a was denied and yet stored/);
    assertFound(checkHistory(history(grant), [], [{ key: 'k', agent: 'b' }]));
  });
});
