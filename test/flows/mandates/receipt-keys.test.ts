// A receipt is signed after its answer is durable: whoever repeats the call, after a kill or a rotation, gets the same bytes.
import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { asked, type Body, mandate, mandateBody, post, registered } from '../../support/mandates.ts';
import { newPlace, removePlaces, run } from '../../support/recovery.ts';
import { TestService } from '../../support/service.ts';

after(removePlaces);

for (const engine of ENGINES) {
  suite(`receipts of mandates on ${engine}`, {
    skip: engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here',
  }, () => {
    test('a repeated call gets the same bytes after the key was rotated, and a valid receipt where the old key is gone', async () => {
      const place = await newPlace(engine);
      let port = '0';
      // Always at one address: receipts name their issuer by it.
      const start = () => TestService.start({ ...place, env: { PORT: port } });
      const verifying = (service: TestService, shop: string, body: Body) =>
        post(service, '/api/amh/verify', body, { 'x-amh-key': shop, 'idempotency-key': 'order-1' });
      const sealing = (service: TestService, shop: string, ref: unknown) =>
        post(service, '/api/amh/seal', { verify_ref: ref, outcome: 'placed' }, { 'x-amh-key': shop });
      let [shopKey, oldKey] = ['', ''];
      let [body, verified, sealed]: Body[] = [];
      {
        await using service = await start();
        ({ port } = new URL(service.url));
        const shop = await registered(service);
        shopKey = shop.key;
        const { mandate_id: id } = await mandate(service, mandateBody(Date.now()));
        body = asked(id, 12_999, 'order 1');
        verified = (await verifying(service, shopKey, body)).json;
        sealed = (await sealing(service, shopKey, verified['verify_ref'])).json;
        oldKey = String((verified['receipt'] as Body)['signer_pubkey']);
        const kept = await service.service.store.read(
          'SELECT answer FROM amh_answer UNION ALL SELECT answer FROM amh_seal',
        );
        assert.equal(kept.length, 2);
        for (const { answer } of kept) {
          const { receipt } = JSON.parse(String(answer)) as { receipt: Body };
          assert.deepEqual([receipt['signer_pubkey'], 'signature' in receipt], [oldKey, false]);
        }
      }
      await run(['keys', 'rotate', 'receipts'], place);
      const repeated = async (service: TestService) => [
        await verifying(service, shopKey, body),
        await sealing(service, shopKey, verified?.['verify_ref']),
      ];
      const expectValid = async (service: TestService, answer: Body) => {
        const checked = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer } });
        assert.equal(checked.json['valid'], true, checked.text);
      };
      {
        await using service = await start();
        const again = await repeated(service);
        assert.deepEqual(
          again.map(({ json, headers }) => [json, headers['idempotent-replayed']]),
          [
            [verified, 'true'],
            [sealed, 'true'],
          ],
        );
        for (const { json } of again) await expectValid(service, json);
      }
      for (const name of await readdir(join(place.dataDir, 'keys'))) {
        if (name.startsWith('receipts-001')) await rm(join(place.dataDir, 'keys', name));
      }
      await using service = await start();
      for (const { json } of await repeated(service)) {
        assert.notEqual((json['receipt'] as Body)['signer_pubkey'], oldKey);
        await expectValid(service, json);
      }
    });
  });
}
