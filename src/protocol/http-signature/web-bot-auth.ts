import { hash } from 'node:crypto';
import type { IdentityReason } from '#kernel/identity.ts';
import { hexInTurns } from '#kernel/long-hash.ts';
import { dictionaries, type SignableRequest, signatureBase } from './signature-base.ts';
import { type Item, type Member, parseDictionary, parseItem, serializeItem } from './structured-field.ts';

export const WEB_BOT_AUTH = 'web-bot-auth';
export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_MEDIA_TYPE = 'application/http-message-signatures-directory+json';
/** Its private part is printed in RFC 9421, B.1.4: anybody can sign with it. */
export const RFC9421_TEST_KEYID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

/** A signature with the tag, as far as it can be judged without its key. */
export interface SignatureReading {
  /** Components as they were written. */
  readonly covered: readonly string[];
  readonly keyid: string | null;
  /** Origin of the directory that must have the key. */
  readonly origin: string | null;
  readonly base: string | null;
  readonly signature: Uint8Array;
  readonly alg: string | null;
  readonly expiresMs: number;
  /** Whether the signature is for this method, path and query alone. */
  readonly isBoundToTarget: boolean;
  readonly coversDigest: boolean;
  /** Why it is not verified, whatever the directory says. */
  readonly reason: IdentityReason | null;
}

export interface SignatureReadings {
  readonly readings: readonly SignatureReading[];
  /** Why there is no reading. */
  readonly reason: IdentityReason | null;
}

const MAX_SIGNATURES = 4;
const MAX_WINDOW_S = 86_400;
const MAX_AHEAD_S = 60;
const ALGORITHMS: ReadonlySet<string> = new Set(['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512']);

/** The signatures of a request that have the tag: the first four, each for itself. */
export function readSignatures(request: SignableRequest, nowMs: number): SignatureReadings {
  const inputs = parseDictionary(request.header('signature-input') ?? '');
  const signatures = parseDictionary(request.header('signature') ?? '');
  if (inputs === undefined || signatures === undefined) return { readings: [], reason: 'header_malformed' };
  const tagged = [...inputs].filter(([, input]) => textOf(input, 'tag') === WEB_BOT_AUTH);
  if (tagged.length === 0) return { readings: [], reason: 'tag_missing' };
  const dictionaryOf = dictionaries(request);
  const readings = tagged.slice(0, MAX_SIGNATURES).map(([label, input]) => {
    const signature = signatures.get(label);
    const isBytes = signature !== undefined && 'bare' in signature && signature.bare.kind === 'bytes';
    const bytes = isBytes ? signature.bare.value : null;
    return readSignature({ request, dictionaryOf, nowMs }, input, bytes);
  });
  return { readings, reason: null };
}

interface Reading {
  readonly request: SignableRequest;
  readonly dictionaryOf: ReturnType<typeof dictionaries>;
  readonly nowMs: number;
}

function readSignature(
  { request, dictionaryOf, nowMs }: Reading,
  input: Member,
  signature: Uint8Array | null,
): SignatureReading {
  const items = 'items' in input ? input.items : [];
  const agent = agentOf({ request, dictionaryOf }, items);
  const names = new Set(items.map(nameOf));
  const created = secondsOf(input, 'created');
  const expires = secondsOf(input, 'expires');
  const keyid = textOf(input, 'keyid');
  const base = ('items' in input ? signatureBase(request, input, dictionaryOf) : undefined) ?? null;
  const reasons: readonly [IdentityReason, boolean][] = [
    ['header_malformed', signature === null || keyid === null || created === null || expires === null],
    ['coverage', base === null || !(names.has('@authority') || names.has('@target-uri'))],
    [agent.reason ?? 'member_not_covered', agent.reason !== null],
    ['alg', input.parameters.has('alg') && !ALGORITHMS.has(textOf(input, 'alg') ?? '')],
    ['not_yet_valid', (created ?? 0) * 1_000 > nowMs + MAX_AHEAD_S * 1_000],
    ['expired', (expires ?? 0) * 1_000 < nowMs],
    ['window_too_long', (expires ?? 0) - (created ?? 0) > MAX_WINDOW_S || (expires ?? 0) < (created ?? 0)],
  ];
  return {
    covered: items.map(serializeItem),
    keyid,
    origin: agent.origin,
    base,
    signature: signature ?? new Uint8Array(),
    alg: textOf(input, 'alg'),
    expiresMs: (expires ?? 0) * 1_000,
    isBoundToTarget: isBoundToTarget(names, request.query !== ''),
    coversDigest: names.has('content-digest'),
    reason: reasons.find(([, isSo]) => isSo)?.[0] ?? null,
  };
}

function isBoundToTarget(names: ReadonlySet<string>, hasQuery: boolean): boolean {
  const isWhole = names.has('@target-uri') || names.has('@request-target');
  const coversQuery = isWhole || !hasQuery || names.has('@query');
  return names.has('@method') && (isWhole || names.has('@path')) && coversQuery;
}

interface Agent {
  readonly origin: string | null;
  readonly reason: IdentityReason | null;
}

/** Whose directory has the key: the member of Signature-Agent that the signature covers. */
function agentOf({ request, dictionaryOf }: Omit<Reading, 'nowMs'>, items: readonly Item[]): Agent {
  const field = request.header('signature-agent')?.trim() ?? '';
  const covering = items.find(({ bare }) => bare.kind === 'string' && bare.value === 'signature-agent');
  if (covering === undefined) return { origin: null, reason: 'member_not_covered' };
  const key = covering.parameters.get('key');
  // Signers of earlier drafts send one string, and cover it whole.
  const bareString = covering.parameters.size === 0 ? parseItem(field) : undefined;
  if (bareString !== undefined) return originOf(bareString);
  const member = key?.kind === 'string' ? dictionaryOf('signature-agent')?.get(key.value) : undefined;
  if (member === undefined || 'items' in member) return { origin: null, reason: 'member_not_covered' };
  return originOf(member);
}

function originOf({ bare, parameters }: Item): Agent {
  const type = parameters.get('type')?.value ?? 'directory';
  if (type !== 'directory') return { origin: null, reason: 'type_unsupported' };
  const url = bare.kind === 'string' ? URL.parse(bare.value) : null;
  if (url === null) return { origin: null, reason: 'header_malformed' };
  if (url.protocol !== 'https:') return { origin: null, reason: 'type_unsupported' };
  const isOrigin = url.href === `${url.origin}/`;
  return isOrigin ? { origin: url.origin, reason: null } : { origin: null, reason: 'header_malformed' };
}

function nameOf({ bare, parameters }: Item): string {
  return bare.kind === 'string' && parameters.size === 0 ? bare.value : '';
}

function textOf({ parameters }: Member, name: string): string | null {
  const bare = parameters.get(name);
  return bare?.kind === 'string' ? bare.value : null;
}

function secondsOf({ parameters }: Member, name: string): number | null {
  const bare = parameters.get(name);
  return bare?.kind === 'integer' ? bare.value : null;
}

const DIGESTS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

/** The digests of a known kind in a Content-Digest (RFC 9530); one that is not bytes is nothing's digest. */
function knownDigests(field: string) {
  const members = parseDictionary(field);
  return Object.entries(DIGESTS).flatMap(([name, algorithm]) => {
    const value = members?.get(name);
    if (value === undefined) return [];
    const isBytes = 'bare' in value && value.bare.kind === 'bytes';
    return [{ algorithm, digest: isBytes ? value.bare.value : new Uint8Array() }];
  });
}

/** Whether a Content-Digest is the body's: every digest of a known kind must be, and one must be known. */
export function isDigestOf(field: string, body: Uint8Array): boolean {
  const known = knownDigests(field);
  return known.length > 0 && known.every(({ algorithm, digest }) => hash(algorithm, body, 'buffer').equals(digest));
}

/** As isDigestOf, of a body that may be megabytes: other calls have their turns in between. */
export async function isDigestOfLong(field: string, body: Uint8Array): Promise<boolean> {
  const known = knownDigests(field);
  for (const { algorithm, digest } of known) {
    if ((await hexInTurns(algorithm, body)) !== Buffer.from(digest).toString('hex')) return false;
  }
  return known.length > 0;
}

export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`;
}
