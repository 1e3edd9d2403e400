import assert from 'node:assert/strict';
import { loginMails, ownedOrder, requestLink, testAction, visited } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { sharedCards } from '../../support/topup.ts';
import { fund } from '../../support/wallet.ts';

const PATH = '/cabinet/account';

testAction('cabinet_account_delete', PATH, {
  prepare: async ({ owner }) => ({ confirm: owner.email }),
  async check({ json, headers }, { service, agent, owner }) {
    assert.deepEqual([json['status'], json['agents']], ['deleted', 1]);
    assert.match(String(headers['set-cookie']), /^sid=; /);
    assert.equal((await owner.call('/cabinet')).status, 401);
    const key = { 'x-agent-key': agent.key };
    assert.equal((await service.call('/api/agents/me', { headers: key })).status, 401);
    const { store } = service.service;
    for (const table of ['agent', 'login_link', 'cabinet_session', 'mail_outbox', 'agent_call']) {
      const rows = JSON.stringify(await store.read(`SELECT * FROM ${table}`));
      assert.ok(!rows.includes(owner.email) && !rows.includes(agent.name), table);
    }
    await requestLink(service, owner.email);
    assert.deepEqual(await loginMails(service, owner.email), [], 'nobody is known under the address');
  },
  async more({ service }, statuses) {
    const seen = await visited(service);
    const { agent, owner } = seen;
    const send = async (body: object) => statuses.saw(await owner.post(PATH, { confirm: owner.email, ...body }));
    expectProblem(await send({ confirm: 'other@example.org' }), 400, 'invalid_parameters');
    await owner.post('/cabinet/topup', { agent_id: agent.id, tier: 'starter' });
    const unpaid = expectProblem(await send({}), 409, 'account_in_use');
    assert.deepEqual(unpaid['in_use'], [`A card top-up of ${agent.id} is open.`]);
    const shown = await owner.call('/dashboard/account', { headers: { accept: 'text/html' } });
    const [topUp] = (await owner.call('/cabinet/topup')).json['topups'] as Record<string, string>[];
    assert.ok(shown.text.includes(`href="/wallet/topups/${topUp?.['topup_id']}"`), 'with the way to pay it');
    const { cards } = await sharedCards();
    await cards.act(String(topUp?.['checkout_url']).split('/').at(-1) ?? '', 'expire');
    const { store } = service.service;
    await fund(store, agent.id, 5_000_000);
    assert.match(
      String(expectProblem(await send({}), 409, 'account_in_use')['detail']),
      /^€5\.00 of credit is left\. /,
    );
    await ownedOrder(seen, { supplier: 'OTHER' });
    const held = expectProblem(await send({ give_up_credit: 'yes' }), 409, 'account_in_use');
    assert.match(String(held['detail']), /is on hold\. An order of agt_\w+ is open\./);
    const [order] = (await owner.call('/cabinet/orders')).json['orders'] as { order_id: string }[];
    await owner.post('/cabinet/orders', { order_id: order?.order_id });
    const need = { agent_id: agent.id, need: 'open bounties' };
    const key = { 'x-agent-key': agent.key };
    const task = await service.call('/api/tasks', { method: 'POST', headers: key, body: need });
    assert.equal(task.json['state'], 'completed');
    assert.equal((await send({ give_up_credit: 'yes' })).status, 200);
    assert.deepEqual(await store.read('SELECT id FROM task WHERE agent_id = $1', [agent.id]), []);
    const rows = JSON.stringify(
      await store.read('SELECT ship_to, note FROM supplier_order WHERE agent_id = $1', [agent.id]),
    );
    assert.ok(!rows.includes('Secret Lane'));
    const [wallet] = await store.read('SELECT posted FROM ledger_account WHERE id = $1', [`wallet:${agent.id}`]);
    assert.ok(Number(wallet?.['posted']) > 0, 'the books stay');
  },
});
