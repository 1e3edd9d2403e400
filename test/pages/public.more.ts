import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { axe, pagesOf, skipsBrowser, testEveryPage } from './browser.ts';
import { TestService } from '../support/service.ts';

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

test('status draws its latencies and shows the same numbers as a table', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t);
  const { json } = await (await pages.service()).call('/system/status');
  const { series } = json['latency_history'] as { series: { values: number[] }[] };
  await page.goto('/system/status');
  await page.waitForSelector('.chart canvas');
  await page.getByText('Show as a table').click();
  assert.ok((await page.locator('main').innerText()).includes(String(series[0]?.values[0])));
});

test('main content can be reached and pages walked with the keyboard alone', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t);
  await page.goto('/docs');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/./);
});

test('a page for who asks too often or while the store is away says when to come again', {
  skip: skipsBrowser,
}, async (t) => {
  const clock = new ManualClock(Date.now());
  await using limited = await TestService.start({ clock, env: { AVOUCH_RATE_CROSSING_READ: '1/min,1' } });
  const page = await pages.open(t, { of: limited.url });
  await page.goto('/board');
  assert.equal((await page.goto('/board'))?.status(), 429);
  await page.getByText('slow_down').waitFor();
  assert.match(await page.locator('main').innerText(), /retry_after_s\s+60/);
  assert.deepEqual(await axe(page), []);
  using other = new DatabaseSync(join(limited.dataDir, 'avouch.db'));
  other.exec('BEGIN IMMEDIATE');
  assert.equal((await page.goto('/v1/claim?key=shut&agent=visitor'))?.status(), 503);
  await page.getByText('storage_unavailable').waitFor();
  assert.deepEqual(await axe(page), []);
});
