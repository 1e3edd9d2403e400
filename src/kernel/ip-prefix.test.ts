import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { test } from 'node:test';
import fc from '#properties';
import { addressPrefix, addressTag } from './ip-prefix.ts';

const ROWS: readonly (readonly [ip: string, prefix64: string, prefix56: string])[] = [
  ['198.51.100.7', '198.51.100.7/32', '198.51.100.7/32'],
  ['0.0.0.0', '0.0.0.0/32', '0.0.0.0/32'],
  ['::ffff:198.51.100.7', '198.51.100.7/32', '198.51.100.7/32'],
  ['::FFFF:c633:6407', '198.51.100.7/32', '198.51.100.7/32'],
  ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7/32', '198.51.100.7/32'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64', '2001:db8:1::/56'],
  ['2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64', '2001:db8:1::/56'],
  ['2001:db8:1:2ff:3:4:198.51.100.7', '2001:db8:1:2ff::/64', '2001:db8:1:200::/56'],
  ['2001:db8::1', '2001:db8::/64', '2001:db8::/56'],
  ['2001:0:0:1::', '2001:0:0:1::/64', '2001::/56'],
  ['2001::1:0:0:0:0', '2001:0:0:1::/64', '2001::/56'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64', '1:2:3::/56'],
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64', '0:2:3::/56'],
  ['::', '::/64', '::/56'],
  ['::1', '::/64', '::/56'],
  ['::198.51.100.7', '::/64', '::/56'],
  ['fe80::1%eth0', 'fe80::/64', 'fe80::/56'],
];

test('an address is cut to its prefix, in RFC 5952 text', () => {
  for (const [ip, prefix64, prefix56] of ROWS) {
    assert.equal(addressPrefix(ip, 64), prefix64);
    assert.equal(addressPrefix(ip, 56), prefix56);
  }
});

test('text that is no address is unknown', () => {
  const wrong = [
    '',
    ' ',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4.',
    '1.2.3.4\n',
  ];
  wrong.push(
    '1.2.3.4%eth0',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '12345::',
  );
  wrong.push(
    'g::',
    '::1.2.3',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:',
    ':1:2:3:4:5:6:7',
    '[::1]',
    '::1/64',
    '1.2.3.4:80',
  );
  for (const text of wrong) assert.equal(addressPrefix(text, 64), 'unknown/0', JSON.stringify(text));
});

test('addresses and what is none are told apart as the runtime does it', () => {
  const pieces = fc.constantFrom(':', '::', '.', '0', '1', 'ff', 'ffff', '255', '1.2.3.4', '00', 'g');
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(pieces, { maxLength: 17 }).map((all) => all.join('')),
  );
  const property = fc.property(text, (ip) => {
    assert.equal(addressPrefix(ip, 64) !== 'unknown/0', isIP(ip) !== 0);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('an address lies in its prefix, and the prefix of the prefix is itself', () => {
  const property = fc.property(fc.ipV6(), fc.constantFrom<64 | 56>(64, 56), (ip, length) => {
    const prefix = addressPrefix(ip, length);
    const [net = '', bits = ''] = prefix.split('/');
    assert.equal(addressPrefix(net, length), prefix);
    const block = new BlockList();
    const family = bits === '32' ? 'ipv4' : 'ipv6';
    block.addSubnet(net, Number(bits), family);
    assert.ok(block.check(ip, 'ipv6'), `${ip} in ${prefix}`);
  });
  fc.assert(property, { numRuns: 1000 });
});

test('tags have their published values', () => {
  const dayKey = new Uint8Array(32);
  const tag = (ip: string) => addressTag(dayKey, addressPrefix(ip, 64));
  assert.equal(tag('198.51.100.7'), 'e9eed37308d46c2097a3d147ffba8c7874d3833bd9302044b39bee852387ab86');
  assert.equal(tag('2001:db8:1:2:3::4'), '4fe266ef88cfc1add76742eb17726e7911386894de22736c6bece135868fd7db');
});

test('tags of different days have nothing in common', () => {
  const prefix = addressPrefix('198.51.100.7', 64);
  assert.notEqual(addressTag(new Uint8Array(32), prefix), addressTag(new Uint8Array(32).fill(1), prefix));
});
