import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { suite, test } from 'node:test';
import fc from '#properties';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { AddressTagger, type AddressTaggerOptions } from './address-tagger.ts';

const MIDNIGHT_MS = Date.UTC(2026, 2, 2);
const ZERO_KEY = new Uint8Array(32);

function tagger(options: Partial<AddressTaggerOptions> = {}): AddressTagger {
  return new AddressTagger({
    dayKey: () => ZERO_KEY,
    trustedProxies: [],
    ipv6Prefix: 64,
    ...options,
  });
}

function request(peer: string | undefined, forwarded?: string | string[]): IncomingMessage {
  return { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage;
}

test('the tag is the HMAC of prefix and length under the key of the day', () => {
  const tags = ['198.51.100.7', '2001:db8:1:2:3:4:5:6'].map((address) => tagger().tagOf(request(address), MIDNIGHT_MS));
  assert.deepEqual(tags, [
    'e9eed37308d46c2097a3d147ffba8c7874d3833bd9302044b39bee852387ab86',
    '4fe266ef88cfc1add76742eb17726e7911386894de22736c6bece135868fd7db',
  ]);
});

suite('which addresses are one caller', () => {
  const SAME: readonly (readonly [string, string, 64 | 56])[] = [
    ['198.51.100.7', '::ffff:198.51.100.7', 64],
    ['198.51.100.7', '::ffff:c633:6407', 64],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', 64],
    ['2001:DB8:1:2::1', '2001:db8:1:2:0:0:0:1', 64],
    ['fe80::1%eth0', 'fe80::2%eth1', 64],
    ['2001:db8:1:200::1', '2001:db8:1:2ff::1', 56],
  ];
  const APART: readonly (readonly [string, string, 64 | 56])[] = [
    ['198.51.100.7', '198.51.100.8', 64],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', 64],
    ['2001:db8:1:2ff::1', '2001:db8:1:300::1', 56],
    ['198.51.100.7', '::c633:6407', 64],
    ['127.0.0.1', '::1', 64],
  ];
  for (const [a, b, ipv6Prefix] of SAME) {
    test(`${a} and ${b} are the same with /${ipv6Prefix}`, () => {
      const { tagOf } = bound(tagger({ ipv6Prefix }));
      assert.equal(tagOf(a), tagOf(b));
    });
  }
  for (const [a, b, ipv6Prefix] of APART) {
    test(`${a} and ${b} are two with /${ipv6Prefix}`, () => {
      const { tagOf } = bound(tagger({ ipv6Prefix }));
      assert.notEqual(tagOf(a), tagOf(b));
    });
  }

  test('all that is no address is one caller, also a connection that is already closed', () => {
    const { tagOf } = bound(tagger());
    assert.equal(tagOf('nonsense'), tagOf(undefined));
    assert.equal(tagOf('1.2.3.4:80'), tagOf(''));
  });

  test('the same address keeps its tag when more callers came than are remembered', () => {
    const { tagOf } = bound(tagger());
    const before = tagOf('198.51.100.7');
    for (let i = 0; i < 50_001; i += 1) tagOf(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    assert.equal(tagOf('198.51.100.7'), before);
  });
});

suite('X-Forwarded-For', () => {
  const CALLER = '203.0.113.9';
  const PROXIES = ['192.0.2.1', '192.0.2.2', '2001:db8:9::1'];
  const direct = tagger().tagOf(request(CALLER), MIDNIGHT_MS);
  const behind = tagger({ trustedProxies: PROXIES });

  const BELIEVED: readonly (readonly [what: string, peer: string, forwarded: string | string[]])[] = [
    ['of a proxy of ours names the caller', '192.0.2.1', CALLER],
    ['of a proxy that connects over IPv6 as ::ffff:192.0.2.1 names the caller', '::ffff:192.0.2.1', CALLER],
    ['of a proxy with an IPv6 address names the caller', '2001:db8:9::1', CALLER],
    ['may pass several proxies of ours', '192.0.2.1', `${CALLER}, 192.0.2.2, 2001:db8:9::1`],
    ['that the caller began with an invented address is read from the right', '192.0.2.1', `8.8.8.8, ${CALLER}`],
    ['that the caller began with one of our proxies is read from the right', '192.0.2.1', `192.0.2.2, ${CALLER}`],
    ['may come in several fields', '192.0.2.1', ['8.8.8.8', `${CALLER},192.0.2.2`]],
    ['may have the port of each hop', '192.0.2.1', `8.8.8.8:1, ${CALLER}:5678, [2001:db8:9::1]:443`],
    ['may have blanks and empty places', '192.0.2.1', ` ,  ${CALLER}  , ,`],
  ];
  for (const [what, peer, forwarded] of BELIEVED) {
    test(what, () => assert.equal(behind.tagOf(request(peer, forwarded), MIDNIGHT_MS), direct));
  }

  test('may have an IPv6 address in brackets, with its port or without', () => {
    const tags = ['2001:db8::7', '[2001:db8::7]', '[2001:db8::7]:443'].map((hop) =>
      behind.tagOf(request('192.0.2.1', hop), MIDNIGHT_MS),
    );
    assert.deepEqual(new Set(tags), new Set([tagger().tagOf(request('2001:db8::7'), MIDNIGHT_MS)]));
  });

  test('of anybody else is not believed', () => {
    assert.equal(behind.tagOf(request(CALLER, '8.8.8.8'), MIDNIGHT_MS), direct);
    assert.equal(tagger().tagOf(request(CALLER, '8.8.8.8'), MIDNIGHT_MS), direct);
  });

  test('that names nobody but proxies leaves the connection itself', () => {
    const proxy = tagger().tagOf(request('192.0.2.1'), MIDNIGHT_MS);
    for (const forwarded of [undefined, '', ',', '192.0.2.2', '192.0.2.2, 192.0.2.1']) {
      assert.equal(behind.tagOf(request('192.0.2.1', forwarded), MIDNIGHT_MS), proxy);
    }
  });

  test('with any text before the hop that our proxy wrote never changes who is counted', () => {
    const text = fc.array(fc.string({ unit: 'binary-ascii' }), { maxLength: 5 }).map((parts) => parts.join(','));
    fc.assert(
      fc.property(text, (invented) => {
        assert.equal(behind.tagOf(request('192.0.2.1', `${invented}, ${CALLER}`), MIDNIGHT_MS), direct);
      }),
    );
  });
});

suite('the change of the UTC day', () => {
  test('gives the same caller another tag', () => {
    const clock = new ManualClock(MIDNIGHT_MS - 1);
    const { tagOf } = bound(tagger({ dayKey: (day) => Buffer.alloc(32, day) }), clock);
    const before = tagOf('198.51.100.7');
    assert.equal(tagOf('198.51.100.7'), before);
    clock.advance(1);
    assert.notEqual(tagOf('198.51.100.7'), before);
  });

  test('asks for the key of exactly that day, once', () => {
    const clock = new ManualClock(MIDNIGHT_MS - 1);
    const asked: string[] = [];
    const dayKey = (day: string) => {
      asked.push(day);
      return ZERO_KEY;
    };
    const { tagOf } = bound(tagger({ dayKey }), clock);
    for (const step of [0, 0, 1, DAY_MS - 1, 1]) {
      clock.advance(step);
      tagOf('198.51.100.7');
    }
    assert.deepEqual(asked, ['2026-03-01', '2026-03-02', '2026-03-03']);
  });
});

test('while the key of the day cannot be had a key of this process stands in, and no tag of it is kept later', () => {
  let key: Uint8Array | undefined;
  const [first, second] = [bound(tagger({ dayKey: () => key })), bound(tagger({ dayKey: () => key }))];
  const own = first.tagOf('198.51.100.7');
  assert.equal(first.tagOf('198.51.100.7'), own);
  assert.notEqual(own, second.tagOf('198.51.100.7'), 'each process has its own');
  key = ZERO_KEY;
  assert.equal(first.tagOf('198.51.100.7'), 'e9eed37308d46c2097a3d147ffba8c7874d3833bd9302044b39bee852387ab86');
});

function bound(
  used: AddressTagger,
  clock: Pick<ManualClock, 'now'> = new ManualClock(MIDNIGHT_MS),
): { tagOf: (peer: string | undefined) => string } {
  return { tagOf: (peer) => used.tagOf(request(peer), clock.now()) };
}

test('the Host is the one that the caller asked, by the word of a proxy only where the proxy is ours', () => {
  const asked = (peer: string) =>
    ({
      socket: { remoteAddress: peer },
      headers: { host: 'inner.example', 'x-forwarded-host': 'outer.example, other.example' },
    }) as unknown as IncomingMessage;
  const behind = tagger({ trustedProxies: ['192.0.2.1'] });
  assert.equal(behind.hostOf(asked('192.0.2.1')), 'outer.example');
  assert.equal(behind.hostOf(asked('192.0.2.2')), 'inner.example');
  assert.equal(tagger().hostOf(asked('192.0.2.1')), 'inner.example');
});
