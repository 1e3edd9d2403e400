import { cleanKeyText } from '#kernel/foreign-text.ts';
import { githubPath, githubText, gitlabPath, looksLikeGitlab, type VenueIssue } from './venue-forms.ts';

declare const canonical: unique symbol;
/** The one text that stands for a piece of work; two texts that mean the same work have the same key. */
export type CanonicalKey = string & { readonly [canonical]: true };

export type KeyOutcome =
  | { readonly ok: true; readonly key: CanonicalKey; readonly publicVenue: boolean }
  | { readonly ok: false; readonly code: 'key_empty' | 'key_too_long' };

interface Form {
  readonly key: string;
  readonly publicVenue: boolean;
}

const NO_HOSTS: ReadonlySet<string> = new Set();
const MAX_KEY_CHARACTERS = 512;
/** Longer texts are refused unread: parsing a host name takes time in the square of its length. */
const MAX_GIVEN_LENGTH = 4096;

/**
 * Returns the canonical key of a text; the canonical key of that is itself.
 * @param venueHosts hosts whose URLs name public work, in lower case and without `www.`
 */
export function canonicalKey(text: string, venueHosts: ReadonlySet<string> = NO_HOSTS): KeyOutcome {
  if (text.length > MAX_GIVEN_LENGTH) return { ok: false, code: 'key_too_long' };
  const given = withoutEndMark(cleanKeyText(text)); // attacker-controlled
  if (given === '') return { ok: false, code: 'key_empty' };
  const { key, publicVenue } = shorthand(given) ?? webAddress(given, venueHosts) ?? { key: given, publicVenue: false };
  return fits(key) ? { ok: true, key, publicVenue } : { ok: false, code: 'key_too_long' };
}

/** Whether a canonical key names public work, which nobody can close to everyone else. */
export function isPublicVenue(key: string, venueHosts?: ReadonlySet<string>): boolean {
  const named = canonicalKey(key, venueHosts);
  return named.ok && named.publicVenue;
}

/** The key of a link, or null where it is none. */
export function keyOfLink(link: string): string | null {
  const named = canonicalKey(link);
  return named.ok ? named.key : null;
}

function fits(key: string): key is CanonicalKey {
  return key.length <= MAX_KEY_CHARACTERS || Array.from(key).length <= MAX_KEY_CHARACTERS;
}

/** One dot or comma at the end belongs to the sentence around a key. Several may stand for a text that was cut off. */
const END_MARK = /(?<=[^., ]) ?[.,]$/;

function withoutEndMark(text: string): string {
  // A last path segment of two dots, however written, is a step up.
  return /[/\\]%2e\.$/i.test(text) ? text : text.replace(END_MARK, '');
}

/** A mark that belongs to an address is escaped where it comes to stand at the end, so that it stays. */
function withEndMark(address: string): string {
  return address.replace(END_MARK, (mark) => (mark === '.' ? '%2E' : '%2C'));
}

function shorthand(text: string): Form | null {
  return venueForm(githubText(text));
}

function venueForm(issue: VenueIssue | null): Form | null {
  return issue && { key: `https://${issue.host}${issue.path}`, publicVenue: true };
}

const WEB_ADDRESS = /^(?:https?:\/\/|(?:www\.)?git(?:hub|lab)\.com\/)/i;

function webAddress(text: string, venueHosts: ReadonlySet<string>): Form | null {
  if (!WEB_ADDRESS.test(text)) return null;
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
  const hostName = url && canonicalHost(url.hostname);
  if (!url || !hostName) return null;
  // http becomes https, so its port 443 becomes the default one.
  const host = url.port === '' || url.port === '443' ? hostName : `${hostName}:${url.port}`;
  const path = unescapeUnreserved(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  const issue = githubPath(host, path) ?? gitlabPath(hostName, host, { path, query: unescapeUnreserved(url.search) });
  return (
    venueForm(issue) ?? {
      key: withEndMark(
        `https://${host}${path}${canonicalQuery(url.search.slice(1))}${canonicalFragment(url.hash.slice(1))}`,
      ),
      publicVenue: venueHosts.has(hostName) || looksLikeGitlab(path),
    }
  );
}

function canonicalHost(hostName: string): string | null {
  const host = hostName.replace(/\.$/, '').replace(/^(?:www\.)+/, '');
  // With an empty label no name resolves; taken apart, such a host could turn into a number address.
  return host === '' || host.startsWith('.') || host.includes('..') || host.endsWith('.') ? null : host;
}

/** Only what is never anything else: `ref` is often a branch, `source` a choice. */
const TRACKING = /^(?:utm_.*|gclid|fbclid|ref_src|mc_cid|mc_eid|igshid|notification_referrer_id)$/s;

function canonicalQuery(search: string): string {
  const pairs = unescapeUnreserved(search)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('=') };
    })
    .filter(({ name }) => !TRACKING.test(name))
    .sort((a, b) => compare(a.name, b.name) || compare(plain(a.value), plain(b.value)) || compare(a.value, b.value));
  return pairs.length === 0 ? '' : `?${pairs.map(({ name, value }) => `${name}=${value}`).join('&')}`;
}

/** A comma sorts the same whether it is escaped or not: `withEndMark` may escape the last one. */
function plain(value: string): string {
  return value.replaceAll('%2C', ',');
}

/**
 * A fragment with a slash, a sign of equality or a leading `!` is a route, which programs in the page read. Any other is a
 * place in the page, and the same work.
 */
function canonicalFragment(hash: string): string {
  const fragment = unescapeUnreserved(hash.replace(/:~:.*$/s, '')).replace(/(?<!\/)\/+$/, '');
  return /^!.|[/=]/.test(fragment) ? `#${fragment}` : '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Decodes escapes of unreserved characters (RFC 3986 section 2.3) and writes all others in upper case. */
function unescapeUnreserved(text: string): string {
  return text.replace(/%([0-9a-f]{2})?/gi, (escape: string, hex: string | undefined) => {
    // A bare % is escaped, else it could form a new escape with the characters decoded behind it.
    if (hex === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}
