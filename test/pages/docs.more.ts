import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pagesOf, skipsBrowser, testEveryPage } from './browser.ts';

const pages = pagesOf();
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** As far down as a title may begin on a phone under the menu of the documentation. */
const TITLE_Y = 220;

testEveryPage(pages, 'docs');

async function top(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.y ?? Number.POSITIVE_INFINITY;
}

test('docs: at 390 px the title is near the top, and both menus open without script', {
  skip: skipsBrowser,
}, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await pages.open(t, { viewport: PHONE, javaScriptEnabled });
    for (const path of ['/docs/coordination', '/docs/api/claim', '/problems/held']) {
      await page.goto(path);
      assert.ok((await top(page, 'h1')) < TITLE_Y, path);
    }
    await page.goto('/docs/coordination');
    const menu = page.locator('.docs-menu');
    await menu.getByText('Docs menu').click();
    await menu.getByRole('link', { name: 'Proof', exact: true }).click();
    await page.waitForURL('**/docs/proof');
    await page.locator('.contents-menu > summary').click();
    await page.locator('.contents-menu').getByRole('link', { name: 'Witnesses' }).click();
    assert.match(page.url(), /#witnesses$/);
  }
});

test('docs: at 1440 px side navigation, text and contents stand side by side, and the page is marked', {
  skip: skipsBrowser,
}, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/docs/coordination');
  const boxes = await Promise.all(
    ['.docs-wide', '.prose', '.docs-contents nav'].map((name) => page.locator(name).boundingBox()),
  );
  const [side, prose, contents] = boxes;
  assert.ok(side && prose && contents && side.x + side.width <= prose.x && prose.x + prose.width <= contents.x);
  const current = page.locator('.docs-wide [aria-current="page"]');
  assert.equal(await current.innerText(), 'Coordination');
  assert.equal(await page.locator('.docs-menu').isVisible(), false);
});

test('docs: the reading path is walked by its links', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/docs/quickstart');
  await page.locator('.neighbours [rel="next"]').click();
  await page.waitForURL('**/docs/glossary');
  await page.locator('.neighbours [rel="prev"]').click();
  await page.waitForURL('**/docs/quickstart');
  assert.equal(await page.locator('.neighbours [rel="prev"]').count(), 0, 'the first page has none before it');
});

test('docs: a heading shows the link to itself with the keyboard', { skip: skipsBrowser }, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/docs/coordination');
  const anchor = page.locator('#queues .anchor');
  const opacity = () => anchor.evaluate((element) => getComputedStyle(element).opacity);
  assert.equal(await opacity(), '0');
  await anchor.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await opacity(), '1');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#queues$/);
});

test('docs: no page is wider than its window at 1040 and 390 px, nor is one of its tables', {
  skip: skipsBrowser,
}, async (t) => {
  for (const viewport of [{ width: 1040, height: 800 }, PHONE]) {
    const page = await pages.open(t, { viewport });
    for (const path of [
      '/docs',
      '/docs/coordination',
      '/docs/errors',
      '/docs/settings',
      '/docs/api',
      '/docs/api/claim',
      '/protocols/aba-1',
      '/api/attest/schemas',
      '/api/rules-of-engagement',
      '/v1/sanctions/quality',
      '/v1/look?key=acme/repo%2312',
      '/api/attest/ledger',
      '/.well-known/avouch-keys.json',
    ]) {
      await page.goto(path);
      const wide = await page.evaluate(() => {
        const isWide = (element: Element) => element.scrollWidth > element.clientWidth + 1;
        return [document.documentElement, ...document.querySelectorAll('.table-scroll')]
          .filter(isWide)
          .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? ''}`);
      });
      assert.deepEqual(wide, [], `${path} at ${viewport.width} px`);
    }
  }
});

test('a JSON address in a browser leads to the better page, opens its JSON and copies a call', {
  skip: skipsBrowser,
}, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/v1/look?key=acme/repo%2312');
  await page.getByText('Raw JSON').click();
  const raw = await page.locator('.raw-json code').innerText();
  assert.equal((JSON.parse(raw) as { key_given: string }).key_given, 'acme/repo#12');
  await page.getByText('CLI', { exact: true }).click();
  await page.locator('.code-tabs .panel').getByRole('button', { name: 'Copy' }).click();
  await page.locator('.code-tabs').getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^\.\/avouch call look \\\n {2}--key 'acme\/repo#12' \\\n {2}--url http/);
  await page.getByRole('link', { name: 'See it on the board' }).click();
  await page.waitForURL('**/board/**');
});
