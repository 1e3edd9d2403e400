import { hmacSha256Hex } from './ids.ts';

/** The part of an address that stands for one subscriber, in RFC 5952 text with its length. */
export type AddressPrefix = `${string}/${32 | 64 | 56 | 0}`;

/**
 * Returns what of a client's address is counted: IPv4 whole, IPv6 cut to the net that one subscriber has.
 * All text that is no address shares one prefix, so that it cannot be used to escape a limit.
 */
export function addressPrefix(ip: string, ipv6Prefix: 64 | 56): AddressPrefix {
  if (!ip.includes(':')) return parseIpv4(ip) ? `${ip}/32` : 'unknown/0';
  const groups = parseIpv6(ip.replace(/%.*$/s, '')); // a zone id names an interface of this machine
  if (!groups) return 'unknown/0';
  const mapped = mappedIpv4(groups);
  if (mapped !== null) return `${mapped}/32`;
  const net = groups.slice(0, 4);
  if (ipv6Prefix === 56) net[3] = (net[3] ?? 0) & 0xff00;
  // The four zero groups of the host and those before them are the longest run, which RFC 5952 writes as `::`.
  while (net.at(-1) === 0) net.pop();
  return `${net.map((group) => group.toString(16)).join(':')}::/${ipv6Prefix}`;
}

/** Returns the only form in which an address is stored or logged; it cannot be undone once the day's key is deleted. */
export function addressTag(dayKey: Uint8Array, prefix: AddressPrefix): string {
  return hmacSha256Hex(dayKey, prefix);
}

/** The 16-bit groups of an address, two for IPv4 and eight for IPv6; null for any other text. */
export function addressGroups(ip: string): readonly number[] | null {
  return ip.includes(':') ? parseIpv6(ip) : parseIpv4(ip);
}

// No leading zeros: some readers take them for octal numbers.
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Returns an IPv4 address as the two groups that it fills in an IPv6 address. */
function parseIpv4(text: string): readonly number[] | null {
  if (!IPV4.test(text)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** Returns the eight groups of an IPv6 address. */
function parseIpv6(text: string): readonly number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves[1] === undefined ? [] : parseGroups(halves[1], true);
  if (!head || !tail) return null;
  const missing = 8 - head.length - tail.length;
  // RFC 4291 section 2.2: `::` stands for at least one group.
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

function parseGroups(text: string, mayEndInIpv4: boolean): readonly number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const ipv4 = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : null;
    if (ipv4) groups.push(...ipv4);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}

/** RFC 4291 section 2.5.5.2: how a server that listens on IPv6 sees callers over IPv4. */
function mappedIpv4(groups: readonly number[]): string | null {
  const [high = 0, low = 0] = groups.slice(6);
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
