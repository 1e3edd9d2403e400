import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { coseKeysIn, verifyConsistencyReceipt } from '#protocol/cose-receipt.ts';
import { expectProblem } from '../../support/client.ts';
import { sealRecord } from '../../support/log.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { bytesAt } from '../../support/raw-bytes.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const PATH = '/api/astralock/consistency';
const statuses = new PromisedStatuses('log_consistency');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the receipt proves that the log of today starts with the log that the caller remembers', async () => {
  const service = await sharedService();
  const { json: before } = await service.call('/api/astralock/sth');
  await sealRecord(service, 'a record after it');
  const first = Number(before['tree_size']);
  const { bytes } = await bytesAt(service, `${PATH}?first=${first}`);
  const keys = coseKeysIn((await bytesAt(service, '/.well-known/scitt-keys')).bytes);
  const log = { iss: service.url, sub: String(before['origin']) };
  const root = Buffer.from(String(before['root_hash']), 'hex');
  const { valid, at, size } = verifyConsistencyReceipt(bytes, root, { keys, log });
  assert.deepEqual([valid, at], [true, first]);
  assert.ok(size > first);
  assert.equal(verifyConsistencyReceipt(bytes, root.with(0, (root[0] ?? 0) ^ 1), { keys, log }).valid, false);
  const asked = { headers: { accept: 'application/json' } };
  const { json } = statuses.saw(await service.call(`${PATH}?first=1&second=2`, asked));
  assert.deepEqual([json['first'], json['second'], (json['hashes'] as string[]).length], [1, 2, 1]);
});

test('sizes that the log does not have, or that are not in order, are refused', async () => {
  const service = await sharedService();
  const { json } = await service.call('/api/astralock/sth');
  const beyond = Number(json['tree_size']) + 1_000;
  for (const query of [`first=${beyond}`, `first=1&second=${beyond}`]) {
    expectProblem(statuses.saw(await service.call(`${PATH}?${query}`)), 416, 'beyond_the_log');
  }
  for (const query of ['', 'first=0', 'first=2&second=2', 'first=2&second=1', 'first=x']) {
    expectProblem(statuses.saw(await service.call(`${PATH}?${query}`)), 400, 'invalid_parameters');
  }
  await expectLimited(statuses, (limited) => limited.call(`${PATH}?first=1`));
});
