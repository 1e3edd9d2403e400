import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeCbor, encodeCbor } from '#protocol/cbor.ts';
import { coseKeysIn, coseKeyThumbprint } from '#protocol/cose-receipt.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { bytesAt } from '../../support/raw-bytes.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const PATH = '/.well-known/scitt-keys';
const statuses = new PromisedStatuses('scitt_key');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a key is found by its thumbprint and is the one of the set', async () => {
  const service = await sharedService();
  const { bytes } = await bytesAt(service, PATH);
  for (const key of coseKeysIn(bytes)) {
    const path = `${PATH}/${Buffer.from(coseKeyThumbprint(key)).toString('base64url')}`;
    statuses.saw(await service.call(path));
    const one = await bytesAt(service, path);
    const inSet = (decodeCbor(bytes) as ReadonlyMap<number, Uint8Array>[]).find(
      (member) => Buffer.compare(member.get(-2) as Uint8Array, key) === 0,
    );
    assert.deepEqual(Buffer.from(one.bytes), Buffer.from(encodeCbor(inSet as never)));
  }
});

test('another id is not found, and what is no id is refused', async () => {
  const service = await sharedService();
  const path = `${PATH}/${'A'.repeat(43)}`;
  expectProblem(statuses.saw(await service.call(path)), 404, 'unknown_receipt_key');
  expectProblem(statuses.saw(await service.call(`${PATH}/x`)), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call(path));
});
