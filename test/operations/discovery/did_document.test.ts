import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DidDocument } from '#areas/discovery/payment-documents.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('did_document');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

test('the receipt keys are published under the name of the host', async () => {
  const service = await sharedService();
  const document = DidDocument.parse(statuses.saw(await service.call('/.well-known/did.json')).json);
  const did = `did:web:${encodeURIComponent(new URL(service.url).host)}`;
  assert.equal(document.id, did);
  const { keys } = (await service.call('/.well-known/avouch-keys.json')).json as {
    keys: { kid: string | null; public_key: string; scope: string }[];
  };
  const receipts = keys.filter(({ scope }) => scope === 'receipts');
  assert.deepEqual(
    document.verificationMethod.map(({ id, publicKeyJwk }) => [id, publicKeyJwk.x]),
    receipts.map(({ kid, public_key: key }) => [kid, Buffer.from(key, 'base64').toString('base64url')]),
  );
  assert.deepEqual(
    document.assertionMethod,
    receipts.map(({ kid }) => kid),
  );
  expectProblem(statuses.saw(await service.call('/.well-known/did.json?a=1')), 400, 'invalid_parameters');
});
