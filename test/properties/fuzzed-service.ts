// A service under fuzz as a test: a short run in npm test, a longer one in test:more.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { seed } from '#properties';
import { OPERATIONS } from '../../src/areas.ts';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';
import { fuzz, type FuzzOptions } from './requests.ts';

export async function testFuzz(t: TestContext, size: Pick<FuzzOptions, 'requests' | 'repeated' | 'inherited'>) {
  await using service = await TestService.start({ opensSettlement: true });
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const secrets = [service.dataDir, ROOT];
  const { requests, perOperation } = await fuzz({ url: service.url, seed, secrets, ...size });
  const { user, system } = process.cpuUsage(startedCpu);
  const seconds = [(performance.now() - startedMs) / 1e3, (user + system) / 1e6].map((value) => value.toFixed(1));
  const counts = [...perOperation].map(([id, count]) => `${id} ${count}`).join(', ');
  t.diagnostic(`seed ${seed}: ${requests} requests in ${seconds[0]} s (${seconds[1]} s of processor time): ${counts}`);
  assert.ok(requests >= size.requests);
  // An even share, from which 100 rows and more could not all have 1 %.
  const least = size.requests * Math.min(0.01, 0.3 / OPERATIONS.length);
  for (const { operationId } of OPERATIONS) assert.ok((perOperation.get(operationId) ?? 0) >= least, operationId);
  assert.equal((await service.call('/api/v1/health')).json['status'], 'ok');
}
