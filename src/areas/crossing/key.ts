import { cleanKeyText } from '#kernel/foreign-text.ts';

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
  const given = cleanKeyText(text); // attacker-controlled
  if (given === '') return { ok: false, code: 'key_empty' };
  const { key, publicVenue } = shorthand(given) ?? webAddress(given, venueHosts) ?? { key: given, publicVenue: false };
  return fits(key) ? { ok: true, key, publicVenue } : { ok: false, code: 'key_too_long' };
}

/** The key of a link, or null where it is none. */
export function keyOfLink(link: string): string | null {
  const named = canonicalKey(link);
  return named.ok ? named.key : null;
}

function fits(key: string): key is CanonicalKey {
  return key.length <= MAX_KEY_CHARACTERS || Array.from(key).length <= MAX_KEY_CHARACTERS;
}

// At most 10 digits: a longer number would be written as 1e+23.
const SHORTHAND = /^(?:gh:)?([\w-]+)\/([\w.-]+)#(\d{1,10})$/i;
const SHORTHAND_PATH = /^gh:([\w-]+)\/([\w.-]+)\/(\d{1,10})$/i;

function shorthand(text: string): Form | null {
  const parts = SHORTHAND.exec(text) ?? SHORTHAND_PATH.exec(text);
  return parts && githubIssue(parts);
}

function githubIssue([, owner = '', repository = '', number = '']: readonly string[]): Form | null {
  let name = repository.toLowerCase();
  while (name.endsWith('.git')) name = name.slice(0, -'.git'.length);
  // As a path these would climb out of the owner.
  if (name === '' || name === '.' || name === '..') return null;
  return { key: `https://github.com/${owner.toLowerCase()}/${name}/issues/${Number(number)}`, publicVenue: true };
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
  return (
    github(host, path) ??
    gitlab(host, path) ?? {
      key: `https://${host}${path}${canonicalQuery(url.search.slice(1))}`,
      publicVenue: venueHosts.has(hostName),
    }
  );
}

function canonicalHost(hostName: string): string | null {
  const host = hostName.replace(/\.$/, '').replace(/^(?:www\.)+/, '');
  // With an empty label no name resolves; taken apart, such a host could turn into a number address.
  return host === '' || host.startsWith('.') || host.includes('..') || host.endsWith('.') ? null : host;
}

const GITHUB_PATH = /^\/([\w-]+)\/([\w.-]+)\/(?:(?:issues|pulls)\/(\d{1,10})|pull\/(\d{1,10})(?:\/.*)?)$/;
const GITHUB_API_PATH = /^\/repos\/([\w-]+)\/([\w.-]+)\/(?:issues|pulls)\/(\d{1,10})$/;

/** Issues and pull requests share one number space. */
function github(host: string, path: string): Form | null {
  const pattern = host === 'github.com' ? GITHUB_PATH : host === 'api.github.com' ? GITHUB_API_PATH : null;
  const parts = pattern?.exec(path);
  return parts ? githubIssue([parts[0], parts[1] ?? '', parts[2] ?? '', parts[3] ?? parts[4] ?? '']) : null;
}

const GITLAB_ITEM = /^\/-\/(issues|work_items|merge_requests)\/(\d{1,10})(?:\/.*)?$/;

/** GitLab runs on many hosts; `/-/` after the project is what tells it. */
function gitlab(host: string, path: string): Form | null {
  const separator = path.indexOf('/-/');
  const parts = separator > 0 ? GITLAB_ITEM.exec(path.slice(separator)) : null;
  if (!parts) return null;
  const project = unescapeUnreserved(path.slice(0, separator).toLowerCase());
  const kind = parts[1] === 'merge_requests' ? 'merge_requests' : 'issues';
  return { key: `https://${host}${project}/-/${kind}/${Number(parts[2])}`, publicVenue: true };
}

const TRACKING = /^(?:utm_.*|gclid|fbclid|ref|ref_src|source|mc_cid|mc_eid|igshid|notification_referrer_id)$/s;

function canonicalQuery(search: string): string {
  const pairs = unescapeUnreserved(search)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name, value: value.join('=') };
    })
    .filter(({ name }) => !TRACKING.test(name))
    .sort((a, b) => compare(a.name, b.name) || compare(a.value, b.value));
  return pairs.length === 0 ? '' : `?${pairs.map(({ name, value }) => `${name}=${value}`).join('&')}`;
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
