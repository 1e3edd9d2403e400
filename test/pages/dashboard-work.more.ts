// Tasks, orders, mandates, keys, sessions and the account in a real browser: what cannot be undone asks first.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { RegisterSimulators } from '../../src/sandbox/registers/server.ts';
import { pagesOf, skipsBrowser } from './browser.ts';
import { enterAs } from './cabinet-pages.ts';
import { type OwnedAgent, ownedOrder, registered } from '../support/cabinet.ts';
import { mandate, mandateBody } from '../support/mandates.ts';
import { followed } from '../support/orders.ts';
import type { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { agentOf, fund } from '../support/wallet.ts';

const simulators = await RegisterSimulators.start(() => Date.now());
// More agents than one address may register in an hour.
const pages = pagesOf({ registerSimulators: { simulators }, env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
after(() => simulators[Symbol.asyncDispose]());
const skip = skipsBrowser;
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const WAYS = [
  { name: 'with script', javaScriptEnabled: true },
  { name: 'without script', javaScriptEnabled: false },
] as const;
let owners = 0;

interface Visit {
  readonly page: Page;
  readonly service: TestService;
  readonly agent: OwnedAgent;
  readonly email: string;
}

type Opening = Parameters<typeof pages.open>[1];

/** A browser whose owner has one agent and is signed in. Its timers stand still, so that no message leaves unread. */
async function visit(t: TestContext, opening: Opening = {}, { hasTimers = false } = {}): Promise<Visit> {
  const service = await pages.service();
  owners += 1;
  const email = `work-${owners}@example.org`;
  const agent = await registered(service, email, 'buyer-7', { 'x-forwarded-for': `198.51.100.${owners}` });
  const page = await pages.open(t, { viewport: DESK, ...opening });
  await enterAs(service, page.context(), email);
  if (!hasTimers) {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
  }
  return { page, service, agent, email };
}

async function newTask({ service, agent }: Visit, more: Record<string, unknown> = {}): Promise<string> {
  const body = { agent_id: agent.id, need: 'do something nice', ...more };
  const { json } = await service.call('/api/tasks', { method: 'POST', body, headers: { 'x-agent-key': agent.key } });
  return String(json['task_id']);
}

async function works({ service, agent }: Visit): Promise<boolean> {
  return (await service.call('/api/agents/me', { headers: { 'x-agent-key': agent.key } })).status === 200;
}

/** Where the question is: a dialog with script, the page without it. */
function question(page: Page, hasScript: boolean): Locator {
  return page.locator(hasScript ? 'dialog #confirm' : 'main #confirm');
}

/** Counts the clicks of a journey. */
function clicker() {
  let clicks = 0;
  return {
    async on(target: Locator): Promise<void> {
      clicks += 1;
      await target.click();
    },
    get count() {
      return clicks;
    },
  };
}

for (const { name, javaScriptEnabled: hasScript } of WAYS) {
  test(`a key is revoked only after its question, which Cancel leaves as it was, ${name}`, { skip }, async (t) => {
    const seen = await visit(t, { javaScriptEnabled: hasScript });
    const { page, service, agent } = seen;
    await fund(service.service.store, agent.id, 9_760_000);
    const click = clicker();
    await page.goto('/dashboard');
    const nav = page.locator('nav[aria-label="Dashboard"]').locator('visible=true');
    await click.on(nav.getByRole('link', { name: 'Agents & keys' }));
    const revoke = page.getByRole('link', { name: 'Revoke…' });
    await click.on(revoke);
    const asked = question(page, hasScript);
    await asked.waitFor();
    assert.ok(await works(seen), 'one click revokes nothing');
    assert.match(
      await asked.innerText(),
      /only active key[\s\S]*401[\s\S]*€9\.76 stays in its wallet[\s\S]*cannot be undone/,
    );
    if (hasScript) assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel');
    await click.on(asked.getByRole('link', { name: 'Cancel' }));
    await asked.waitFor({ state: 'detached' });
    assert.ok(await works(seen));
    if (hasScript) {
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Revoke…', 'focus returns');
      await revoke.press('Enter');
      await asked.waitFor();
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'detached' });
      assert.ok(await works(seen));
    }
    await click.on(revoke);
    await click.on(asked.getByRole('button', { name: 'Revoke key' }));
    const toast = page.getByRole('status').filter({ hasText: 'was revoked' });
    await toast.waitFor();
    assert.match(await toast.innerText(), new RegExp(`^Key ${agent.keyId.slice(0, 8)}….{4}`));
    assert.equal(await works(seen), false);
    assert.equal(await page.getByRole('link', { name: 'Revoke…' }).count(), 0, 'the row left the list');
    const folded = page.locator('details.revoked');
    assert.equal(await folded.getAttribute('open'), null);
    await folded.locator('summary').click();
    assert.match(await folded.innerText(), new RegExp(agent.keyId.slice(0, 8)));
    if (hasScript) assert.equal(new URL(page.url()).search, '', 'the message leaves the address');
    t.diagnostic(`revoke, cancelled once: ${click.count} clicks`);
    assert.ok(click.count <= 5);
  });

  test(`an order is found by its id from the dashboard, ${name}`, { skip }, async (t) => {
    const seen = await visit(t, { javaScriptEnabled: hasScript });
    const { page, service, agent } = seen;
    const orderId = await ownedOrder({ service, agent, owner: undefined as never }, { supplier: 'OTHER' });
    await page.goto('/dashboard');
    const field = page.getByRole('searchbox', { name: 'Search' }).locator('visible=true');
    if (hasScript) await page.keyboard.press('/');
    await field.fill(orderId);
    await field.press('Enter');
    await page.waitForURL(`**/dashboard/orders?order_id=${orderId}`);
    assert.equal(await page.locator('h1').innerText(), 'Order');
  });

  test(`a task that needs its owner is answered, and another is cancelled after its question, ${name}`, {
    skip,
  }, async (t) => {
    const seen = await visit(t, { javaScriptEnabled: hasScript });
    const { page } = seen;
    const [asking, other] = [await newTask(seen), await newTask(seen)];
    await page.goto('/dashboard/tasks?show=needs_you');
    assert.equal(await page.locator('tbody tr').count(), 2);
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(Math.max(...heights) < 50, `every row is one line: ${heights.join(' ')}`);
    await page.goto(`/dashboard/tasks?task_id=${asking}`);
    assert.match(await page.locator('nav.crumbs').innerText(), /Tasks/);
    await page.getByLabel('What should be done?').selectOption({ label: 'search open bounties' });
    assert.match(await page.locator('main form').innerText(), /Your agent asked for: “do something nice”/);
    await page.getByRole('button', { name: 'Send answers' }).click();
    await page.getByRole('status').filter({ hasText: 'has your answers' }).waitFor();
    assert.match(await page.locator('main').innerText(), /Completed/);
    await page.goto(`/dashboard/tasks?task_id=${other}`);
    await page.getByRole('link', { name: 'Cancel task…' }).click();
    const asked = question(page, hasScript);
    await asked.waitFor();
    const state = async () => (await seen.service.call(`/api/tasks/${other}`)).json['state'];
    assert.equal(await state(), 'input_required', 'the link cancels nothing');
    await asked.getByRole('button', { name: 'Cancel task' }).click();
    await page.getByRole('status').filter({ hasText: 'was cancelled' }).waitFor();
    assert.equal(await state(), 'canceled');
    assert.match(await page.locator('.thing-head').innerText(), /Cancelled/);
    assert.equal(await page.getByRole('link', { name: 'Cancel task…' }).count(), 0);
  });

  test(`a mandate is revoked only with its token and an answer, ${name}`, { skip }, async (t) => {
    const { page, service, agent } = await visit(t, { javaScriptEnabled: hasScript });
    const made = await mandate(service, { ...mandateBody(Date.now()), agent_id: agent.id });
    await page.goto('/dashboard/mandates');
    assert.match(await page.locator('main').innerText(), /Unsigned: anyone could have created this mandate/);
    assert.equal(await page.locator('main input[type=password]').count(), 0, 'the token is asked for in the question');
    await page.getByRole('link', { name: 'Revoke…' }).click();
    const asked = question(page, hasScript);
    const token = asked.getByLabel('Control token');
    assert.deepEqual(
      await Promise.all(['type', 'autocomplete', 'value'].map((attribute) => token.getAttribute(attribute))),
      ['password', 'off', null],
    );
    await asked.getByRole('button', { name: 'Revoke mandate' }).click();
    assert.equal(await token.evaluate((input) => (input as HTMLInputElement).validity.valueMissing), true);
    await token.fill(String(made.control_token));
    await asked.getByRole('button', { name: 'Revoke mandate' }).click();
    await page.getByRole('status').filter({ hasText: 'was revoked' }).waitFor();
    assert.match(await page.locator('.card').first().innerText(), /Revoked/);
  });
}

test('the list of tasks keeps its filter and its place on the way back', { skip }, async (t) => {
  const seen = await visit(t, {}, { hasTimers: true });
  const { page } = seen;
  for (let count = 0; count < 14; count += 1) await newTask(seen);
  await page.goto('/dashboard/tasks');
  await page.getByRole('navigation', { name: 'Show' }).getByRole('link', { name: 'Needs you' }).click();
  await page.waitForURL('**/dashboard/tasks?show=needs_you');
  await page.setViewportSize({ width: 1440, height: 500 });
  const last = page.locator('.row-link').last();
  await last.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  assert.ok(place > 0);
  await last.click();
  await page.waitForURL('**/dashboard/tasks?task_id=*');
  await page.goBack();
  await page.waitForURL('**/dashboard/tasks?show=needs_you');
  await page.waitForFunction((before) => Math.abs(window.scrollY - before) < 4, place);
  const current = page.getByRole('navigation', { name: 'Show' }).locator('[aria-current]');
  assert.equal(await current.innerText(), 'Needs you');
});

/** A task whose work does not end before the register responds; an answer that is known already is not asked for. */
async function runningTask(t: TestContext, seen: Visit, vatNumber: string) {
  const { page, service, agent } = seen;
  await fund(service.service.store, agent.id, 1_000_000);
  simulators.setFault('vies', 'hang');
  t.after(() => simulators.setFault('vies', null));
  // Its call is answered when the work ends.
  const made = newTask(seen, { need: `Check VAT number ${vatNumber}` });
  const headers = await cookies(page);
  const taskId = await until('the task to run', async () => {
    const { tasks } = (await service.call('/cabinet/tasks', { headers })).json;
    return (tasks as { task_id: string; state: string }[]).find((one) => one.state === 'working')?.task_id;
  });
  return { made, taskId };
}

test('a task that runs is asked for again until it has ended', { skip }, async (t) => {
  const seen = await visit(t, {}, { hasTimers: true });
  const { page } = seen;
  const { made, taskId } = await runningTask(t, seen, 'NL999900018B01');
  await page.goto(`/dashboard/tasks?task_id=${taskId}`);
  assert.match(await page.locator('.thing-head').innerText(), /Working/);
  assert.equal(await page.locator('#task').getAttribute('hx-trigger'), 'every 5s');
  simulators.setFault('vies', null);
  await page
    .locator('.thing-head')
    .filter({ hasText: /Completed|Failed/ })
    .waitFor();
  assert.equal(await page.locator('#task').getAttribute('hx-trigger'), null, 'it ended, and nothing is asked for');
  assert.equal(await made, taskId);
});

test('the page of a task shows its end by itself, but not while somebody types the receipt key', {
  skip,
}, async (t) => {
  const seen = await visit(t);
  const { page } = seen;
  const { made, taskId } = await runningTask(t, seen, 'NL000099998B57');
  await page.goto(`/dashboard/tasks?task_id=${taskId}`);
  await page.getByRole('link', { name: 'public page' }).click();
  const key = page.getByLabel('Receipt key');
  await key.fill('half of a key');
  simulators.setFault('vies', null);
  await made;
  await page.clock.runFor(20_000);
  assert.equal(await key.inputValue(), 'half of a key');
  await key.fill('');
  await key.blur();
  await page.clock.runFor(4_000);
  await page.getByRole('heading', { level: 1, name: /Completed|Failed/ }).waitFor();
  assert.equal(await page.locator('meta[name="reload-after"]').count(), 0, 'it ended, and nothing is asked for');
});

for (const state of ['placed', 'confirmed'] as const) {
  test(`the question before a ${state} order is cancelled says what the ledger then shows`, { skip }, async (t) => {
    const seen = await visit(t);
    const { page, service, agent } = seen;
    const given = { service, agent, owner: undefined as never };
    const orderId = await ownedOrder(given, state === 'placed' ? { supplier: 'OTHER' } : {});
    const known = agentOf(service, agent);
    if (state === 'confirmed') await followed({ service, agent: known }, orderId, 'confirmed', true);
    const wallet = async () => (await known.call('/api/agents/wallet')).json;
    const before = await wallet();
    await page.goto(`/dashboard/orders?order_id=${orderId}`);
    await page.getByRole('link', { name: 'Cancel order…' }).click();
    const asked = page.locator('dialog #confirm');
    const sentence = state === 'placed' ? 'The hold of €0.20 is released.' : 'The fee of €0.20 is returned.';
    assert.ok((await asked.innerText()).includes(sentence));
    await asked.getByRole('button', { name: 'Cancel order' }).click();
    await page.getByRole('status').filter({ hasText: 'was cancelled' }).waitFor();
    const { items } = (await known.call('/api/agents/wallet/ledger')).json as { items: Record<string, string>[] };
    const newest = `${items[0]?.['kind']} ${items[0]?.['amount_eur']}`;
    const now = await wallet();
    if (state === 'placed') {
      assert.deepEqual([before['held_eur'], now['held_eur']], ['0.20', '0.00']);
      assert.ok(!newest.startsWith('order_fee'), 'a hold that is released moves no money');
    } else {
      assert.equal(newest, 'order_fee_reversed 0.20');
    }
    const { order } = (await service.call(`/cabinet/orders?order_id=${orderId}`, { headers: await cookies(page) }))
      .json;
    const { history } = order as { history: { state: string }[] };
    const track = page.locator('.track-steps > li');
    assert.deepEqual(
      await track.evaluateAll((all) => all.map((item) => item.getAttribute('data-state'))),
      history.map((one) => one.state),
      'the track is the history, and its end replaces what was to come',
    );
  });
}

async function cookies(page: Page): Promise<{ cookie: string }> {
  const list = await page.context().cookies();
  return { cookie: list.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

test('an order under way shows price, receipt and what is to come, and no page scrolls sideways on a phone', {
  skip,
}, async (t) => {
  const seen = await visit(t, { viewport: PHONE });
  const { page, service, agent } = seen;
  const orderId = await ownedOrder({ service, agent, owner: undefined as never }, { supplier: 'OTHER' });
  const taskId = await newTask(seen);
  for (const path of [
    '/dashboard/orders',
    `/dashboard/orders?order_id=${orderId}`,
    '/dashboard/tasks',
    `/dashboard/tasks?task_id=${taskId}`,
    '/dashboard/keys',
    '/dashboard/mandates',
    '/dashboard/sessions',
    '/dashboard/account',
  ]) {
    await page.goto(path);
    const wide = await page
      .locator('html, .table-scroll')
      .evaluateAll((all) =>
        all
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ className, tagName }) => `${tagName} ${className}`),
      );
    assert.deepEqual(wide, [], path);
    const top = await page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().top);
    assert.ok(top <= 130 || path.includes('_id='), `${path} begins at ${top}`);
  }
  await page.goto(`/dashboard/orders?order_id=${orderId}`);
  assert.match(
    await page.locator('main').innerText(),
    /Total\s+€20\.20\s+Parts\s+€20\.00 you pay the supplier directly\s+Avouch fee\s+€0\.20 from the agent’s wallet, on hold/,
  );
  assert.deepEqual(await page.locator('.track-steps .track-name').allInnerTexts(), [
    ...['Quoted', 'Placed', 'Confirmed', 'Shipped', 'Delivered'],
  ]);
  await page.getByText('Order with its signed receipt').click();
  const text = String(await page.getByRole('region', { name: 'Order with its receipt' }).textContent());
  assert.match(await verdictOn(page, text), /^Verified in part/);
  const { receipt } = JSON.parse(text) as { receipt: object };
  const alone = await verdictOn(page, JSON.stringify(receipt));
  assert.match(alone, /^Signature valid, rest not checked/);
  assert.match(alone, /The order itself was not checked.*GET \/api\/v1\/orders\/\{order_id\}/);
});

/** What /verify says of a text. */
async function verdictOn(page: Page, text: string): Promise<string> {
  await page.goto('/verify');
  await page.fill('#proof-text', text);
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  return page.locator('#file-result [data-verdict]').innerText();
}

test('on a phone both buttons of a key are in the viewport and large enough', { skip }, async (t) => {
  const { page } = await visit(t, { viewport: PHONE });
  await page.goto('/dashboard/keys');
  for (const name of ['Rotate…', 'Revoke…']) {
    const target = page.getByRole('link', { name });
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= PHONE.width && box.height >= 44, name);
  }
});

test('a rotation keeps the old key until it is revoked, and a new key is shown once', { skip }, async (t) => {
  const seen = await visit(t);
  const { page, service } = seen;
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'Rotate…' }).click();
  const asked = page.locator('dialog #confirm');
  assert.ok(await asked.getByLabel('when I revoke it').isChecked());
  await asked.getByRole('button', { name: 'Create new key' }).click();
  const key = await page.locator('.code code').filter({ hasText: 'agk_' }).innerText();
  assert.equal((await service.call('/api/agents/me', { headers: { 'x-agent-key': key } })).status, 200);
  assert.ok(await works(seen), 'the old one works too');
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await page.waitForURL('**/dashboard/keys');
  assert.ok(!(await page.content()).includes(key));
  assert.ok(await page.getByRole('button', { name: 'Create key' }).isDisabled());
  assert.match(await page.locator('main').innerText(), /Two of two keys are active/);
});

test('a new agent is created in a dialog and shows its key', { skip }, async (t) => {
  const { page, service } = await visit(t);
  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'New agent' }).click();
  await page.locator('dialog').getByLabel('Name').fill('night shift');
  await page.locator('dialog').getByRole('button', { name: 'Create agent' }).click();
  const key = await page.locator('.code code').filter({ hasText: 'agk_' }).innerText();
  const me = await service.call('/api/agents/me', { headers: { 'x-agent-key': key } });
  assert.deepEqual([me.json['name'], me.json['owner_verified']], ['night shift', true]);
});

test('sessions name browsers in words, and signing out everywhere asks first', { skip }, async (t) => {
  const service = await pages.service();
  const { page, email } = await visit(t);
  const raw = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  const other = await pages.open(t);
  await enterAs(service, other.context(), email, { 'user-agent': raw });
  await page.goto('/dashboard/sessions');
  const text = await page.locator('main').innerText();
  assert.match(text, /Chrome on Linux/);
  assert.doesNotMatch(text, /Mozilla|AppleWebKit/);
  await page.getByRole('row').filter({ hasText: 'Chrome on Linux' }).getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('status').filter({ hasText: 'was signed out' }).waitFor();
  await other.goto('/dashboard');
  assert.match(other.url(), /\/dashboard\/login/);
  await page.getByRole('link', { name: 'Sign out everywhere…' }).click();
  await page.locator('dialog').getByRole('link', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'Sign out everywhere…' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL('**/dashboard/login*');
});
