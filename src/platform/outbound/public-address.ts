import { lazily } from '#kernel/lazily.ts';
import { BlockList, isIP } from 'node:net';

/** What the IANA registries of special-purpose addresses keep from the public internet, and what clouds answer to their machines. */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** All of the one range that is handed out (2000::/3) but these; what lies outside it is not public. */
const UNICAST_IPV6 = '2000::/3';
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Forms in which an IPv4 address stands in the last two groups: mapped (RFC 4291) and translated (RFC 6052). */
const HOLDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const mayBePublic = lazily(() => listOf([UNICAST_IPV6, ...HOLDS_IPV4]));
// A list knows by itself that a mapped address is the one that it maps, but not so for a translated one.
const notPublic = lazily(() => listOf([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV4.map(translated), ...NOT_PUBLIC_IPV6]));

/** Whether an address can only be somebody's on the public internet. Whatever is not known to be public is not. */
export function isPublicAddress(text: string): boolean {
  // A zone id names an interface of this machine.
  if (isIP(text) === 0 || text.includes('%')) return false;
  if (isIP(text) === 4) return !notPublic().check(text, 'ipv4');
  return mayBePublic().check(text, 'ipv6') && !notPublic().check(text, 'ipv6');
}

function listOf(nets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = '', length] = net.split('/');
    list.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function translated(net: string): string {
  const [address, length] = net.split('/');
  return `64:ff9b::${address}/${96 + Number(length)}`;
}
