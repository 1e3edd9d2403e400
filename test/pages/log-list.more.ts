// The list of the public log in a real browser: filters in the address, short ids, entries that wait for the reader.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sealRecord } from '../support/log.ts';
import { pagesOf, skipsBrowser } from './browser.ts';
import { explored } from './explorer.ts';

const pages = pagesOf();
const skip = { skip: skipsBrowser };
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const rows = (page: Page) => page.locator('#log tbody tr');

async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('[data-live-state]', { hasText: /^Live$/ }).waitFor();
}

test('no list of the log scrolls sideways on a phone or a desktop, and its heading is at the top', skip, async (t) => {
  const { attestationId } = await explored(await pages.service());
  for (const viewport of [PHONE, DESKTOP]) {
    const page = await pages.open(t, { viewport });
    for (const path of ['/log', '/log?kind=mark', `/log?q=${attestationId}`, '/log/heads', `/log/${attestationId}`]) {
      await page.goto(path);
      await page.locator('.fold').evaluateAll((folds) => folds.map((fold) => fold.setAttribute('open', '')));
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.table-scroll')]
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map((element) => element.className),
      );
      assert.deepEqual(wide, [], `${path} at ${viewport.width}`);
      const top = (await page.locator('h1').boundingBox())?.y ?? Number.NaN;
      assert.ok(viewport !== PHONE || top <= 130, `${path}: h1 at ${top}`);
    }
  }
});

test('a filter changes the address and survives a reload, with script and without', skip, async (t) => {
  await explored(await pages.service());
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/log');
  await page.selectOption('#log-kind', { label: 'Mark left' });
  await page.waitForURL(/kind=mark/);
  const onlyMarks = async (shown: Page) => {
    const texts = await rows(shown).locator('td:nth-child(2)').allInnerTexts();
    assert.deepEqual([...new Set(texts)], ['Mark left']);
    assert.equal(await shown.locator('#log-kind').inputValue(), 'mark');
  };
  await onlyMarks(page);
  await page.reload();
  await onlyMarks(page);
  const plain = await pages.open(t, { javaScriptEnabled: false, viewport: PHONE });
  await plain.goto('/log');
  await plain.getByText('Filters').click();
  await plain.selectOption('#log-kind', { label: 'Mark left' });
  await plain.getByRole('button', { name: 'Apply' }).click();
  await plain.waitForURL(/kind=mark/);
  await onlyMarks(plain);
  await plain.fill('#log-to', '2001-01-01');
  await plain.getByRole('button', { name: 'Apply' }).click();
  await plain.getByText('No entry matches these filters.').waitFor();
  assert.match(plain.url(), /kind=mark.*to=2001-01-01/);
});

test('a row says what happened and no more: not who, on what or with which outcome', skip, async (t) => {
  await explored(await pages.service());
  const page = await pages.open(t);
  await page.goto('/log?kind=mark');
  const text = await page.locator('#log table').innerText();
  assert.doesNotMatch(text, /tester|parser|failed|large fixture/);
  assert.equal(await rows(page).first().locator('td span[title]').first().getAttribute('title'), 'mark');
});

test('ids are short and copy in full', skip, async (t) => {
  const { attestationId } = await explored(await pages.service());
  const page = await pages.open(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openLive(page, '/log');
  const shown = await page.locator('#log tbody .id code').allInnerTexts();
  assert.ok(shown.length > 0 && shown.every((text) => text.length <= 16), shown.join(' '));
  const id = page.locator(`#log .id[title="${attestationId}"]`);
  await id.getByRole('button').click();
  await page.locator('#announcements', { hasText: 'Copied' }).waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), attestationId);
});

test('a search without a result says what to try', skip, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/log');
  await page.fill('#log-q', 'hello world');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const said = 'No entry matches “hello world”. Try an entry number, an ATT- id or a SHA-256 hash.';
  await page.getByText(said).waitFor();
});

test('new entries wait under a button while the reader has scrolled', skip, async (t) => {
  const service = await pages.service();
  await explored(service);
  const page = await pages.open(t, { viewport: PHONE });
  await openLive(page, '/log');
  // Not to a row: the list may still be renewed until the reader has scrolled.
  await page.evaluate(() => globalThis.scrollTo(0, document.body.scrollHeight));
  const before = await rows(page).count();
  const { json } = await sealRecord(service, 'while reading');
  const button = page.getByRole('button', { name: '1 new entry' });
  await button.waitFor();
  assert.equal(await rows(page).count(), before, 'the list stays');
  await sealRecord(service, 'while reading on');
  await page.getByRole('button', { name: '2 new entries' }).click();
  await page.locator(`#log a[href="/log/${String(json['seq'])}"]`).waitFor();
  assert.equal(await page.locator('[data-live-show]').isVisible(), false);
});
