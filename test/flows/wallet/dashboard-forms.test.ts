// Forms of the dashboard without a browser: none that cannot be undone skips its question, and each says what it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedOrder, registered, visited, type Visited } from '../../support/cabinet.ts';
import type { Answer } from '../../support/client.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';
import { sharedService } from '../../support/shared-service.ts';

const HTML = { accept: 'text/html' };

function send({ owner }: Visited, path: string, fields: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ csrf: owner.csrf, ...fields }).toString();
  const headers = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
  return owner.call(path, { method: 'POST', body, headers });
}

async function newTask({ service, agent }: Visited): Promise<string> {
  const body = { agent_id: agent.id, need: 'do something nice' };
  const headers = { 'x-agent-key': agent.key };
  return String((await service.call('/api/tasks', { method: 'POST', body, headers })).json['task_id']);
}

/** What a page of the dashboard says in its one status line; undefined where it says nothing. */
async function toastAt({ owner }: Visited, address: string): Promise<string | undefined> {
  const { status, text } = await owner.call(address, { headers: HTML });
  assert.equal(status, 200, address);
  const inside = /<div class="toast" role="status"[^>]*>(.*?)<\/div>/s.exec(text)?.[1];
  return inside?.replaceAll(/<button.*?<\/button>|<[^>]+>/gs, '');
}

interface Asked {
  readonly path: string;
  readonly fields: Record<string, string>;
  readonly question: string;
  readonly done: string;
  /** Null where the page after it says nothing. */
  readonly says: RegExp | null;
  readonly state: () => Promise<unknown>;
}

async function everyQuestion(seen: Visited): Promise<Asked[]> {
  const { owner, agent, service } = seen;
  const [taskId, orderId] = [await newTask(seen), await ownedOrder(seen, { supplier: 'OTHER' })];
  const { mandate_id, control_token } = await mandate(service, { ...mandateBody(service.now()), agent_id: agent.id });
  const stranger = await registered(service, owner.email, 'stranger');
  const member = async (path: string, name: string) => (await owner.call(path)).json[name];
  return [
    {
      path: '/dashboard/tasks',
      fields: { task_id: taskId },
      question: `/dashboard/tasks?task_id=${taskId}&confirm=cancel`,
      done: `/dashboard/tasks?task_id=${taskId}&done=task_cancelled&id=${taskId}`,
      says: /^Task tsk_.{4}….{4} was cancelled\.$/,
      state: () => member(`/cabinet/tasks?task_id=${taskId}`, 'task'),
    },
    {
      path: '/dashboard/orders',
      fields: { order_id: orderId },
      question: `/dashboard/orders?order_id=${orderId}&confirm=cancel`,
      done: `/dashboard/orders?order_id=${orderId}&done=order_cancelled&id=${orderId}`,
      says: /^Order ord_.{4}….{4} was cancelled\.$/,
      state: () => member(`/cabinet/orders?order_id=${orderId}`, 'order'),
    },
    {
      path: '/dashboard/mandates',
      fields: { mandate_id: mandate_id, control_token: String(control_token), action: 'revoke' },
      question: `/dashboard/mandates?mandate_id=${mandate_id}&confirm=revoke`,
      done: `/dashboard/mandates?done=mandate_revoked&id=${mandate_id}`,
      says: /^Mandate mnd_.{4}….{4} was revoked\.$/,
      state: () => member('/cabinet/mandates', 'mandates'),
    },
    {
      path: '/dashboard/agents',
      fields: { agent_id: stranger.id, answer: 'refuse' },
      question: `/dashboard/keys?confirm=refuse&agent_id=${stranger.id}`,
      done: `/dashboard?done=agent_refused&id=${stranger.id}`,
      says: null,
      state: () => member('/cabinet', 'agents'),
    },
    {
      path: '/dashboard/keys',
      fields: { agent_id: agent.id, action: 'revoke', key_id: agent.keyId },
      question: `/dashboard/keys?confirm=revoke&key_id=${agent.keyId}`,
      done: `/dashboard/keys?done=key_revoked&id=${agent.keyId}`,
      says: /^Key key_.{4}….{4} was revoked\.$/,
      state: () => member('/cabinet/keys', 'agents'),
    },
    {
      path: '/dashboard/sessions',
      fields: { session_id: 'all' },
      question: '/dashboard/sessions?confirm=all',
      done: '/dashboard/login',
      says: null,
      state: () => member('/cabinet/sessions', 'sessions'),
    },
  ];
}

test('a form that cannot be undone changes nothing before its question is answered, and then says what it did', async () => {
  const seen = await visited(await sharedService());
  for (const { path, fields, question, done, says, state } of await everyQuestion(seen)) {
    const before = await state();
    for (const unanswered of [fields, { ...fields, confirmed: 'no' }]) {
      const asked = await send(seen, path, unanswered);
      assert.deepEqual([asked.status, asked.headers.location], [303, question], path);
      assert.deepEqual(await state(), before, `${path} changed nothing`);
    }
    const { text } = await seen.owner.call(question, { headers: HTML });
    assert.match(text, /<section class="card confirm" id="confirm"/, question);
    assert.match(text, /<input type="hidden" name="confirmed" value="yes">/, question);
    const answered = await send(seen, path, { ...fields, confirmed: 'yes' });
    assert.deepEqual([answered.status, answered.headers.location], [303, done], path);
    if (done === '/dashboard/login') continue;
    assert.notDeepEqual(await state(), before, `${path} changed something`);
    if (says !== null) assert.match((await toastAt(seen, done)) ?? '', says, done);
  }
});

test('a rotation asks first, and a form without an answer creates no key', async () => {
  const seen = await visited(await sharedService());
  const { agent, owner } = seen;
  const fields = { agent_id: agent.id, action: 'rotate', key_id: agent.keyId };
  const asked = await send(seen, '/dashboard/keys', fields);
  assert.deepEqual(
    [asked.status, asked.headers.location],
    [303, `/dashboard/keys?confirm=rotate&key_id=${agent.keyId}`],
  );
  const keys = async () =>
    ((await owner.call('/cabinet/keys')).json['agents'] as { keys: { revoked_at: string | null }[] }[])[0]?.keys.map(
      ({ revoked_at }) => revoked_at === null,
    );
  assert.deepEqual(await keys(), [true]);
  const later = await send(seen, '/dashboard/keys', { ...fields, confirmed: 'yes', old_key: 'later' });
  assert.match(later.text, /agk_/);
  assert.deepEqual(await keys(), [true, true], 'the old key stays until it is revoked');
  const full = (await owner.call('/dashboard/keys', { headers: HTML })).text;
  assert.match(full, /Two of two keys are active[^]*?<button class="button button-plain" disabled/);
  const now = await send(seen, '/dashboard/keys', { ...fields, confirmed: 'yes', old_key: 'now' });
  assert.match(now.text, /agk_/);
  assert.deepEqual((await keys())?.filter(Boolean).length, 2, 'the old key is replaced');
});

test('a message has a known code and an id of the account, and nothing else of the address is shown', async () => {
  const service = await sharedService();
  const [mine, other] = [await visited(service), await visited(service)];
  const at = (query: string) => toastAt(mine, `/dashboard/keys?${query}`);
  assert.match((await at(`done=key_revoked&id=${mine.agent.keyId}`)) ?? '', /^Key key_/);
  assert.equal(await at(`done=key_revoked&id=${other.agent.keyId}`), 'The key was revoked.');
  assert.equal(await at('done=key_revoked&id=<b>pay+me</b>'), 'The key was revoked.');
  assert.equal(await at('done=__proto__'), undefined);
  assert.equal(await at('done=your+account+is+closed'), undefined);
  const json = await mine.owner.call(`/cabinet/keys?done=key_revoked`);
  assert.equal(json.status, 400, 'programs have no such parameter');
});

test('programs that send JSON are not asked', async () => {
  const seen = await visited(await sharedService());
  const taskId = await newTask(seen);
  const cancelled = await seen.owner.post('/cabinet/tasks', { task_id: taskId });
  assert.equal((cancelled.json['task'] as Record<string, unknown>)['state'], 'canceled');
  const { status } = await seen.owner.post('/cabinet/tasks', { task_id: taskId, confirmed: 'yes' });
  assert.equal(status, 400, 'the answer to a question is a field of forms alone');
});

test('a wrong control token leaves the mandate as it is and asks again on the same page', async () => {
  const seen = await visited(await sharedService());
  const { service, agent, owner } = seen;
  const made = await mandate(service, { ...mandateBody(service.now()), agent_id: agent.id });
  const fields = { mandate_id: made.mandate_id, action: 'revoke', confirmed: 'yes' };
  const wrong = await send(seen, '/dashboard/mandates', { ...fields, control_token: `amhm_${'A'.repeat(43)}` });
  assert.equal(wrong.status, 401, wrong.text);
  assert.match(wrong.text, /id="confirm"[^]*?aria-invalid="true"[^]*?does not open it/);
  assert.ok(!wrong.text.includes('AAAAAAAA'), 'what was typed is not shown again');
  const missing = await send(seen, '/dashboard/mandates', fields);
  assert.equal(missing.status, 400, 'a token is needed');
  const [kept] = (await owner.call('/cabinet/mandates')).json['mandates'] as { status: string }[];
  assert.equal(kept?.status, 'active');
});

test('a refused deletion lists what is open, each with a link', async () => {
  const seen = await visited(await sharedService());
  const { owner } = seen;
  const [taskId, orderId] = [await newTask(seen), await ownedOrder(seen, { supplier: 'OTHER' })];
  const refused = await send(seen, '/dashboard/account', { confirm: owner.email, give_up_credit: 'yes' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /<h1>Account<\/h1>/);
  for (const href of [`/dashboard/tasks?task_id=${taskId}`, `/dashboard/orders?order_id=${orderId}`]) {
    assert.ok(refused.text.includes(`<a href="${href}">`), href);
  }
  assert.match(refused.text, /€0\.20 on hold/);
  for (const [path, fields] of [
    ['/cabinet/tasks', { task_id: taskId }],
    ['/cabinet/orders', { order_id: orderId }],
  ] as const) {
    assert.equal((await owner.post(path, fields)).status, 200);
  }
  const credit = await send(seen, '/dashboard/account', { confirm: owner.email });
  assert.equal(credit.status, 409);
  assert.match(credit.text, /name="give_up_credit"[^>]*aria-invalid="true"/);
  const typed = await send(seen, '/dashboard/account', { confirm: 'other@example.org', give_up_credit: 'yes' });
  assert.equal(typed.status, 400);
  assert.match(typed.text, /value="other@example\.org"[^>]*aria-invalid="true"/);
});
