import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestService } from '../../support/service.ts';
import * as ap2 from '../../support/ap2.ts';
import { asked, mandate, mandateBody, type PlatformOf, post, registered } from '../../support/mandates.ts';

const PERSONAL = {
  agent: 'agent-quillon-77',
  principal: 'Vermeulen Scheepvaart',
  ref: 'kvk-44332211',
  counterparty: 'kvk-99887766',
  external: 'order-zephyr-4711',
  settlement: 'settle-zephyr-9',
  evidence: 'slip-zephyr-3',
  payee: 'payee-zephyr-12',
  shop: 'Winkel Zephyr',
  card: 'card-zephyr-5',
} as const;

test('the exported log holds no string that anybody submitted, and no file holds a key or a token', async () => {
  await using service = await TestService.start();
  const shop = await registered(service);
  const principal = { name: PERSONAL.principal, ref: PERSONAL.ref };
  const body = mandateBody(Date.now(), {
    agent_id: PERSONAL.agent,
    principal,
    counterparties: [PERSONAL.counterparty],
  });
  const made = await mandate(service, body);
  const request = asked(made.mandate_id, 100, 'order 1', { counterparty: PERSONAL.counterparty });
  const { json } = await shop.verify(request);
  await shop.verify({ ...request, counterparty: 'somebody-else-5' });
  const more = { external_ref: PERSONAL.external, settlement_ref: PERSONAL.settlement, evidence: PERSONAL.evidence };
  assert.equal((await shop.seal(json['verify_ref'], 'placed', more)).status, 200);
  const token = String(made['control_token']);
  await post(
    service,
    `/api/amh/mandate/${made.mandate_id}/revoke`,
    { reason: 'quillon-left' },
    { 'x-amh-control': token },
  );
  await presentAp2(service, shop);
  const { text: ledger } = await service.call('/api/attest/ledger?limit=1000');
  const { text: bundle } = await service.call('/astralock/tile/entries/000.p/11');
  const leaves = [ledger, bundle, Buffer.from(bundle, 'latin1').toString()].join('\n');
  assert.ok(leaves.length > 1_000);
  for (const text of [...Object.values(PERSONAL), 'somebody-else-5', 'quillon-left']) {
    assert.ok(!leaves.includes(text) && !leaves.includes(Buffer.from(text).toString('base64').slice(0, -3)), text);
  }
  for (const secret of [shop.key, token]) {
    for (const file of filesBelow(service.dataDir)) {
      assert.ok(!readFileSync(file).includes(secret.slice(5, 40)), `${file} holds a secret`);
    }
  }
});

/** The names of an AP2 mandate are in its tokens, allowed or not. */
async function presentAp2(service: TestService, shop: PlatformOf): Promise<void> {
  const { payee, card, shop: name } = PERSONAL;
  const allowed = [{ id: payee, name }];
  const root = ap2.openToken(Date.now(), [ap2.RANGE, ap2.OFTEN, { type: 'payment.allowed_payees', allowed }]);
  const body = { agent_id: PERSONAL.agent, ap2: { open_payment_mandate: root, user_jwk: ap2.USER.jwk } };
  const { json } = await post(service, '/api/amh/mandate', body);
  const more = { payee: { id: payee, name }, payment_instrument: { id: card } };
  const chain = ap2.joined(root, ap2.closedToken(root, { nowMs: Date.now(), more }));
  const request = ap2.presented(String(json['mandate_id']), chain, { payee });
  assert.equal((await shop.verify(request)).json['ok'], true);
  assert.equal((await shop.verify(request)).json['ok'], false);
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}
