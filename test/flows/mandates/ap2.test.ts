import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT, BUDGET, closedToken, joined, OFTEN, openToken, presented, RANGE, USER } from '../../support/ap2.ts';
import { post, registered } from '../../support/mandates.ts';
import { sharedService } from '../../support/shared-service.ts';

const PATH = '/api/amh/mandate';

test('an open payment mandate becomes a mandate, and a closed one is allowed once', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const root = openToken(service.now());
  const body = { agent_id: 'agent:shopper-7', ap2: { open_payment_mandate: root, user_jwk: USER.jwk } };
  const made = await post(service, PATH, body);
  assert.equal(made.status, 201, made.text);
  (await import('node:fs')).appendFileSync('/tmp/w/h/ap2-out.txt', [made.text].join(' ') + '\n');
  const closed = joined(root, closedToken(root, { nowMs: service.now() }));
  const first = await shop.verify(presented(String(made.json['mandate_id']), closed));
  (await import('node:fs')).appendFileSync('/tmp/w/h/ap2-out.txt', [first.text].join(' ') + '\n');
  const second = await shop.verify(presented(String(made.json['mandate_id']), closed));
  (await import('node:fs')).appendFileSync('/tmp/w/h/ap2-out.txt', [second.text].join(' ') + '\n');
  const again = await post(service, PATH, body);
  (await import('node:fs')).appendFileSync('/tmp/w/h/ap2-out.txt', [again.status, again.text].join(' ') + '\n');
});
