// The two sides of a mandate handshake, over HTTP.
import assert from 'node:assert/strict';
import { digestOfMandate, eraseMandate } from '#areas/mandates/erasure.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { entriesErasureUnit } from '#platform/log/erasure.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes, ed25519Sign } from '#protocol/ed25519.ts';
import { createPublicKey } from 'node:crypto';
import { sha256Hex } from '#kernel/ids.ts';
import { forgetEntries } from '../../src/areas.ts';
import type { Answer } from './client.ts';
import type { TestService } from './service.ts';

export type Body = Record<string, unknown>;

export const payloadHash = (text: string) => `sha256:${sha256Hex(text)}`;

export function signer(fill: number): { publicKey: string; sign: (value: object) => string } {
  const privateKey = ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(fill));
  const publicKey = Buffer.from(ed25519PublicBytes(createPublicKey(privateKey))).toString('base64');
  const sign = (value: object) =>
    Buffer.from(ed25519Sign(privateKey, Buffer.from(canonicalJson(value)))).toString('base64');
  return { publicKey, sign };
}

export function post(service: TestService, path: string, body: Body, headers: Record<string, string> = {}) {
  return service.call(path, { method: 'POST', body, headers });
}

export interface PlatformOf {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  call(path: string, body: Body, headers?: Record<string, string>): Promise<Answer>;
  verify(body: Body, headers?: Record<string, string>): Promise<Answer>;
  seal(ref: unknown, outcome: string, more?: Body): Promise<Answer>;
}

export async function registered(service: TestService, name = 'Harbour Shop'): Promise<PlatformOf> {
  const body = { name, mcp_url: 'https://shop.example/mcp', contact: 'desk@shop.example' };
  const { status, json, text } = await post(service, '/api/amh/register', body);
  assert.equal(status, 201, text);
  const key = String(json['api_key']);
  const call = (path: string, sent: Body, headers: Record<string, string> = {}) =>
    post(service, path, sent, { 'x-amh-key': key, ...headers });
  return {
    id: String(json['platform_id']),
    key,
    keyId: String(json['key_id']),
    call,
    verify: (sent, headers) => call('/api/amh/verify', sent, headers),
    seal: (ref, outcome, more = {}) => call('/api/amh/seal', { verify_ref: ref, outcome, ...more }),
  };
}

/** The smallest body that the protocol takes, valid for thirty days. */
export function mandateBody(nowMs: number, more: Body = {}): Body {
  const valid_until = new Date(nowMs + 30 * DAY_MS).toISOString();
  return { agent_id: 'agent:shopper-7', principal: 'Acme BV', max_commit_cents: 50_000, valid_until, ...more };
}

export async function mandate(service: TestService, body: Body): Promise<Body & { mandate_id: string }> {
  const { status, json, text } = await post(service, '/api/amh/mandate', body);
  assert.equal(status, 201, text);
  return json as Body & { mandate_id: string };
}

/** As `./avouch erase` does it, in this process. */
export async function erasedMandate({ service }: TestService, mandateId: string) {
  const sha256 = (await digestOfMandate(service.store, mandateId)) ?? assert.fail('no such mandate');
  const eraseEntries = entriesErasureUnit(forgetEntries);
  return eraseMandate(service.store, { mandateId, sha256, reason: 'request', sandbox: true, eraseEntries });
}

/** Somebody that the principal knows. */
export const KNOWN_PLATFORM = 'plt_0123456789abcdefghjkmnpqrs';

/** What a platform took from an open mandate before its principal narrowed it, and took back. */
export async function voidedUse(
  service: TestService,
  stranger: PlatformOf,
  body: Body,
): Promise<{ ref: unknown; mandateId: string }> {
  const made = await mandate(service, body);
  const { json } = await stranger.verify(asked(made.mandate_id, 100, 'taken'));
  const path = `/api/amh/mandate/${made.mandate_id}`;
  const control = { 'x-amh-control': String(made['control_token']) };
  const narrowed = await post(service, `${path}/narrow`, { platforms: [KNOWN_PLATFORM] }, control);
  assert.equal(narrowed.status, 200, narrowed.text);
  const voided = await post(service, `${path}/void`, { platform_id: stranger.id }, control);
  assert.equal(voided.status, 200, voided.text);
  return { ref: json['verify_ref'], mandateId: made.mandate_id };
}

export function asked(mandateId: string, amount: number, payload: string, more: Body = {}): Body {
  const payload_hash = payloadHash(payload);
  return { mandate_id: mandateId, action: 'order.place', amount_cents: amount, currency: 'EUR', payload_hash, ...more };
}
