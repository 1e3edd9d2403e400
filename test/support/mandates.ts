// The two sides of a mandate handshake, over HTTP.
import assert from 'node:assert/strict';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes, ed25519Sign } from '#protocol/ed25519.ts';
import { createPublicKey } from 'node:crypto';
import { sha256Hex } from '#kernel/ids.ts';
import { type Answer, expectProblem } from './client.ts';
import { type PromisedStatuses } from './promised-statuses.ts';
import { lockDatabase, TestService } from './service.ts';

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

const DAY_MS = 86_400_000;

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

export function asked(mandateId: string, amount: number, payload: string, more: Body = {}): Body {
  const payload_hash = payloadHash(payload);
  return { mandate_id: mandateId, action: 'order.place', amount_cents: amount, currency: 'EUR', payload_hash, ...more };
}

interface Sendable {
  readonly path: string;
  readonly body: Body;
  readonly headers?: Record<string, string>;
  /** Of a body that is too large; 64 KiB are unless the row says otherwise. */
  readonly tooManyBytes?: number;
}

/** The refusals that every POST promises, one after the other, about a call that would write. */
export async function generalRefusals(
  statuses: PromisedStatuses,
  rate: string,
  prepare: (service: TestService) => Sendable | Promise<Sendable>,
): Promise<void> {
  await using service = await TestService.start({ env: { [rate]: '1/min,8' } });
  const { path, body, headers = {}, tooManyBytes = 70_000 } = await prepare(service);
  const send = async (sent: Body) => statuses.saw(await post(service, path, sent, headers));
  const raw = async (text: string, type: string) =>
    statuses.saw(
      await service.call(path, { method: 'POST', body: text, headers: { ...headers, 'content-type': type } }),
    );
  expectProblem(await send({ ...body, surprise: 1 }), 400, 'invalid_parameters');
  expectProblem(await raw('{', 'application/json'), 400, 'malformed_json');
  expectProblem(await raw('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send({ surprise: 'x'.repeat(tooManyBytes) }), 413, 'body_too_large');
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(await send(body), 503, 'storage_unavailable');
  }
  let last = await send({ surprise: 1 });
  for (let turn = 0; turn < 8 && last.status !== 429; turn += 1) last = await send({ surprise: 1 });
  expectProblem(last, 429, 'slow_down');
}
