// The cabinet in a real browser: logged in from the outbox, topped up through the checkout, and ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pagesOf, skipsBrowser, testEveryPage } from './browser.ts';
import { enterAs } from './cabinet-pages.ts';
import { registered } from '../support/cabinet.ts';

const pages = pagesOf();
const skip = skipsBrowser;
let owners = 0;

async function newOwner(name = 'buyer-7'): Promise<{ email: string; key: string; id: string }> {
  owners += 1;
  const email = `owner-${owners}@example.org`;
  return { email, ...(await registered(await pages.service(), email, name)) };
}

/** As a person does it: asks, reads the outbox in the same browser, clicks the link and the button. */
async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/dashboard/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.getByRole('link', { name: 'Open the test inbox' }).click();
  await page.getByRole('link', { name: 'Open the link' }).first().click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
}

test('login by link, top-up through the checkout to the credit, keys, tasks, export, deletion', { skip }, async (t) => {
  const { email, key, id } = await newOwner();
  const page = await pages.open(t);
  await logIn(page, email);
  assert.ok(!page.url().includes('#'), 'the token is nowhere in the address');
  assert.equal(await page.locator('.side-email').first().innerText(), email);

  assert.match(await page.locator('main').innerText(), /Someone registered “buyer-7”/);
  await page.getByRole('button', { name: 'Yes, it is mine' }).click();
  await page.locator('.stats').first().waitFor();

  await page.getByRole('link', { name: 'Top up' }).first().click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('link', { name: 'Continue to card payment' }).click();
  await page.getByRole('button', { name: 'Pay €50.00' }).click();
  await page.goto('/dashboard/topup');
  await page.getByText('Credited', { exact: true }).waitFor();
  await page.goto('/dashboard');
  assert.match(await page.locator('.stats').first().innerText(), /50\.00/);

  const service = await pages.service();
  const headers = { 'x-agent-key': key };
  await service.call('/capabilities/execute', {
    method: 'POST',
    headers,
    body: { capability: 'text.draft', input: { template: 'x' } },
  });
  await page.goto('/dashboard/spend');
  await page.locator('.chart-box').waitFor();
  assert.match(await page.locator('main > .table-scroll').innerText(), /Text: draft[\s\S]+0\.01/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.goto('/dashboard/ledger').then(() => page.getByRole('link', { name: 'CSV' }).click()),
  ]);
  assert.equal(await download.failure(), null);

  await page.goto('/dashboard/keys');
  await page.getByRole('link', { name: 'Rotate…' }).click();
  await page.getByLabel('now', { exact: true }).check();
  await page.getByRole('button', { name: 'Create new key' }).click();
  assert.match(await page.locator('.notice').first().innerText(), /is revoked/);
  const fresh = await page.locator('.code code', { hasText: 'agk_' }).innerText();
  assert.match(fresh, /^agk_[\w-]{49}$/);
  assert.equal((await service.call('/api/agents/me', { headers })).status, 401, 'the old key ended');
  await page.reload().catch(() => undefined);
  await page.goto('/dashboard/keys');
  assert.ok(!(await page.content()).includes(fresh), 'shown once');

  const body = { agent_id: id, need: 'do something nice' };
  await service.call('/api/tasks', { method: 'POST', body, headers: { 'x-agent-key': fresh } });
  await page.goto('/dashboard/tasks');
  await page.locator('th a').first().click();
  await page.getByRole('link', { name: 'Cancel task…' }).click();
  await page.getByRole('button', { name: 'Cancel task' }).click();
  await page.locator('.thing-head', { hasText: 'Cancelled' }).waitFor();

  await page.goto('/dashboard/account');
  const [exported] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export my data (JSON)' }).click(),
  ]);
  assert.equal(exported.suggestedFilename(), 'avouch-export.json');
  await page.getByLabel('Type your email address').fill(email);
  await page.getByLabel(/I forfeit the remaining/).check();
  await page.getByRole('button', { name: 'Delete account permanently' }).click();
  assert.equal(await page.locator('h1').innerText(), 'Account deleted');
  await page.goto('/dashboard');
  assert.equal(new URL(page.url()).pathname, '/dashboard/login', 'nobody is logged in any more');
});

test('without script a mail is asked for, its code logs in, a key is made and the session ends', {
  skip,
}, async (t) => {
  const { email } = await newOwner();
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/dashboard/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.getByRole('link', { name: 'Open the test inbox' }).click();
  const code = /code there: (\d{6})/.exec(await page.locator('pre').first().innerText())?.[1] ?? '';
  await page.goto('/dashboard/login');
  await page.getByLabel('6-digit code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
  await page.locator('.side-wide').getByRole('link', { name: 'Agents & keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  assert.match(await page.locator('.code').innerText(), /agk_/);
  await page.locator('.side-wide').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/dashboard/login');
});

const PAYLOADS = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror=document.title="owned">',
  "'-alert(1)-'</title><svg onload=alert(1)>",
  '\u202Egnp.exe\u2066\u200B{{7*7}}${7*7}',
  '<a href="javascript:alert(1)">click</a>',
];

test('names and needs of others stay text on every page', { skip }, async (t) => {
  const service = await pages.service();
  owners += 1;
  const email = `owner-${owners}@example.org`;
  for (const [index, payload] of PAYLOADS.entries()) {
    const agent = await registered(service, email, `n${index} ${payload}`);
    const body = { agent_id: agent.id, need: `do something nice ${payload}` };
    await service.call('/api/tasks', { method: 'POST', body, headers: { 'x-agent-key': agent.key } });
  }
  const page = await pages.open(t);
  await enterAs(service, page.context(), email, { 'user-agent': PAYLOADS[0] as string });
  for (const path of [
    '',
    '/ledger',
    '/spend',
    '/topup',
    '/tasks',
    '/orders',
    '/calls',
    '/mandates',
    '/keys',
    '/sessions',
    '/account',
  ]) {
    await page.goto(`/dashboard${path}`);
    assert.notEqual(await page.title(), 'owned', path);
    assert.equal(await page.locator('main script, main img, main svg, main a[href^="javascript"]').count(), 0, path);
    const text = await page.locator('main').innerText();
    assert.doesNotMatch(text, /[\u200B\u202A-\u202E\u2066-\u2069]/, path);
  }
  await page.goto('/dashboard/tasks');
  assert.ok((await page.locator('main').innerText()).includes('<script>document.title="owned"</script>'));
});

testEveryPage(pages, 'cabinet');
