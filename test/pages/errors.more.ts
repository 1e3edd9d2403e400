import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { TestService } from '../support/service.ts';
import { axe, pagesOf, skipsBrowser } from './browser.ts';

const pages = pagesOf();
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

test('errors: a page that is not there suggests one and searches, with and without script', {
  skip: skipsBrowser,
}, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await pages.open(t, { viewport: PHONE, javaScriptEnabled });
    assert.equal((await page.goto('/loggs'))?.status(), 404);
    await page.getByRole('heading', { name: 'There is no page here.' }).waitFor();
    assert.equal(await page.locator('#problem-q').inputValue(), 'loggs');
    await page.getByRole('link', { name: '/log', exact: true }).click();
    await page.waitForURL('**/log');
    await page.goto('/docs/quikstart');
    await page.getByRole('link', { name: '/docs/quickstart' }).waitFor();
    await page.locator('.problem-search').getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/search?q=docs+quikstart');
  }
});

test('errors: taken work says how long, opens Retry when its time is over, and leads to the board', {
  skip: skipsBrowser,
}, async (t) => {
  const service = await pages.service();
  const claim = (agent: string) => `/v1/claim?key=taken-work&agent=${agent}&mode=exclusive`;
  const lease = (await service.call(claim('scout-1'))).json;
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.clock.install();
  assert.equal((await page.goto(claim('scout-2')))?.status(), 409);
  await page.getByRole('heading', { name: 'This work is taken.' }).waitFor();
  await page.getByText(/It ends in \d+ min/).waitFor();
  const retry = page.getByRole('link', { name: 'Retry' });
  assert.equal(await retry.getAttribute('aria-disabled'), 'true');
  await page.clock.runFor(600_000);
  await page.getByText('You can retry now.').waitFor();
  assert.equal(await retry.getAttribute('aria-disabled'), null);
  await service.call('/v1/release', { method: 'POST', body: { lease: lease['lease'], token: lease['token'] } });
  // Its last holder has the key for itself for a moment only where the lease expired, not where it was released.
  await retry.click();
  await page.getByRole('heading', { name: 'Take or renew a lease' }).waitFor();
  await page.goto(claim('scout-3'));
  await page.getByRole('link', { name: 'See it on the board' }).click();
  await page.waitForURL('**/board/taken-work');
});

test('errors: without script Retry is a plain link and says when it works', { skip: skipsBrowser }, async (t) => {
  const service = await pages.service();
  await service.call('/v1/claim?key=plain-work&agent=scout-1&mode=exclusive');
  const page = await pages.open(t, { viewport: PHONE, javaScriptEnabled: false });
  await page.goto('/v1/claim?key=plain-work&agent=scout-2&mode=exclusive');
  const retry = page.getByRole('link', { name: 'Retry' });
  assert.match(String(await retry.getAttribute('href')), /^\/v1\/claim\?key=plain-work/);
  assert.match(await page.locator('.retry-note').innerText(), /^in \d+ s$/);
});

test('errors: too many calls and a store that is away count down and can be tried again', {
  skip: skipsBrowser,
}, async (t) => {
  const clock = new ManualClock(Date.now());
  await using limited = await TestService.start({ clock, env: { AVOUCH_RATE_CROSSING_READ: '1/min,1' } });
  const page = await pages.open(t, { of: limited.url, viewport: PHONE });
  await page.clock.install();
  await page.goto('/board');
  assert.equal((await page.goto('/board'))?.status(), 429);
  await page.getByText(/enabled in \d+ s/).waitFor();
  await page.clock.runFor(61_000);
  await page.getByText('You can retry now.').waitFor();
  assert.deepEqual(await axe(page), []);
  clock.advance(61_000);
  await page.getByRole('link', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Board' }).waitFor();
  using other = new DatabaseSync(join(limited.dataDir, 'avouch.db'));
  other.exec('BEGIN IMMEDIATE');
  const claim = '/v1/claim?key=shut&agent=visitor';
  assert.equal((await page.goto(claim))?.status(), 503);
  await page.getByRole('link', { name: 'Status', exact: true }).first().waitFor();
  await page.locator('.request-id code').waitFor();
  await page.clock.runFor(61_000);
  await page.getByText('You can retry now.').waitFor();
  other.exec('ROLLBACK');
  await page.getByRole('link', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: 'Take or renew a lease' }).waitFor();
});

test('errors: the members of a problem stay one click away', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/v1/look?keyy=1');
  await page.getByRole('heading', { name: '2 fields need attention' }).waitFor();
  const raw = page.locator('.technical code').last();
  assert.equal(await raw.isVisible(), false);
  await page.getByText('Technical details').click();
  assert.match(await raw.innerText(), /"code": "invalid_parameters"/);
  await page.getByRole('link', { name: 'How to call it' }).click();
  await page.waitForURL('**/docs/api/look');
});
