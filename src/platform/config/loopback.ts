import { BlockList, isIPv4, isIPv6 } from 'node:net';

// Two lists: one with both takes a mapped address for the IPv4 address that it maps.
const LOOPBACK_IPV4 = new BlockList();
LOOPBACK_IPV4.addSubnet('127.0.0.0', 8, 'ipv4');
const LOOPBACK_IPV6 = new BlockList();
LOOPBACK_IPV6.addAddress('::1', 'ipv6');

/** Whether a host, as a setting or a URL writes it, is this machine; mapped addresses are not taken for it. */
export function isLoopbackHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(address)) return LOOPBACK_IPV4.check(address, 'ipv4');
  return isIPv6(address) ? LOOPBACK_IPV6.check(address, 'ipv6') : host === 'localhost';
}
