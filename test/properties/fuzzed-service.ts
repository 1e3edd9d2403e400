// A service under fuzz as a test: a short run in npm test, a longer one in test:more.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { seed } from '#properties';
import { OPERATIONS } from '../../src/areas.ts';
import { ROOT } from '../support/child-service.ts';
import { hasPostgres } from '../support/databases.ts';
import { TestService } from '../support/service.ts';
import { fuzz, type FuzzOptions, sendUnstorable } from './requests.ts';

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

export async function testUnstorable(t: TestContext) {
  // The stricter of the two: SQLite keeps any text.
  const engine = (await hasPostgres()) ? 'postgres' : 'sqlite';
  await using service = await TestService.start({ engine, opensSettlement: true });
  const secrets = [service.dataDir, ROOT];
  const { requests } = await sendUnstorable({ url: service.url, seed, secrets });
  t.diagnostic(`${requests} requests on ${engine}`);
  assert.ok(requests >= OPERATIONS.length);
}
