import { addressGroups } from '#kernel/ip-prefix.ts';

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
].map(netOf);

/** All of the one range that is handed out (2000::/3) but these; what lies outside it is not public. */
const UNICAST_IPV6 = netOf('2000::/3');
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(netOf);

/** Forms in which an IPv4 address stands in the last two groups: mapped (RFC 4291) and translated (RFC 6052). */
const HOLDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(netOf);

interface Net {
  readonly bits: bigint;
  readonly length: number;
}

/** Whether an address can only be somebody's on the public internet. Whatever is not known to be public is not. */
export function isPublicAddress(text: string): boolean {
  const groups = addressGroups(text);
  if (groups === null) return false;
  if (groups.length === 2) return !NOT_PUBLIC_IPV4.some((net) => isWithin(groups, net));
  if (HOLDS_IPV4.some((net) => isWithin(groups, net))) {
    return !NOT_PUBLIC_IPV4.some((net) => isWithin(groups.slice(6), net));
  }
  return isWithin(groups, UNICAST_IPV6) && !NOT_PUBLIC_IPV6.some((net) => isWithin(groups, net));
}

function netOf(text: string): Net {
  const [address = '', length = ''] = text.split('/');
  return { bits: bitsOf(addressGroups(address) ?? []), length: Number(length) };
}

function isWithin(groups: readonly number[], { bits, length }: Net): boolean {
  const free = BigInt(groups.length * 16 - length);
  return bitsOf(groups) >> free === bits >> free;
}

function bitsOf(groups: readonly number[]): bigint {
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n);
}
