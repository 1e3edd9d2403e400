import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ProblemPage } from '#areas/discovery/operations.ts';
import { TABLE } from '../../../src/areas.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('problem_type');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('every problem code has its page, and an unknown code is not found', async () => {
  const service = await sharedService();
  for (const { code, status } of TABLE.problems()) {
    const page = ProblemPage.parse(statuses.saw(await service.call(`/problems/${code}`)).json);
    assert.deepEqual([page.code, page.status], [code, status]);
    assert.ok(page.help.length > 20);
  }
  expectProblem(statuses.saw(await service.call('/problems/nonsense')), 404, 'unknown_code');
  expectProblem(statuses.saw(await service.call(`/problems/${'x'.repeat(90)}`)), 400, 'invalid_parameters');
});

test('a page comes as HTML or Markdown when that is what is asked for', async () => {
  const service = await sharedService();
  const page = async (accept: string) => service.call('/problems/held', { headers: { accept } });
  const html = await page('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
  assert.match(html.headers['content-type'] ?? '', /^text\/html/);
  assert.match(html.text, /<h1>Held by another agent<\/h1>/);
  assert.match(String(html.headers['content-security-policy']), /default-src 'none'/);
  const markdown = await page('text/markdown');
  assert.match(markdown.text, /^# Held by another agent/);
  const json = await page('*/*');
  assert.equal(json.headers['content-type'], 'application/json');
  assert.equal(new Set([html, markdown, json].map(({ headers }) => headers.etag)).size, 3);
  assert.deepEqual(
    [html, markdown, json].map(({ headers }) => headers['vary']),
    Array.from({ length: 3 }, () => 'Accept, Accept-Encoding'),
  );
});
