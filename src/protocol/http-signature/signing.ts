import type { KeyObject } from 'node:crypto';
import { ed25519Sign } from '#protocol/ed25519.ts';
import { thumbprint } from './public-key.ts';
import { type SignableRequest, signatureBase } from './signature-base.ts';
import { parseDictionary, quoted } from './structured-field.ts';
import { contentDigest, WEB_BOT_AUTH } from './web-bot-auth.ts';

/** Whose directory has the public part of an Ed25519 key. */
export interface RequestSigner {
  readonly key: KeyObject;
  readonly keyid: string;
  readonly origin: string;
  /** Names the signature among others of a request. */
  readonly label: string;
}

export interface SigningTime {
  readonly nowMs: number;
  readonly seconds: number;
}

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body?: Uint8Array;
}

/** The headers that sign a request (Web Bot Auth): it covers method, address, query and body, where there are any. */
export function signedHeaders(
  { method, url, body }: UnsignedRequest,
  { key, keyid, origin, label }: RequestSigner,
  time: SigningTime,
): Record<string, string> {
  const headers: Record<string, string> = {
    'signature-agent': `${label}=${quoted(origin)}`,
    ...(body !== undefined && { 'content-digest': contentDigest(body) }),
  };
  const components = [
    '"@method"',
    '"@authority"',
    '"@path"',
    ...(url.search === '' ? [] : ['"@query"']),
    ...(body === undefined ? [] : ['"content-digest"']),
    `"signature-agent";key=${quoted(label)}`,
  ];
  const parameters = `(${components.join(' ')})${signatureParameters(time, keyid, WEB_BOT_AUTH)}`;
  const request = requestOf(method, url, (name) => headers[name]);
  return { ...headers, ...signed(label, parameters, baseOf(request, label, parameters), key) };
}

export function requestOf(method: string, url: URL, header: SignableRequest['header']): SignableRequest {
  const { protocol, host: authority, pathname: path, search: query } = url;
  return { method, scheme: protocol.slice(0, -1), authority, path, query, header };
}

function signatureParameters({ nowMs, seconds }: SigningTime, keyid: string, tag: string): string {
  const created = Math.floor(nowMs / 1_000);
  return `;created=${created};expires=${created + seconds};keyid=${quoted(keyid)};tag=${quoted(tag)}`;
}

function baseOf(request: SignableRequest, label: string, parameters: string): string {
  const input = parseDictionary(`${label}=${parameters}`)?.get(label);
  const base = input !== undefined && 'items' in input ? signatureBase(request, input) : undefined;
  if (base === undefined) throw new TypeError('not a request that can be signed');
  return base;
}

function signed(label: string, parameters: string, base: string, key: KeyObject): Record<string, string> {
  const signature = Buffer.from(ed25519Sign(key, Buffer.from(base, 'latin1'))).toString('base64');
  return { 'signature-input': `${label}=${parameters}`, signature: `${label}=:${signature}:` };
}

export interface DirectoryDocument {
  readonly keys: { kty: 'OKP'; crv: 'Ed25519'; kid: string; x: string; use: 'sig' }[];
}

/** The public parts of Ed25519 keys as the JSON of a directory. */
export function directoryDocument(keys: readonly KeyObject[]): DirectoryDocument {
  return {
    keys: keys.map((key) => {
      const { x = '' } = key.export({ format: 'jwk' });
      return { kty: 'OKP', crv: 'Ed25519', kid: thumbprint(key), x, use: 'sig' };
    }),
  };
}

/** The headers by which each key of a directory shows that its owner publishes it for this authority. */
export function directoryHeaders(
  body: Uint8Array,
  authority: string,
  privateKeys: readonly KeyObject[],
  time: SigningTime,
): Record<string, string> {
  const digest = contentDigest(body);
  const signatures = privateKeys.map((key, index) => {
    const label = `key${index + 1}`;
    const rest = signatureParameters(time, thumbprint(key), DIRECTORY_TAG);
    const parameters = `("@authority";req "content-digest")${rest}`;
    const lines = [`"@authority";req: ${authority}`, `"content-digest": ${digest}`];
    const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
    return signed(label, parameters, base, key);
  });
  const joined = (name: string) => signatures.map((one) => one[name]).join(', ');
  return { 'content-digest': digest, 'signature-input': joined('signature-input'), signature: joined('signature') };
}

const DIRECTORY_TAG = 'http-message-signatures-directory';
