import { hash } from 'node:crypto';
import { malformed } from './ap2-error.ts';
import { fromBase64url, isObject, type JsonObject, jsonOfPart } from './token-json.ts';

/** An SD-JWT (RFC 9901) in compact form, read and not yet verified. */
export interface SdJwt {
  /** With its disclosures and the final `~`. */
  readonly text: string;
  /** Header, payload and signature. */
  readonly jwt: string;
  /** What the signature is over: header and payload. */
  readonly signed: string;
  readonly signature: Uint8Array;
  readonly header: JsonObject;
  readonly payload: JsonObject;
  readonly disclosures: readonly string[];
}

export const MAX_TOKEN_CHARACTERS = 32_768;
export const MAX_DISCLOSURES = 64;
const MAX_NESTED_DISCLOSURES = 8;
const RESERVED: ReadonlySet<string> = new Set(['_sd', '...', '__proto__']);

export function sha256Base64url(text: string): string {
  return hash('sha256', text, 'base64url');
}

export function readSdJwt(text: string, place: string): SdJwt {
  // attacker-controlled
  if (text.length > MAX_TOKEN_CHARACTERS) throw malformed(`${place} is too long.`);
  if (!text.endsWith('~')) throw malformed(`${place} must end with ~.`);
  const [jwt = '', ...disclosures] = text.slice(0, -1).split('~');
  if (disclosures.length > MAX_DISCLOSURES) throw malformed(`${place} has more than ${MAX_DISCLOSURES} disclosures.`);
  const parts = jwt.split('.');
  if (parts.length !== 3) throw malformed(`${place} must start with a JWT.`);
  const [head = '', body = '', tail = ''] = parts;
  const header = jsonOfPart(head, `The header of ${place}`);
  const payload = jsonOfPart(body, `The payload of ${place}`);
  const signature = fromBase64url(tail);
  if (!isObject(header) || !isObject(payload) || signature === undefined) throw malformed(`${place} is not a JWT.`);
  if (header['crit'] !== undefined) throw malformed(`${place} has a critical header.`);
  return { text, jwt, signed: `${head}.${body}`, signature, header, payload, disclosures };
}

type Disclosure =
  | { readonly kind: 'item'; readonly value: unknown }
  | { readonly kind: 'member'; readonly name: string; readonly value: unknown };

export interface Disclosed {
  readonly payload: JsonObject;
  /** Paths of the objects and lists that hold back something. */
  readonly hidden: readonly (readonly (string | number)[])[];
}

/** The payload with every disclosed value in its place. What no disclosure opens is left out. */
export function disclose({ payload, disclosures }: SdJwt, place: string): Disclosed {
  if ((payload['_sd_alg'] ?? 'sha-256') !== 'sha-256') throw malformed(`${place} must use sha-256.`);
  const given = new Map(disclosures.map((text) => [sha256Base64url(text), readDisclosure(text, place)] as const));
  if (given.size !== disclosures.length) throw malformed(`${place} has a disclosure twice.`);
  const opening = new Opening(given, place);
  const { _sd_alg: _, ...opened } = opening.value(payload, [], 0) as Record<string, unknown>;
  if (opening.used !== given.size) throw malformed(`${place} has a disclosure without a digest.`);
  return { payload: opened, hidden: opening.hidden };
}

function readDisclosure(text: string, place: string): Disclosure {
  const value = jsonOfPart(text, `A disclosure of ${place}`);
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw malformed(`A disclosure of ${place} has no salt.`);
  if (value.length === 2) return { kind: 'item', value: value[1] };
  const [, name] = value;
  if (value.length !== 3 || typeof name !== 'string' || RESERVED.has(name)) {
    throw malformed(`A disclosure of ${place} must have a value, or a name and a value.`);
  }
  return { kind: 'member', name, value: value[2] };
}

class Opening {
  readonly hidden: (readonly (string | number)[])[] = [];
  used = 0;
  readonly #given: ReadonlyMap<string, Disclosure>;
  readonly #place: string;
  readonly #seen = new Set<string>();

  constructor(given: ReadonlyMap<string, Disclosure>, place: string) {
    this.#given = given;
    this.#place = place;
  }

  value(value: unknown, path: readonly (string | number)[], nested: number): unknown {
    if (nested > MAX_NESTED_DISCLOSURES) throw malformed(`${this.#place} has disclosures nested too deeply.`);
    if (Array.isArray(value)) return this.#items(value, path, nested);
    return isObject(value) ? this.#members(value, path, nested) : value;
  }

  #items(items: readonly unknown[], path: readonly (string | number)[], nested: number): unknown[] {
    const opened: unknown[] = [];
    for (const item of items) {
      const at = [...path, opened.length];
      if (!isObject(item) || !('...' in item)) opened.push(this.value(item, at, nested));
      else {
        if (Object.keys(item).length !== 1) throw malformed(`${this.#place} has members next to a digest.`);
        const found = this.#open(item['...'], path, 'item');
        if (found !== undefined) opened.push(this.value(found.value, at, nested + 1));
      }
    }
    return opened;
  }

  #members(members: JsonObject, path: readonly (string | number)[], nested: number): JsonObject {
    const { _sd: digests = [], ...plain } = members;
    if (!Array.isArray(digests) || '...' in plain) throw malformed(`${this.#place} has a digest in the wrong place.`);
    const opened = new Map(
      Object.entries(plain).map(([name, value]) => [name, this.value(value, [...path, name], nested)]),
    );
    for (const digest of digests) {
      const found = this.#open(digest, path, 'member');
      if (found === undefined) continue;
      if (opened.has(found.name)) throw malformed(`${this.#place} has a member twice.`);
      opened.set(found.name, this.value(found.value, [...path, found.name], nested + 1));
    }
    // Makes a member of every name, also of `__proto__`.
    return Object.fromEntries(opened);
  }

  #open<K extends Disclosure['kind']>(digest: unknown, path: readonly (string | number)[], kind: K) {
    if (typeof digest !== 'string' || this.#seen.has(digest)) throw malformed(`${this.#place} has a digest twice.`);
    this.#seen.add(digest);
    const found = this.#given.get(digest);
    if (found === undefined) {
      this.hidden.push(path);
      return undefined;
    }
    if (found.kind !== kind) throw malformed(`${this.#place} has a disclosure of the wrong kind.`);
    this.used += 1;
    return found as Extract<Disclosure, { kind: K }>;
  }
}
