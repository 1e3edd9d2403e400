import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decode } from 'cbor2';
import { coseKeysIn } from '#protocol/cose-receipt.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { bytesAt } from '../../support/raw-bytes.ts';
import { expectProblem } from '../../support/client.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('scitt_keys');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the set has the keys that the key document and the log declare, in CBOR that cbor2 reads', async () => {
  const service = await sharedService();
  const { bytes, headers } = await bytesAt(service, '/.well-known/scitt-keys');
  statuses.saw(await service.call('/.well-known/scitt-keys'));
  assert.equal(headers.get('content-type'), 'application/cbor');
  const { json } = await service.call('/.well-known/avouch-keys.json');
  const declared = (json['keys'] as { scope: string; public_key: string; declared_in: string }[]).filter(
    ({ scope }) => scope === 'log-receipt',
  );
  assert.deepEqual(
    coseKeysIn(bytes).map((key) => Buffer.from(key).toString('base64')),
    declared.map(({ public_key }) => public_key),
  );
  const { json: entry } = await service.call(`/api/attest/verify/${declared[0]?.declared_in}`);
  assert.partialDeepStrictEqual(entry['claim'], { scope: 'log-receipt', public_key: declared[0]?.public_key });
  const [key] = decode(bytes) as Map<number, unknown>[];
  assert.deepEqual([...(key?.keys() ?? [])], [1, 2, 3, -1, -2]);
});

test('a field that is not known is refused, and so is a caller beyond its rate', async () => {
  const service = await sharedService();
  expectProblem(statuses.saw(await service.call('/.well-known/scitt-keys?x=1')), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/.well-known/scitt-keys'));
});
