import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { X402Discovery } from '#areas/discovery/payment-documents.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('x402_discovery');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

test('the nine paid resources are listed, and each asks an unpaid probe for its price', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/.well-known/x402'));
  const { version, resources } = X402Discovery.parse(answer.json);
  assert.equal(version, 1);
  assert.deepEqual(resources, [
    'GET /v1/counterparty-check',
    'GET /v1/sanctions-screen',
    'GET /v1/nl-vehicle-check',
    'GET /v1/eu-vat-check',
    'GET /v1/uk-company-check',
    'GET /v1/uk-vehicle-mot-check',
    'GET /v1/agent-budget-audit',
    'GET /v1/spend-fuse',
    'GET /v1/agent-coordination-audit',
  ]);
  for (const resource of resources) {
    const [method, path] = resource.split(' ') as [string, string];
    assert.equal((await service.call(path, { method })).status, 402, resource);
  }
  assert.match(answer.headers['cache-control'] ?? '', /max-age/);
  expectProblem(statuses.saw(await service.call('/.well-known/x402?a=1')), 400, 'invalid_parameters');
});

test('the interface document says what each paid call costs', async () => {
  const service = await sharedService();
  const { paths } = (await service.call('/openapi.json')).json as {
    paths: Record<string, { get?: Record<string, unknown> & { responses: Record<string, unknown> } }>;
  };
  const fuse = paths['/v1/spend-fuse']?.get;
  assert.deepEqual(fuse?.['x-payment-info'], {
    protocols: ['x402'],
    price: { mode: 'fixed', amount: '0.002', currency: 'USDC' },
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    amount_atomic: '2000',
  });
  assert.ok(fuse?.responses['402']);
  assert.equal(paths['/v1/check']?.get?.['x-payment-info'], undefined);
});
