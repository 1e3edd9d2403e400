import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cookieOf, loggedIn, loginMails, newEmail, registered, requestLink, visited } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { FORM, generalRefusals } from '../../support/refusals.ts';
import { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { sharedCards } from '../../support/topup.ts';
import { suspend } from '../../support/wallet.ts';

const statuses = new PromisedStatuses('start_topup');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/start/topup';
const OTHER = 'agt_0123456789abcdefghjkmnpqrs';

test('a code signs in and starts the top-up of an agent that its owner says is theirs', async () => {
  const service = await sharedService();
  const email = newEmail();
  const agent = await registered(service, email);
  const cookie = cookieOf(await requestLink(service, email));
  const [mail] = await loginMails(service, email);
  const send = async (body: Record<string, string>, headers: Record<string, string> = { cookie }) =>
    statuses.saw(await service.call(PATH, { method: 'POST', body: { tier: 'starter', ...body }, headers }));
  const code = mail?.code ?? '';
  const wrong = code === '000000' ? '000001' : '000000';
  expectProblem(await send({ agent_id: agent.id }), 401, 'no_session');
  expectProblem(await send({ agent_id: agent.id, code: wrong }), 401, 'link_invalid');
  expectProblem(await send({ agent_id: agent.id, code }, {}), 401, 'link_invalid');
  expectProblem(await send({ agent_id: agent.id, code }, { cookie, origin: 'https://other.example' }), 403, 'origin');
  const unsaid = await send({ agent_id: agent.id, code });
  expectProblem(unsaid, 409, 'agent_not_accepted');
  const session = cookieOf(unsaid);
  assert.match(session, /sid=/, 'the code signed in');
  expectProblem(await send({ agent_id: agent.id, mine: 'yes' }, { cookie: session }), 403, 'csrf');
  const { csrf } = (await service.call('/cabinet/sessions', { headers: { cookie: session } })).json;
  const headers = { cookie: session, 'x-csrf-token': String(csrf) };
  const started = await send({ agent_id: agent.id, mine: 'yes' }, headers);
  assert.deepEqual([started.status, started.json['status'], started.json['price_eur']], [200, 'open', 10]);
  expectProblem(await send({ agent_id: OTHER }, headers), 404, 'not_of_account');
});

test('what the first call proves holds in the browser that made it, and in no other', async () => {
  const service = await sharedService();
  const email = newEmail();
  const agent = await registered(service, email);
  const form = (path: string, fields: Record<string, string>, cookie?: string) =>
    service.call(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { accept: 'text/html', 'content-type': FORM, ...(cookie !== undefined && { cookie }) },
    });
  const page = await form('/start/call', { agent_key: agent.key, owner_email: email });
  const proof = /name="proof" value="(\w+)"/.exec(page.text)?.[1] ?? '';
  const stranger = await registered(service, email, 'somebody else');
  const codeIn = (text: string) => /name="code"[^>]*value="(\d{6})"/.exec(text)?.[1] ?? '';
  const given = { agent_id: stranger.id, tier: 'starter', code: codeIn(page.text), proof };
  const asked = await form(PATH, given, cookieOf(page));
  assert.deepEqual([asked.status, asked.headers.location], [303, `/start?step=4&agent_id=${stranger.id}`]);
  const again = await form('/start/call', { agent_key: agent.key, owner_email: email }, cookieOf(page));
  const mine = { ...given, agent_id: agent.id, code: codeIn(again.text) };
  const paying = await form(PATH, mine, cookieOf(again));
  assert.match(String(paying.headers.location), /^\/sandbox\/checkout\/cs_test_/);
});

test('top-ups that cannot be started say why', async () => {
  const { service, agent, owner } = await visited(await sharedService());
  const send = async () => statuses.saw(await owner.post(PATH, { agent_id: agent.id, tier: 'starter' }));
  for (let turn = 0; turn < 10; turn += 1) assert.equal((await send()).status, 200);
  expectProblem(await send(), 409, 'too_many_topups');
  await suspend(service, agent.id);
  expectProblem(await send(), 403, 'suspended');
  await using off = await TestService.start({ env: { AVOUCH_WALLET_TOPUP: 'off' } });
  const other = await visited(off);
  const body = { agent_id: other.agent.id, tier: 'team' };
  expectProblem(statuses.saw(await other.owner.post(PATH, body)), 503, 'payments_not_configured');
  const cards = await sharedCards();
  const third = await visited(cards.service);
  cards.simulators.setFault('v1', '500');
  const failed = await third.owner.post(PATH, { agent_id: third.agent.id, tier: 'team' });
  cards.simulators.setFault('v1', null);
  expectProblem(statuses.saw(failed), 502, 'processor_unavailable');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const email = newEmail();
    const agent = await registered(service, email);
    const owner = await loggedIn(service, email);
    const headers = { cookie: owner.cookie, 'x-csrf-token': owner.csrf };
    return { path: PATH, body: { agent_id: agent.id, tier: 'starter', mine: 'yes' }, headers };
  }));
