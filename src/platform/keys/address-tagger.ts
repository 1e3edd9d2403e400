import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { DAY_MS, utcDay } from '#kernel/clock.ts';
import { randomBytes } from '#kernel/ids.ts';
import { addressPrefix, addressTag } from '#kernel/ip-prefix.ts';

export interface AddressTaggerOptions {
  readonly dayKey: (day: string) => Uint8Array | undefined;
  readonly trustedProxies: readonly string[];
  readonly ipv6Prefix: 64 | 56;
  /** Addresses and ranges beside those of the machine itself that see the operator's paths. */
  readonly opsAllow?: readonly string[];
}

/** What a proxy adds. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'];
const MAX_REMEMBERED = 50_000;

/** Turns the caller's address into the tag of the day, the only form that leaves transport. */
export class AddressTagger {
  readonly #options: AddressTaggerOptions;
  readonly #proxies = new BlockList();
  readonly #operators = new BlockList();
  /** Stands in for the day key while the database cannot give it; nothing is stored under it, for writes fail too. */
  readonly #ownKey = randomBytes(32);
  #tags = new Map<string, string>();
  #key: Uint8Array | undefined;
  #day = '';
  #dayEndsMs = 0;

  constructor(options: AddressTaggerOptions) {
    this.#options = options;
    for (const range of options.trustedProxies) addRange(this.#proxies, range);
    for (const range of options.opsAllow ?? []) addRange(this.#operators, range);
    this.#operators.addSubnet('127.0.0.0', 8, 'ipv4');
    this.#operators.addAddress('::1', 'ipv6');
  }

  tagOf(request: IncomingMessage, nowMs: number): string {
    this.#turnDay(nowMs);
    const address = this.#callerAddress(request);
    const known = this.#tags.get(address);
    if (known !== undefined) return known;
    const tag = addressTag(this.#key ?? this.#ownKey, addressPrefix(address, this.#options.ipv6Prefix));
    if (this.#tags.size >= MAX_REMEMBERED) this.#tags.clear();
    this.#tags.set(address, tag);
    return tag;
  }

  /** The Host that was asked; the one that a proxy was asked only where the proxy is ours. */
  hostOf(request: IncomingMessage): string | undefined {
    const forwarded = request.headers['x-forwarded-host'];
    const isOurs = forwarded !== undefined && this.#isProxy(request.socket.remoteAddress ?? '');
    return isOurs ? String(forwarded).split(',', 1)[0]?.trim() : request.headers.host;
  }

  /** A call that somebody passed on is the operator's only where the one who passed it on is trusted to say for whom. */
  isOperator(request: IncomingMessage): boolean {
    const peer = request.socket.remoteAddress ?? '';
    const isForwarded = FORWARDING.some((name) => request.headers[name] !== undefined);
    if (isForwarded && !this.#isProxy(peer)) return false;
    const address = this.#callerAddress(request);
    return isIP(address) !== 0 && this.#operators.check(address, familyOf(address));
  }

  #turnDay(nowMs: number): void {
    if (nowMs >= this.#dayEndsMs) {
      this.#day = utcDay(nowMs);
      this.#dayEndsMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
      this.#key = undefined;
      this.#tags.clear();
    }
    if (this.#key === undefined) {
      this.#key = this.#options.dayKey(this.#day);
      if (this.#key !== undefined) this.#tags.clear();
    }
  }

  /** The last address that is not a proxy of ours; forwarded headers of anybody else are not believed. */
  #callerAddress(request: IncomingMessage): string {
    const peer = request.socket.remoteAddress ?? '';
    if (this.#options.trustedProxies.length === 0 || !this.#isProxy(peer)) return peer;
    const forwarded = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((hop) => hop.trim());
    const caller = hops.findLast((hop) => hop !== '' && !this.#isProxy(addressIn(hop)));
    return caller === undefined ? peer : addressIn(caller);
  }

  #isProxy(address: string): boolean {
    return isIP(address) !== 0 && this.#proxies.check(address, familyOf(address));
  }
}

/** The address of a hop: some proxies write it with its port, and that of IPv6 in brackets. */
function addressIn(hop: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/** Takes an address, or a range such as 10.0.0.0/8. */
function addRange(list: BlockList, range: string): void {
  const [address = '', length] = range.split('/', 2);
  if (length === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(length), familyOf(address));
}

function familyOf(address: string): 'ipv6' | 'ipv4' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
