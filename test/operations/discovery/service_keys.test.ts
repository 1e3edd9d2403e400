import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { KeyDocument } from '#areas/discovery/operations.ts';
import { LedgerPage } from '#areas/attestation/log/log-operations.ts';
import { formatVkey } from '#protocol/note-key.ts';
import { parsePolicy } from '#protocol/witness-policy.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { treeHead } from '../../support/log.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('service_keys');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the key document lists the keys of receipts and of the log, named by their hash and declared in the log', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/.well-known/avouch-keys.json'));
  const document = KeyDocument.parse(answer.json);
  assert.deepEqual(document.keys.map(({ scope }) => scope).toSorted(), [
    'log-checkpoint',
    'log-checkpoint',
    'log-receipt',
    'receipts',
  ]);
  assert.deepEqual(document.keys.map(({ alg }) => alg).toSorted(), ['ed25519', 'ed25519', 'ed25519', 'ml-dsa-44']);
  const { entries } = LedgerPage.parse((await service.call('/api/attest/ledger')).json);
  for (const key of document.keys) {
    const declared = entries.find((entry) => entry.attestation_id === key.declared_in)?.entry['claim'];
    assert.deepEqual(declared, { public_key: key.vkey ?? key.public_key, role: 'root', scope: key.scope });
    const id = createHash('sha256').update(Buffer.from(key.public_key, 'base64')).digest('hex').slice(0, 16);
    assert.equal(key.key_id, id);
    assert.equal(
      key.kid,
      key.scope === 'receipts' ? `did:web:${encodeURIComponent(new URL(service.url).host)}#${id}` : null,
    );
  }
  const { vkeys, origin } = await treeHead(service);
  const vkeyOf = (scope: string) => document.keys.find((key) => key.scope === scope && key.alg === 'ed25519')?.vkey;
  assert.deepEqual([document.origin, vkeyOf('log-checkpoint'), vkeyOf('receipts')], [origin, vkeys[0], null]);
  const { logs, witnesses } = parsePolicy(document.policy);
  assert.deepEqual([logs.map(({ key }) => formatVkey(key)), witnesses], [vkeys, []]);
  assert.equal(document.sandbox, true);
  expectProblem(statuses.saw(await service.call('/.well-known/avouch-keys.json?a=b')), 400, 'invalid_parameters');
});
