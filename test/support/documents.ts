// What public documents and pages promise alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/areas.ts';
import { type Answer, expectProblem } from './client.ts';
import { PromisedStatuses } from './promised-statuses.ts';
import { type TestService } from './service.ts';
import { sharedService } from './shared-service.ts';

/** The document answers 200 in the form of its row, and an unknown parameter is named. */
export function documentTest(
  operationId: string,
  more: (service: TestService, statuses: PromisedStatuses, answer: Answer) => Promise<void> | void = () => {},
  path?: string,
): void {
  test(`${operationId} is answered as its row says`, async () => {
    const statuses = new PromisedStatuses(operationId);
    const row = OPERATIONS.find((one) => one.operationId === operationId);
    assert.ok(row !== undefined);
    const service = await sharedService();
    const answer = statuses.saw(await service.call(path ?? row.path));
    assert.equal(answer.status, 200, answer.text);
    row.output.parse(row.mediaType === undefined ? answer.json : answer.text);
    expectProblem(statuses.saw(await service.call(`${path ?? row.path}?x=1`)), 400, 'invalid_parameters');
    await more(service, statuses, answer);
    assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw');
  });
}
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

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
