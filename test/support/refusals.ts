// What rows refuse alike, whatever they are about.
import assert from 'node:assert/strict';
import { newApiKey } from '#kernel/ids.ts';
import { type Answer, type CallOptions, expectProblem } from './client.ts';
import type { PromisedStatuses } from './promised-statuses.ts';
import { lockDatabase, type TestService } from './service.ts';
import { limitedService, SMALL_BURST } from './shared-service.ts';

export const FORM = 'application/x-www-form-urlencoded';

type Headers = Record<string, string>;
/** Keys of the right form that nobody was given. */
export const STRANGER: Headers = { 'x-agent-key': newApiKey('agk_'), 'x-amh-key': newApiKey('amhk_') };

type Body = Record<string, unknown>;

/** A service with small limits has soon had enough of calls of this row, and says by which class of calls. */
export async function expectLimited(
  statuses: PromisedStatuses,
  call: (service: TestService) => Promise<Answer>,
): Promise<Body> {
  const { service } = await limitedService();
  return untilLimited(statuses, () => call(service));
}

async function untilLimited(statuses: PromisedStatuses, call: () => Promise<Answer>): Promise<Body> {
  let answer = await call();
  assert.notEqual(answer.status, 429, answer.text);
  // The first call of a key is counted for its address: only then is the key known.
  for (let calls = 1; calls <= SMALL_BURST + 1 && answer.status !== 429; calls += 1) answer = await call();
  const body = expectProblem(statuses.saw(answer), 429, 'slow_down');
  assert.match(String(answer.headers['ratelimit-policy']), new RegExp(`^"${statuses.rate}";q=${SMALL_BURST};`));
  return body;
}

interface Sendable {
  readonly path: string;
  readonly body: Body;
  readonly headers?: Headers;
  /** Of a body that is too large; 64 KiB are unless the row says otherwise. */
  readonly tooManyBytes?: number;
}

/** The refusals that every POST promises, one after the other, about a call that would write. */
export async function generalRefusals(
  statuses: PromisedStatuses,
  prepare: (service: TestService) => Sendable | Promise<Sendable>,
): Promise<void> {
  const { path, body, headers = {}, tooManyBytes = 70_000 } = await prepare((await limitedService()).service);
  const { service } = await limitedService();
  const raw = async (text: string, type = 'application/json') =>
    statuses.saw(
      await service.call(path, { method: 'POST', body: text, headers: { ...headers, 'content-type': type } }),
    );
  const send = (sent: Body) => raw(JSON.stringify(sent));
  expectProblem(await send({ ...body, surprise: 1 }), 400, 'invalid_parameters');
  expectProblem(await raw('{'), 400, 'malformed_json');
  expectProblem(await raw('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send({ surprise: 'x'.repeat(tooManyBytes) }), 413, 'body_too_large');
  {
    using _lock = lockDatabase(service.dataDir);
    expectProblem(await send(body), 503, 'storage_unavailable');
  }
  await untilLimited(statuses, () => send({ surprise: 1 }));
}

/** What every row refuses that the form of a page may send. */
export async function formRefusals(statuses: PromisedStatuses, service: TestService, path: string): Promise<void> {
  const send = async (body: string, type: string, more: CallOptions['headers'] = {}) =>
    statuses.saw(await service.call(path, { method: 'POST', body, headers: { 'content-type': type, ...more } }));
  expectProblem(await send('{', 'application/json'), 400, 'malformed_json');
  expectProblem(await send('surprise=1', FORM), 400, 'invalid_parameters');
  expectProblem(await send('x', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send('x'.repeat(200_000), FORM), 413, 'body_too_large');
  expectProblem(await send('x=1', FORM, { 'sec-fetch-site': 'cross-site' }), 403, 'cross_site_request');
}

/** What every call under an agent key refuses. */
export async function keyRefusals(
  statuses: PromisedStatuses,
  call: (headers: Headers) => Promise<Answer>,
): Promise<void> {
  const refused = async (headers: Headers, code: string) => expectProblem(statuses.saw(await call(headers)), 401, code);
  await refused({}, 'key_missing');
  await refused({ 'x-agent-key': `agk_${'A'.repeat(49)}` }, 'key_malformed');
  await refused({ 'x-agent-key': newApiKey('agk_') }, 'key_invalid');
}
