import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '#kernel/clock.ts';
import { pagesOf, skipsBrowser, testEveryPage } from './browser.ts';

const pages = pagesOf();

testEveryPage(pages, 'public');

test('the figures of home are brought up to date in their place', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t);
  await page.clock.install();
  await page.goto('/');
  const below = () => page.locator('.demos').boundingBox();
  const before = await below();
  await page.locator('#live').evaluate((element) => element.setAttribute('data-old', ''));
  await page.clock.runFor(11_000);
  await page.waitForSelector('#live:not([data-old])');
  assert.equal(await page.locator('#live').count(), 1);
  assert.deepEqual(await below(), before, 'nothing moves');
});

test('the copy button takes the command along and says so', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  // Its word stands for a moment: the clock of the page waits until it was read.
  await page.clock.install();
  await page.goto('/');
  await page.clock.pauseAt(Date.now() + HOUR_MS);
  const call = page.locator('.home-code .panel').first();
  await call.getByRole('button', { name: 'Copy' }).click();
  await call.getByRole('button', { name: 'Copied' }).waitFor();
  const taken = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(taken, await call.locator('code').innerText());
  assert.match(taken, /^curl -s http/);
});

test('main content can be reached and pages walked with the keyboard alone', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t);
  await page.goto('/protocols');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/protocols\/./);
});
