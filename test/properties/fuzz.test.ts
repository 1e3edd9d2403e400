import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '#properties';
import { OPERATIONS } from '../../src/operations.ts';
import { fuzz } from './requests.ts';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';

const REQUESTS = 6_000;

test('whatever is sent, every answer is a declared one or a problem document, and never a 5xx', async (t) => {
  await using service = await TestService.start({ opensSettlement: true });
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const secrets = [service.dataDir, ROOT];
  const { requests, perOperation } = await fuzz({ url: service.url, seed, requests: REQUESTS, secrets });
  const { user, system } = process.cpuUsage(startedCpu);
  const seconds = [(performance.now() - startedMs) / 1e3, (user + system) / 1e6].map((value) => value.toFixed(1));
  const counts = [...perOperation].map(([id, count]) => `${id} ${count}`).join(', ');
  t.diagnostic(`seed ${seed}: ${requests} requests in ${seconds[0]} s (${seconds[1]} s of processor time): ${counts}`);
  assert.ok(requests >= REQUESTS);
  // An even share, from which 100 rows and more could not all have 1 %.
  const least = requests * Math.min(0.01, 0.3 / OPERATIONS.length);
  for (const { operationId } of OPERATIONS) assert.ok((perOperation.get(operationId) ?? 0) >= least, operationId);
  assert.equal((await service.call('/api/v1/health')).json['status'], 'ok');
});
