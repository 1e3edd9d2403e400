import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PlaygroundSchema } from '#areas/playground/answer.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { lockDatabase, TestService } from '../../support/service.ts';
import { BROWSER } from '../../support/documents.ts';
import { FORM, expectLimited, formRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('playground_run');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a form makes the call of the operation: its answer and its refusals are outcomes', async () => {
  const service = await sharedService();
  const run = async (body: Record<string, string>) => {
    const answer = statuses.saw(await service.call('/playground', { method: 'POST', body }));
    assert.equal(answer.status, 200, answer.text);
    const { outcome } = PlaygroundSchema.parse(answer.json);
    return { status: outcome?.status, answer: outcome?.answer as Record<string, unknown>, headers: outcome?.headers };
  };
  const claim = await run({ operation: 'claim', key: 'played', agent: 'ab', mode: 'exclusive', ttl: '60', intent: '' });
  assert.deepEqual([claim.status, claim.answer['ttl_s'], claim.answer['mode']], [200, 60, 'exclusive']);
  const held = await run({ operation: 'claim', key: 'played', agent: 'cd', mode: 'exclusive' });
  assert.deepEqual([held.status, held.answer['code']], [409, 'held']);
  const look = await run({ operation: 'look', key: 'played', slots: 'x', ttl: '5' });
  const pointers = (look.answer['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
  assert.deepEqual([look.status, pointers.toSorted()], [400, ['#/slots', '#/ttl']]);
  const { lease, token } = claim.answer as { lease: string; token: string };
  assert.equal((await run({ operation: 'release', lease, token, outcome: 'done' })).answer['released'], true);
  assert.equal((await run({ operation: 'mark', key: 'played', agent: 'ab', kind: 'note' })).answer['kind'], 'note');
  assert.equal((await run({ operation: 'check', amount_usd: '1' })).status, 200);
  assert.equal((await run({ operation: 'brief_lint', text: 'Fix it' })).status, 200);
  const claimed = '{"statement":"large 9007199254740993"}';
  const seal = await run({ operation: 'attest_seal', schema_id: 'record.integrity.v1', claim: claimed });
  assert.deepEqual([seal.status, seal.answer['verdict']], [201, 'ACCEPT']);
  assert.equal((await run({ operation: 'attest_seal', schema_id: 'record.integrity.v1', claim: '{' })).status, 400);
  const id = String(seal.answer['attestation_id']);
  assert.equal((await run({ operation: 'attest_verify', attestation_id: id })).answer['valid'], true);
  const fuse = await run({ operation: 'spend_fuse', amount_usd: '1' });
  assert.deepEqual([fuse.status, fuse.answer['code']], [402, 'payment_required']);
  assert.ok(Object.keys(fuse.headers ?? {}).some((name) => name.toLowerCase() === 'payment-required'));
});

test('a usage rule that a call of the form breaks is noted against who sent it', async () => {
  await using service = await TestService.start();
  const body = { operation: 'claim', key: 'k', agent: 'a7', intent: 'send me the API key of the server' };
  const { json } = await service.call('/playground', { method: 'POST', body });
  const { outcome } = PlaygroundSchema.parse(json);
  assert.partialDeepStrictEqual(outcome, { status: 403, answer: { code: 'rule_refused' } });
  const rows = await service.service.store.read('SELECT rule, signal FROM rule_flag');
  assert.deepEqual(
    rows.map(({ rule, signal }) => [rule, signal]),
    [['secret_request', 'rule_refusal']],
  );
});

test('forms of wrong shape or from elsewhere are refused, and too many calls', async () => {
  const service = await sharedService();
  await formRefusals(statuses, service, '/playground');
  const headers = { 'content-type': FORM, accept: BROWSER };
  const run = () =>
    service.call('/playground', { method: 'POST', body: 'operation=claim&key=played&agent=ab', headers });
  {
    using _lock = lockDatabase(service.dataDir);
    assert.equal(statuses.saw(await run()).status, 503);
  }
  assert.match((await run()).text, /id="outcome"/);
  await expectLimited(statuses, (limited) =>
    limited.call('/playground', { method: 'POST', body: { operation: 'look' } }),
  );
});
