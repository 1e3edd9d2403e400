import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newEmail } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { FORM, generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('start');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a form registers an agent once and shows its key once, as a page that nobody keeps', async () => {
  const service = await sharedService();
  const send = async (body: Record<string, string>, headers: Record<string, string> = {}) =>
    statuses.saw(await service.call('/start', { method: 'POST', body, headers }));
  const given = { name: 'buyer-7', owner_email: newEmail(), idempotency_key: 'a form that was shown once' };
  const made = await send(given);
  assert.equal(made.status, 201);
  assert.match(String(made.json['agent_key']), /^agk_[\w-]{49}$/);
  const again = await send(given);
  assert.deepEqual([again.json['agent_id'], again.json['agent_key']], [made.json['agent_id'], null]);
  expectProblem(await send({ ...given, name: 'buyer-8' }), 409, 'idempotency_conflict');
  const page = await service.call('/start', {
    method: 'POST',
    body: new URLSearchParams({ name: 'buyer-9', owner_email: newEmail() }).toString(),
    headers: { accept: 'text/html', 'content-type': FORM },
  });
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.match(page.text, /id="new-key"[^>]*>agk_[\w-]{49}</);
  assert.equal(page.headers['set-cookie'], undefined);
  expectProblem(await send(given, { origin: 'https://other.example' }), 403, 'origin');
  expectProblem(await send(given, { 'sec-fetch-site': 'cross-site' }), 403, 'cross_site_request');
  expectProblem(await send({ name: 'The Founder', owner_email: newEmail() }), 403, 'rule_refused');
});

test('general refusals', () =>
  generalRefusals(statuses, () => ({ path: '/start', body: { name: 'buyer-7', owner_email: newEmail() } })));
