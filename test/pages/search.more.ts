import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, pagesOf, skipsBrowser } from './browser.ts';

const pages = pagesOf();
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

test('search: the slash key opens the field, results come while typing, arrows move and Enter opens', {
  skip: skipsBrowser,
}, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/docs');
  await page.keyboard.press('/');
  await page.keyboard.insertText('fencing');
  const list = page.getByRole('listbox', { name: 'Search results' });
  await list.waitFor();
  const options = list.getByRole('option');
  assert.ok((await options.count()) > 2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press('ArrowUp');
  const path = await options.first().getAttribute('data-path');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
});

test('search: Escape closes the results, and Enter without a choice shows all of them', {
  skip: skipsBrowser,
}, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/docs');
  const field = page.locator('.bar > .site-search input');
  await field.fill('lease');
  const list = page.locator('.bar > .site-search .search-hits');
  await list.waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=lease');
  for (const title of ['Pages', 'Docs', 'API operations', 'Problem codes'])
    await page.locator('main').getByRole('heading', { name: title, exact: true }).waitFor();
  assert.ok((await page.locator('main mark').count()) > 3, 'hits are marked');
  await page
    .getByRole('link', { name: /^Show all \d+$/ })
    .first()
    .click();
  await page.waitForURL('**all=docs');
  assert.ok((await page.locator('.search-group li').count()) > 8);
});

test('search: without script the form leads to the results, a problem code and a log entry to their pages', {
  skip: skipsBrowser,
}, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP, javaScriptEnabled: false });
  const search = async (words: string) => {
    await page.goto('/docs');
    const field = page.locator('.bar > .site-search input');
    await field.fill(words);
    await field.press('Enter');
  };
  await search('lease');
  await page.waitForURL('**/search?q=lease');
  await search('held');
  await page.waitForURL('**/problems/held');
  await search('0');
  await page.waitForURL(/\/log\/ATT-/);
});

test('search: no result says so and offers three places to go on, also on a phone', {
  skip: skipsBrowser,
}, async (t) => {
  const page = await pages.open(t, { viewport: PHONE });
  await page.goto('/search?q=zzqx+wvvk');
  await page.getByText('No results for “zzqx wvvk”.').waitFor();
  for (const name of ['Docs', 'Log search', 'Playground'])
    await page.locator('.empty').getByRole('link', { name, exact: true }).waitFor();
  await page.locator('.phone-menu > summary').click();
  const sign = await page
    .locator('.phone-menu .menu-icon')
    .evaluate((icon) => getComputedStyle(icon, '::before').content);
  assert.equal(sign, '"✕"', 'the open menu shows how to close it');
  const field = page.locator('.menu-sheet .site-search input');
  await field.fill('mandate');
  await page.locator('.menu-sheet .search-hits').waitFor();
  const { scrollWidth } = await page.locator('html').evaluate((element) => ({ scrollWidth: element.scrollWidth }));
  assert.ok(scrollWidth <= PHONE.width);
});
