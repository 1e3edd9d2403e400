import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { decide, type LoginCommand, type LoginResult, type LoginState } from './decide.ts';
import { CODE_TRIES, IDLE_MS, LINK_MS, SESSION_MS, WRONG_CODES } from './login/login.ts';

const EMPTY: LoginState = {
  links: VersionedMap.of(),
  faults: VersionedMap.of(),
  sessions: VersionedMap.of(),
  known: VersionedMap.of(),
};

class Desk {
  state = EMPTY;
  nowMs = 1_000_000;
  #made = 0;

  run(command: LoginCommand): LoginResult {
    const { state, result } = decide(this.state, this.nowMs, { rev: 1, seq: 0 }, command);
    this.state = state;
    return result;
  }

  request(
    email: string,
    { browser = 'b', address = `a${this.#made}`, code = 'right', isKnown = true, known = null as string | null } = {},
  ) {
    this.#made += 1;
    const tokenHash = `t${this.#made}`;
    const link = { tokenHash, email, browserHash: browser, codeHmac: code, addressTag: address };
    return { tokenHash, result: this.run({ type: 'request', link, isKnown, knownBrowser: known }) };
  }

  link(tokenHash: string, browserHash = 'b', { address = 'somewhere', known = 'some browser' } = {}): string {
    this.#made += 1;
    const session = { ...this.#session(), addressTag: address, knownBrowser: known };
    return this.run({ type: 'by_link', tokenHash, browserHash, session }).type;
  }

  code(codeHmac: string, browserHash = 'b'): string {
    this.#made += 1;
    return this.run({ type: 'by_code', codeHmac, browserHash, session: this.#session() }).type;
  }

  #session() {
    return { idHash: `s${this.#made}`, userAgent: '', addressTag: 'somewhere', knownBrowser: 'some browser' };
  }
}

suite('login', () => {
  test('wrong codes are counted for each browser, for known and unknown addresses alike, until a new email', () => {
    for (const isKnown of [true, false]) {
      const desk = new Desk();
      const tries = () => {
        const session = { idHash: 's', userAgent: '', addressTag: 'a', knownBrowser: 'k' };
        return desk.run({ type: 'by_code', codeHmac: 'wrong', browserHash: 'b', session });
      };
      desk.request('x', { isKnown });
      const spent = Array.from({ length: CODE_TRIES + 1 }, () => 'isSpent' in tries());
      assert.deepEqual(spent, [false, false, false, false, true, true]);
      desk.nowMs += 1;
      desk.request('x', { isKnown });
      assert.ok(!('isSpent' in tries()));
    }
  });

  test('a link works once, before its time is over, in its own browser', () => {
    const desk = new Desk();
    const { tokenHash } = desk.request('x');
    assert.equal(desk.link(tokenHash, 'other'), 'refused');
    assert.equal(desk.link('unknown'), 'refused');
    assert.equal(desk.link(tokenHash), 'session');
    assert.equal(desk.link(tokenHash), 'refused');
    const late = desk.request('x');
    desk.nowMs += LINK_MS;
    assert.equal(desk.link(late.tokenHash), 'refused');
  });

  test('a login voids every other open link of the address and none of others', () => {
    const desk = new Desk();
    const [first, second] = [desk.request('x', { browser: 'b1' }), desk.request('x', { browser: 'b2' })];
    const other = desk.request('y', { browser: 'b3' });
    assert.equal(desk.link(first.tokenHash, 'b1'), 'session');
    assert.equal(desk.link(second.tokenHash, 'b2'), 'refused');
    assert.equal(desk.link(other.tokenHash, 'b3'), 'session');
  });

  test('five wrong codes close the codes of a link, ten in a day those of the address; links go on working', () => {
    const desk = new Desk();
    const { tokenHash } = desk.request('x');
    for (let turn = 0; turn < CODE_TRIES; turn += 1) assert.equal(desk.code('wrong'), 'refused');
    assert.equal(desk.code('right'), 'refused', 'the sixth try');
    const second = desk.request('x');
    assert.equal(desk.code('right'), 'session', 'another link has its own tries');
    assert.equal(desk.link(tokenHash), 'refused', 'void since the login');
    assert.equal(desk.link(second.tokenHash), 'refused');
    desk.request('x');
    for (let turn = CODE_TRIES; turn < WRONG_CODES; turn += 1) desk.code('wrong');
    desk.nowMs += LINK_MS;
    const closed = desk.request('x');
    assert.equal(desk.code('right'), 'refused', 'the address is closed for codes');
    assert.equal(desk.link(closed.tokenHash), 'session', 'and not for links');
    desk.nowMs += DAY_MS;
    desk.request('x');
    assert.equal(desk.code('right'), 'session', 'a day later codes work again');
  });

  test('a code counts only in the browser that asked', () => {
    const desk = new Desk();
    desk.request('x');
    for (let turn = 0; turn < 20; turn += 1) desk.code('wrong', 'stranger');
    assert.equal(desk.code('right', 'stranger'), 'refused');
    assert.equal(desk.code('right'), 'session');
  });

  test('three mails in a quarter of an hour and twenty a day go to an address, and strangers are not told', () => {
    const desk = new Desk();
    const sends = () => {
      const { result } = desk.request('x');
      return result.type === 'requested' && result.sends;
    };
    assert.deepEqual([1, 2, 3, 4].map(sends), [true, true, true, false]);
    let sent = 3;
    for (let turn = 0; turn < 40; turn += 1) {
      desk.nowMs += LINK_MS;
      if (sends()) sent += 1;
    }
    assert.equal(sent, 20);
    assert.deepEqual(desk.request('stranger', { isKnown: false }).result, { type: 'requested', sends: false });
  });

  test('what strangers ask for in the name of an owner does not keep mails from the owner', () => {
    const desk = new Desk();
    const sends = (asked: Parameters<Desk['request']>[1]) => {
      const { result } = desk.request('x', asked);
      return result.type === 'requested' && result.sends;
    };
    const own = { browser: 'own', address: 'home', known: 'own' };
    const { tokenHash } = desk.request('x', own);
    assert.equal(desk.link(tokenHash, 'own', { address: 'home', known: 'own' }), 'session');
    desk.nowMs += LINK_MS;
    const stranger = [1, 2, 3, 4].map((turn) => sends({ browser: `s${turn}`, address: 'afar' }));
    assert.deepEqual(stranger, [true, true, true, false], 'counted by address, whatever cookie is sent');
    assert.equal(sends({ browser: 'new', address: 'cafe' }), true, 'another browser at another address');
    assert.equal(sends({ browser: 'own', address: 'afar', known: 'own' }), true, 'the own browser beside the stranger');

    for (let turn = 0; turn < 30; turn += 1) sends({ browser: `many${turn}`, address: `many${turn}` });
    assert.equal(sends({ browser: 'new', address: 'cafe' }), false, 'the day is used up');
    assert.equal(sends({ browser: 'else', address: 'else', known: 'never logged in' }), false);
    assert.deepEqual(
      [1, 2].map(() => sends({ browser: 'own', address: 'inn', known: 'own' })),
      [true, true],
    );
    assert.equal(sends({ browser: 'lost', address: 'home' }), true, 'the address of a login of this day');
    desk.nowMs += LINK_MS;
    const reserve = [1, 2, 3].map(() => sends({ browser: 'own', address: 'inn', known: 'own' }));
    assert.deepEqual(reserve, [true, true, false], 'five are kept for who has logged in before');
    desk.nowMs += DAY_MS;
    assert.equal(sends({ browser: 'new', address: 'cafe' }), true);
  });

  test('twenty requests an hour come from a caller', () => {
    const desk = new Desk();
    for (let turn = 0; turn < 20; turn += 1) desk.request(`m${turn}`, { address: 'a' });
    const { result } = desk.request('one-more', { address: 'a' });
    assert.deepEqual(result, { type: 'slow_down', retryAfterMs: HOUR_MS });
    desk.nowMs += HOUR_MS;
    assert.equal(desk.request('one-more', { address: 'a' }).result.type, 'requested');
  });

  test('a session ends 12 hours after its last use and 7 days after its start', () => {
    const desk = new Desk();
    desk.link(desk.request('x').tokenHash);
    const idHash = desk.state.sessions.values()[0]?.idHash ?? '';
    const startMs = desk.nowMs;
    while (desk.nowMs - startMs < SESSION_MS - IDLE_MS) {
      desk.nowMs += IDLE_MS - 1;
      assert.equal(desk.run({ type: 'touch', idHash }).type, 'session');
    }
    desk.nowMs = startMs + SESSION_MS;
    assert.equal(desk.run({ type: 'touch', idHash }).type, 'refused');
  });

  test('whatever is asked and tried in whatever order: no more sessions than mails, each of an address that was mailed', () => {
    const step = fc.record({
      what: fc.constantFrom('request', 'link', 'code', 'wait'),
      email: fc.constantFrom('x', 'y', 'unknown'),
      browser: fc.constantFrom('b1', 'b2'),
      nth: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const desk = new Desk();
        const tokens: string[] = [];
        let sent = 0;
        for (const { what, email, browser, nth } of steps) {
          if (what === 'wait') desk.nowMs += LINK_MS / 2;
          if (what === 'request') {
            const { tokenHash, result } = desk.request(email, { browser, isKnown: email !== 'unknown' });
            tokens.push(tokenHash);
            if (result.type === 'requested' && result.sends) sent += 1;
          }
          if (what === 'link') desk.link(tokens[nth % Math.max(1, tokens.length)] ?? '', browser);
          if (what === 'code') desk.code(nth === 0 ? 'right' : 'wrong', browser);
        }
        const sessions = desk.state.sessions.values();
        assert.ok(sessions.length <= sent);
        assert.ok(sessions.every(({ email }) => email === 'x' || email === 'y'));
      }),
    );
  });
});
