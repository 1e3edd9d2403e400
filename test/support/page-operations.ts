// What rows with pages have in common.
import assert from 'node:assert/strict';
import { type Answer, type CallOptions, expectProblem } from './client.ts';
import { type PromisedStatuses } from './promised-statuses.ts';
import { type TestService } from './service.ts';

export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
export const FORM = 'application/x-www-form-urlencoded';

/** The same address as JSON by default, as a page for a browser and as Markdown by format. */
export async function expectForms(service: TestService, path: string, says: RegExp): Promise<void> {
  const joint = path.includes('?') ? '&' : '?';
  const [json, html, markdown] = [
    await service.call(path, { headers: { accept: '*/*' } }),
    await service.call(path, { headers: { accept: BROWSER } }),
    await service.call(`${path}${joint}format=md`),
  ];
  assert.deepEqual(
    [json, html, markdown].map(({ status, headers }) => [status, headers['content-type'], headers['vary']]),
    ['application/json', 'text/html; charset=utf-8', 'text/markdown; charset=utf-8'].map((type) => [
      200,
      type,
      'Accept',
    ]),
    path,
  );
  for (const { text } of [json, html, markdown]) assert.match(text, says);
  assert.match(String(html.headers['content-security-policy']), /default-src 'none'/);
}

/** Calls until the service, which must have a small burst, has had enough. */
export async function expectLimit(statuses: PromisedStatuses, call: () => Promise<Answer>): Promise<void> {
  let answer = await call();
  for (let used = 1; used < 30 && answer.status !== 429; used += 1) answer = await call();
  expectProblem(statuses.saw(answer), 429, 'slow_down');
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
