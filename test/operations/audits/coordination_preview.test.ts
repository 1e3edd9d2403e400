import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CoordinationPreview } from '#areas/audits/outputs.ts';
import { ownVectors } from '../../properties/audit-vectors.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import type { TestService } from '../../support/service.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('coordination_preview');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function preview(service: TestService, query: Record<string, string> | string = ''): Promise<Answer> {
  const text = typeof query === 'string' ? query : String(new URLSearchParams(query));
  return statuses.saw(await service.call(`/v1/coordination/preview?${text}`));
}

test('every vector gets its verdict, score and grade, and the open controls counted', async () => {
  const service = await sharedService();
  for (const { name, query, expect } of ownVectors.coordination) {
    // Nothing at all asks for the sample; a count of agents changes no verdict.
    const answer = await preview(service, { agents: '1', ...query });
    assert.equal(answer.status, 200, answer.text);
    const body = CoordinationPreview.parse(answer.json);
    const sum = Object.values(body.open as Record<string, number>).reduce((all, count) => all + count, 0);
    const { verdict, score, grade, controls } = expect;
    assert.deepEqual([body.verdict, body.score, body.grade, sum], [verdict, score, grade, controls.length], name);
    assert.deepEqual(body.full, { path: '/v1/agent-coordination-audit', price_usdc: '0.05' });
    assert.equal(body.signed, false);
    assert.doesNotMatch(answer.text, /findings|"fix"|exposure|incidents|measurement/);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('without any parameter the answer is a whole sample that says so', async () => {
  const service = await sharedService();
  const body = CoordinationPreview.parse((await preview(service)).json) as Record<string, unknown>;
  assert.deepEqual([body['sample'], body['signed'], body['basis']], [true, false, 'self-declared']);
  assert.ok((body['findings'] as unknown[]).length > 0);
});

test('each malformed value is refused and names its parameter', async () => {
  const service = await sharedService();
  const rows: Record<string, string[]> = {
    scope: ['', 'market,', 'market, tools', 'compute', 'Market'],
    system: ['', 'x'.repeat(81)],
    agents: ['', '0', '000', '-1', '1.5', '1234567', 'two'],
    claim_before_work: ['', 'Yes', 'true'],
    variance_measured: ['', 'maybe'],
    claim_before_wrk: ['yes'],
  };
  for (const [name, values] of Object.entries(rows)) {
    for (const value of values) {
      const query = { receipts: 'yes', [name]: value };
      const body = expectProblem(await preview(service, query), 400, 'invalid_parameters');
      const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
      assert.deepEqual(pointers, [`#/${name}`], `${name}=${value}`);
    }
  }
});

test('previews are limited as reads', async () => {
  await expectLimited(statuses, preview);
});
