import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CoseReceipts } from '#areas/attestation/log/cose-receipts.ts';
import { JSON_MEDIA } from '#areas/attestation/log/receipt-operations.ts';
import { Refusal } from '#kernel/problem.ts';
import { PublicLog } from '#platform/log/public-log.ts';
import { decodeCbor } from '#protocol/cbor.ts';
import { coseKeysIn, RFC9943_RECEIPT_MEDIA, verifyInclusionReceipt } from '#protocol/cose-receipt.ts';
import { parseTlogProof } from '#protocol/tlog-proof.ts';
import { expectProblem } from '../../support/client.ts';
import { openStore } from '../../support/engines.ts';
import { oneLogKey, sealRecord } from '../../support/log.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { bytesAt } from '../../support/raw-bytes.ts';
import { sharedService } from '../../support/shared-service.ts';
import { COSE_JUDGE_SKIP, pythonVerdicts } from '../../referees/cose-judge.ts';

const UNKNOWN = `ATT-${'A'.repeat(52)}`;
const statuses = new PromisedStatuses('attest_receipt');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function sealed() {
  const service = await sharedService();
  const { json } = await sealRecord(service, 'a record with a receipt');
  const entry = Buffer.from(String(json['entry']), 'base64');
  const path = `/api/attest/receipt/${String(json['attestation_id'])}`;
  statuses.saw(await service.call(path));
  const [receipt, keys, head] = await Promise.all([
    bytesAt(service, path),
    bytesAt(service, '/.well-known/scitt-keys'),
    service.call('/api/astralock/sth'),
  ]);
  return { service, path, entry, receipt, keys: coseKeysIn(keys.bytes), keySet: keys.bytes, head: head.json };
}

test('the receipt of an entry leads to the root of the checkpoint, and names address and origin of the log', async () => {
  const { service, entry, receipt, keys, keySet } = await sealed();
  assert.equal(receipt.headers.get('content-type'), RFC9943_RECEIPT_MEDIA);
  const { valid, root, size, log } = verifyInclusionReceipt(receipt.bytes, entry, { keys });
  assert.equal(valid, true);
  const { json } = await service.call(`/api/astralock/sth?first=${size}`);
  assert.deepEqual(log, { iss: service.url, sub: json['origin'] });
  const { json: page } = await service.call(`/api/attest/ledger?from_seq=0&limit=1&tree_size=${size}`);
  const signedRoot = String(page['checkpoint']).split('\n')[2];
  assert.equal(Buffer.from(root as Uint8Array).toString('base64'), signedRoot);
  if (COSE_JUDGE_SKIP !== false) return;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const asked = { receipt: hex(receipt.bytes), keys: hex(keySet), entry: hex(entry), ...log };
  assert.deepEqual(pythonVerdicts([asked, { ...asked, entry: '00' }]), [true, false]);
});

test('a receipt of the sandbox fails where the real log is demanded', async () => {
  const { entry, receipt, keys } = await sealed();
  const demanded = { iss: 'https://attest.example', sub: 'attest.example/astralock' };
  const { valid, checks, log } = verifyInclusionReceipt(receipt.bytes, entry, { keys, log: demanded });
  assert.equal(valid, false);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok).map(({ name }) => name),
    ['issuer', 'log'],
  );
  assert.match(log.sub, /^sandbox\.invalid\//);
});

test('a caller that asks for JSON gets the entry and the tlog-proof', async () => {
  const { service, path, entry } = await sealed();
  const answer = await service.call(path, { headers: { accept: JSON_MEDIA } });
  const { json, headers } = statuses.saw(answer);
  assert.match(headers['vary'] ?? '', /Accept/);
  assert.equal(json['entry'], entry.toString('base64'));
  const proof = parseTlogProof(String(json['proof']));
  assert.deepEqual(Buffer.from(proof.extra as Uint8Array), entry);
  assert.equal(Number(proof.index), (json['inclusion'] as { index: number }).index);
});

test('a caller that knows the receipt of this size gets 304', async () => {
  const { service, path, receipt } = await sealed();
  const etag = receipt.headers.get('etag') ?? assert.fail('no ETag');
  const again = await fetch(`${service.url}${path}`, { headers: { 'if-none-match': etag } });
  const grown = await bytesAt(service, path);
  // Others seal in the shared log: then the receipt is another one.
  assert.equal(again.status, grown.headers.get('etag') === etag ? 304 : again.status);
  await sealRecord(service, 'one more');
  assert.notEqual((await bytesAt(service, path)).headers.get('etag'), etag);
});

test('refusals are CBOR for a caller that accepts it and JSON for others', async () => {
  const service = await sharedService();
  const path = `/api/attest/receipt/${UNKNOWN}`;
  expectProblem(statuses.saw(await service.call(path)), 404, 'attestation_not_found');
  expectProblem(await service.call(path, { headers: { accept: JSON_MEDIA } }), 404, 'attestation_not_found');
  for (const accept of [RFC9943_RECEIPT_MEDIA, 'application/cbor', 'application/cose;q=0.9, application/json;q=0.1']) {
    const { status, headers, bytes } = await bytesAt(service, path, accept);
    assert.deepEqual([status, headers.get('content-type')], [404, 'application/concise-problem-details+cbor']);
    const members = decodeCbor(bytes) as ReadonlyMap<number, string>;
    assert.deepEqual(
      [...members],
      [
        [-1, 'Seal not found'],
        [-2, 'No log entry has this id.'],
      ],
    );
  }
  expectProblem(statuses.saw(await service.call('/api/attest/receipt/nothing')), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call(path));
});

test('a log of one entry answers 404 no_receipt_yet', async () => {
  await using opened = await openStore('sqlite');
  const { store } = opened;
  const log = await PublicLog.open({
    store,
    attach: (sequencer) => store.attachLog(sequencer),
    keys: oneLogKey(9),
    newOrigin: 'sandbox.invalid/receipt',
    sandbox: true,
  });
  const keys = { current: () => assert.fail('nothing is signed'), all: () => [] };
  const receipts = new CoseReceipts({ log, keys, baseUrl: () => 'http://127.0.0.1' });
  const refused = await receipts.ofEntry((await log.idAt(0)) ?? '', RFC9943_RECEIPT_MEDIA);
  assert.ok(refused instanceof Refusal);
  assert.deepEqual([refused.type.status, refused.type.code], [404, 'no_receipt_yet']);
});
