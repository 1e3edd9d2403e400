// Signing in on two pages, with second tries, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pagesOf, skipsBrowser } from './browser.ts';
import { loginMails, newEmail, registered } from '../support/cabinet.ts';

const pages = pagesOf();
const skip = skipsBrowser;

async function newOwner(): Promise<string> {
  const email = newEmail();
  await registered(await pages.service(), email);
  return email;
}

async function ask(page: Page, email: string): Promise<void> {
  await page.goto('/dashboard/login');
  assert.equal(await page.getByLabel('6-digit code').count(), 0, 'no code is asked for before an email was');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
}

async function enter(page: Page, code: string): Promise<number> {
  await page.getByLabel('6-digit code').fill(code);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('button', { name: 'Sign in' }).click(),
  ]);
  await page.waitForLoadState();
  return answer.status();
}

async function codeOf(email: string): Promise<string> {
  const [mail] = await loginMails(await pages.service(), email);
  return mail?.code ?? '';
}

function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script';
  test(`a wrong code leads to the same page with the field emptied and focused, and the right one signs in, ${how}`, {
    skip,
  }, async (t) => {
    const email = await newOwner();
    const page = await pages.open(t, { javaScriptEnabled });
    await page.goto('/dashboard/login');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'email');
    await ask(page, email);
    const field = page.getByLabel('6-digit code');
    assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
    const code = await codeOf(email);
    assert.equal(await enter(page, otherThan(code)), 401);
    assert.match(await page.locator('main').innerText(), /That code is wrong or expired\. Try again\./);
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'code');
    assert.equal(await enter(page, '12'), 400);
    assert.match(await page.locator('main').innerText(), /Enter the 6 digits from the email\./);
    assert.equal(await enter(page, code), 303);
    await page.waitForURL('**/dashboard');
  });
}

/** The page as it is, without what was typed into the form before it. */
async function markupOf(page: Page, email: string): Promise<string> {
  const [local = ''] = email.split('@');
  const masked = `${local.slice(0, 1)}…${local.slice(-1)}@`;
  return (await page.content()).replaceAll(email, 'EMAIL').replaceAll(masked, 'MASKED@');
}

test('a known and an unknown address get the same pages, byte for byte, up to the end of their tries', {
  skip,
}, async (t) => {
  const known = await newOwner();
  const unknown = 'nobody-0@example.org';
  const seen: string[][] = [];
  for (const email of [known, unknown]) {
    const page = await pages.open(t, { javaScriptEnabled: false });
    await ask(page, email);
    const wrong = otherThan(await codeOf(email));
    const markups = [await markupOf(page, email)];
    for (let turn = 0; turn < 6; turn += 1) {
      assert.equal(await enter(page, wrong), 401);
      markups.push(await markupOf(page, email));
    }
    const text = await page.locator('main').innerText();
    assert.match(text, /Too many tries\. Send a new email\./);
    assert.doesNotMatch(text, /\d (?:tries|attempts) left/);
    seen.push(markups);
  }
  assert.deepEqual(seen[0], seen[1]);
});

test('after too many tries a new email begins anew', { skip }, async (t) => {
  const email = await newOwner();
  const page = await pages.open(t, { javaScriptEnabled: false });
  await ask(page, email);
  const first = await codeOf(email);
  for (let turn = 0; turn < 5; turn += 1) await enter(page, otherThan(first));
  assert.match(await page.locator('main').innerText(), /Too many tries/);
  await page.getByRole('button', { name: 'Send a new one' }).click();
  assert.doesNotMatch(await page.locator('main').innerText(), /Too many tries/);
  assert.equal(await enter(page, await codeOf(email)), 303);
  await page.waitForURL('**/dashboard');
});

test('another email can be sent after a while, and its button says when', { skip }, async (t) => {
  const page = await pages.open(t);
  await ask(page, await newOwner());
  const button = page.getByRole('button', { name: /Send a new one/ });
  assert.match(await button.innerText(), /\(in (?:1:00|0:\d\d)\)/);
  assert.ok(await button.isDisabled());
});

test('a link that is opened in another browser says where to open it, and still works there', { skip }, async (t) => {
  const email = await newOwner();
  const asking = await pages.open(t);
  await ask(asking, email);
  const [mail] = await loginMails(await pages.service(), email);
  const address = `/dashboard/login#${mail?.token}`;
  const other = await pages.open(t);
  await other.goto(address);
  assert.ok(!other.url().includes('#'), 'the token leaves the address');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByText('Open the link in the browser where you asked, or type the code there.').waitFor();
  await asking.goto('/start');
  await asking.goto(address);
  await asking.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await asking.waitForURL('**/dashboard');
});

test('a person with no agent yet finds the way to the first one', { skip }, async (t) => {
  const page = await pages.open(t);
  await page.goto('/dashboard/login');
  await page.getByRole('link', { name: 'Register your first agent' }).click();
  await page.waitForURL('**/start');
});

test('who must sign in first comes back to the page they wanted, and public pages then lead to the dashboard', {
  skip,
}, async (t) => {
  const email = await newOwner();
  const page = await pages.open(t);
  await page.goto('/dashboard/tasks?show=failed');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  assert.equal(await enter(page, await codeOf(email)), 303);
  const { pathname, searchParams } = new URL(page.url());
  assert.deepEqual([pathname, searchParams.get('show')], ['/dashboard/tasks', 'failed']);
  const link = page.locator('.bar-actions [data-sign-in]');
  for (const path of ['/', '/docs']) {
    await page.goto(path);
    assert.equal(await link.innerText(), 'Dashboard', path);
  }
  await link.click();
  await page.waitForURL('**/dashboard');
  await page.locator('.side-wide').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/dashboard/login*');
  await page.goto('/');
  assert.equal(await link.innerText(), 'Sign in');
});
