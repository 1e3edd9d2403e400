// Two processes on one PostgreSQL, of which one writes for both.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { freshDatabase, hasPostgres } from '../../support/databases.ts';
import { asked, mandate, mandateBody, payloadHash, registered } from '../../support/mandates.ts';
import { TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const skip = !(await hasPostgres()) && 'no PostgreSQL here';

/** How many calls of the process another one wrote while this was done. */
async function forwardedBy(service: TestService, work: () => Promise<void>): Promise<number> {
  const { store } = service.service;
  const before = store.status().forwarded;
  await work();
  return store.status().forwarded - before;
}

async function claimAndRelease(service: TestService, key: string): Promise<void> {
  const claim = await service.call('/v1/claim', { method: 'POST', body: { key, agent: 'a7' } });
  assert.equal(claim.status, 200, claim.text);
  const { lease, token } = claim.json;
  const release = await service.call('/v1/release', { method: 'POST', body: { lease, token, outcome: 'done' } });
  assert.equal(release.status, 200, release.text);
}

async function handshake(service: TestService): Promise<void> {
  const shop = await registered(service);
  const { mandate_id } = await mandate(service, mandateBody(service.now()));
  const verified = await shop.verify(asked(mandate_id, 100, 'x'));
  assert.equal(verified.status, 200, verified.text);
  const sealed = await shop.seal(verified.json['verify_ref'], 'placed', { payload_hash: payloadHash('x') });
  assert.equal(sealed.status, 200, sealed.text);
}

async function sealAndVerify(service: TestService, reader: TestService): Promise<void> {
  const claim = { statement: 'the parts were counted' };
  const sealed = await service.call('/api/attest/seal', {
    method: 'POST',
    body: { schema_id: 'record.integrity.v1', claim },
  });
  assert.equal(sealed.status, 201, sealed.text);
  const id = String(sealed.json['attestation_id']);
  const verified = await reader.call(`/api/attest/verify/${id}`);
  assert.equal(verified.status, 200, verified.text);
}

test('calls of a process that hands on are answered as its own, and the other one writes them', { skip }, async () => {
  const dataDir = await temporaryDirectory();
  const databaseUrl = await freshDatabase('postgres');
  {
    await using writer = await TestService.start({ dataDir, databaseUrl });
    await using follower = await TestService.start({ dataDir, databaseUrl });
    const works = [
      (service: TestService) => claimAndRelease(service, 'k'),
      handshake,
      (service: TestService) => sealAndVerify(service, service === writer ? follower : writer),
    ];
    // The process that writes meets the units first.
    for (const work of works) assert.equal(await forwardedBy(writer, () => work(writer)), 0);
    await until('the first call that is handed on', async () => {
      return (await forwardedBy(follower, () => claimAndRelease(follower, 'first'))) > 0;
    });
    for (const work of works) assert.ok((await forwardedBy(follower, () => work(follower))) > 0);
    const metrics = await follower.call('/metrics');
    assert.match(metrics.text, /^avouch_commits_forwarded [1-9]/m);
  }
  await rm(dataDir, { recursive: true });
});

test('when the process that writes stops, the other one goes on for itself', { skip }, async () => {
  const dataDir = await temporaryDirectory();
  const databaseUrl = await freshDatabase('postgres');
  {
    const writer = await TestService.start({ dataDir, databaseUrl });
    await using follower = await TestService.start({ dataDir, databaseUrl });
    await claimAndRelease(writer, 'k');
    await until('the first call that is handed on', async () => {
      return (await forwardedBy(follower, () => claimAndRelease(follower, 'first'))) > 0;
    });
    await writer[Symbol.asyncDispose]();
    assert.equal(await forwardedBy(follower, () => claimAndRelease(follower, 'k')), 0);
  }
  await rm(dataDir, { recursive: true });
});
