// Home, product pages and pricing in a real browser, as somebody sees them who has never heard of the service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { ManualClock } from '#kernel/clock.ts';
import { PRODUCT_IDS } from '#areas/discovery/front/product-texts.ts';
import { ROOT } from '../support/child-service.ts';
import { TestService } from '../support/service.ts';
import { axe, pagesOf, skipsBrowser } from './browser.ts';

/** The chain of the sandbox pays. */
const pages = pagesOf({ opensSettlement: true });
const skip = { skip: skipsBrowser };
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const HOME_BYTES = 60_000;
const SHIFT = 0.02;
const run = promisify(execFile);

interface Shifts {
  shifts?: number;
}

/** Adds up what moved on a page without its reader having done anything. */
async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) (globalThis as Shifts).shifts = ((globalThis as Shifts).shifts ?? 0) + entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
}

test('home: title and first action are in the first viewport, at 1440 and at 390 px', skip, async (t) => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await pages.open(t, { viewport });
    await page.goto('/');
    assert.ok((await bottomOf(page, 'main h1')) < viewport.height);
    assert.ok((await bottomOf(page, '.home-hero .button-primary')) < viewport.height);
    if (viewport === PHONE) assert.ok(((await page.locator('main h1').boundingBox())?.y ?? 999) <= 130);
  }
});

test('home: weighs less than 60 KB over the wire and nothing moves while it loads', skip, async (t) => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await pages.open(t, { viewport });
    await countShifts(page);
    await page.goto('/', { waitUntil: 'networkidle' });
    const transferred = await page.evaluate(() => {
      const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
      return (entries as PerformanceResourceTiming[]).reduce((sum, { transferSize }) => sum + transferSize, 0);
    });
    assert.ok(transferred > 10_000 && transferred < HOME_BYTES, `${transferred} bytes`);
    const shift = await page.evaluate(() => (globalThis as Shifts).shifts ?? 0);
    assert.ok(shift < SHIFT, `${shift} at ${viewport.width} px`);
  }
});

test('home: products are links, and no JSON is shown outside of code', skip, async (t) => {
  const page = await pages.open(t);
  await page.goto('/');
  const cards = page.locator('.product-cards > li > a');
  assert.deepEqual(
    await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    PRODUCT_IDS.map((id) => `/product/${id}`),
  );
  assert.ok((await page.locator('main a').count()) >= 14);
  const text = await page.locator('main').evaluate((main) => {
    const copy = main.cloneNode(true) as Element;
    for (const code of copy.querySelectorAll('code')) code.remove();
    return copy.textContent;
  });
  assert.doesNotMatch(text, /\{"/);
});

test('home: the race shows who got the lease and how long the other waits, without script too', skip, async (t) => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock });
  for (const { viewport, javaScriptEnabled } of [
    { viewport: DESKTOP, javaScriptEnabled: true },
    { viewport: PHONE, javaScriptEnabled: true },
    { viewport: DESKTOP, javaScriptEnabled: false },
  ]) {
    const page = await pages.open(t, { of: service.url, viewport, javaScriptEnabled });
    await page.goto('/');
    await page.getByRole('button', { name: 'Run the race' }).click();
    const race = page.locator('#race');
    await race.getByRole('button', { name: 'Run the race again' }).waitFor();
    assert.match(
      await race.innerText(),
      /200\s+lease L[\w-]{12}, fencing token \d+[\s\S]*409 held\s+refused, wait at most \d+ s/,
    );
    const { pathname, hash } = new URL(page.url());
    assert.deepEqual([pathname, hash], javaScriptEnabled ? ['/', ''] : ['/demo/race', '#race']);
    if (javaScriptEnabled) assert.deepEqual(await axe(page), []);
    clock.advance(5_000);
    await page.context().close();
  }
});

test('home: who runs the race again too soon is told how long to wait, and keeps the result', skip, async (t) => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock });
  assert.equal((await service.call('/demo/race', { method: 'POST', body: {} })).status, 200);
  const page = await pages.open(t, { of: service.url });
  await page.goto('/');
  await page.getByRole('button', { name: 'Run the race' }).click();
  await page.locator('#race').getByText('Wait 5 s, then run it again.').waitFor();
  assert.match(await page.locator('#race').innerText(), /scout-1[\s\S]*scout-2/);
  await page.context().close();
});

test('home: the browser verifies the newest entry, and one flipped bit fails with the steps named', skip, async (t) => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await pages.open(t, { viewport });
    await page.goto('/');
    const card = page.locator('#verify-demo');
    await card.getByRole('button', { name: 'Verify' }).click();
    await page.waitForSelector('#verify-demo[data-verdict=good]');
    const [, counts] = /verified, (.*)/.exec(await card.innerText()) ?? [];
    const entry = await page.context().newPage();
    await entry.goto((await card.getByRole('link', { name: /^Log entry/ }).getAttribute('href')) ?? '');
    await entry.getByText(`${counts}.`).waitFor();
    await entry.close();
    await card.getByRole('button', { name: 'Flip one bit' }).click();
    await page.waitForSelector('#verify-demo[data-verdict=bad]');
    assert.match(
      await card.innerText(),
      /verification failed, \d+ of \d+ checks[\s\S]*Entry hash does not match the id/,
    );
    assert.equal(await card.locator('.badge-good').count(), 0);
  }
});

test('home: without script the proof is a command and a link to its entry', skip, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/');
  const card = page.locator('#verify-demo');
  assert.match(await card.innerText(), /\.\/avouch verify ATT-[A-Z2-7]{52}/);
  assert.equal(await card.getByRole('button', { name: 'Verify' }).isVisible(), false);
  await card.getByRole('link', { name: /^Log entry/ }).click();
  await page.waitForURL(/\/log\/ATT-/);
});

test('home: test money buys a verdict, and the browser checks its receipt', skip, async (t) => {
  const page = await pages.open(t);
  await page.goto('/');
  const card = page.locator('#pay');
  await card.getByRole('button', { name: 'Pay with test money' }).click();
  await card.getByText('receipt, checked in your browser').waitFor();
  assert.match(await card.innerText(), /402[\s\S]*0\.002 USDC[\s\S]*paid[\s\S]*200[\s\S]*VALID[\s\S]*valid/);
  assert.deepEqual(await axe(page), []);
});

test('home: without script the payment ends on the playground with its response', skip, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/');
  await page.getByRole('button', { name: 'Pay with test money' }).click();
  await page.waitForURL(/\/playground\/pay/);
  assert.match(await page.locator('main').innerText(), /VALID/);
});

test(
  'product pages: one title, one first action and limits, and the copied call gives the printed status',
  skip,
  async (t) => {
    const page = await pages.open(t, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const id of PRODUCT_IDS) {
      await page.goto(`/product/${id}`);
      assert.equal(await page.locator('h1').count(), 1, id);
      assert.equal(await page.locator('main .button-primary').count(), 1, id);
      assert.ok(await page.locator('#limits').getByRole('heading', { name: 'Limits' }).isVisible(), id);
      const printed = await page.locator('.product-response .badge').innerText();
      await page.locator('.product-call .panel').first().getByRole('button', { name: /Cop/ }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const { stdout } = await run('sh', ['-c', `${copied} -o /dev/null -w '%{http_code}'`]);
      assert.equal(stdout, printed, `${id}: ${copied}`);
    }
  },
);

test('product pages: the commands and the TypeScript run as printed too', skip, async (t) => {
  const page = await pages.open(t);
  const { dataDir } = await pages.service();
  const env = { ...process.env, DATA_DIR: dataDir };
  for (const id of ['coordination', 'proof', 'checks', 'mandates', 'wallet'] as const) {
    await page.goto(`/product/${id}`);
    const [, typescript = '', , cli = ''] = await page.locator('.product-call .panel').allTextContents();
    const command = cli.replace(/^Copy/, '');
    await run('sh', ['-c', command], { cwd: ROOT, env });
    // Each language makes the call anew: the lease of the command is not the one of the script.
    const script = typescript.replace(/^Copy/, '').replace('scout-1', 'scout-9');
    const ran = await run(process.execPath, ['--input-type=module-typescript', '--eval', script], { cwd: ROOT });
    assert.notEqual(ran.stdout, '', id);
  }
});

test('product pages: the drawing of the lifecycle is readable on a phone', skip, async (t) => {
  const page = await pages.open(t, { viewport: PHONE });
  for (const id of PRODUCT_IDS) {
    await page.goto(`/product/${id}`);
    const { right, height } = await page.locator('svg.lifecycle').evaluate((svg) => ({
      right: svg.getBoundingClientRect().right,
      height: Math.min(...[...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().height)),
    }));
    assert.ok(right <= PHONE.width, `${id} ends at ${right}`);
    assert.ok(height >= 13, `${id} has text ${height} px high`);
  }
});

test('pricing: prices of the page are those of the manifest, and formulas are words', skip, async (t) => {
  const service = await pages.service();
  const economy = (await service.call('/economy/manifest')).json as unknown as {
    verdicts: { operation_id: string; price_usdc: string }[];
    attestation_fees: { schema_id: string; fee_eurocents: number }[];
    wallet: { tiers: { tier: string; price_eur: number }[] };
  };
  const page = await pages.open(t);
  await page.goto('/pricing');
  const shown = new Map(
    await page
      .locator('[data-price]')
      .evaluateAll((all) => all.map((one) => [one.getAttribute('data-price'), one.textContent] as [string, string])),
  );
  for (const { operation_id: id, price_usdc: price } of economy.verdicts) assert.equal(shown.get(id), `${price} USDC`);
  for (const { schema_id: id, fee_eurocents: cents } of economy.attestation_fees) {
    assert.equal(shown.get(id), cents === 0 ? undefined : `€${(cents / 100).toFixed(2)}`, id);
  }
  for (const { tier, price_eur: price } of economy.wallet.tiers) assert.equal(shown.get(tier), `€${price.toFixed(2)}`);
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /_|ceil|max\(/);
});

test('mcp: the page names the endpoint and gives a configuration that works', skip, async (t) => {
  const page = await pages.open(t);
  await page.goto('/mcp');
  assert.match(await page.locator('main').innerText(), /The MCP endpoint is \/mcp\/streamable/);
  const config = JSON.parse(String(await page.locator('main pre').textContent())) as {
    mcpServers: { avouch: { url: string } };
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  assert.equal((await fetch(config.mcpServers.avouch.url, { method: 'POST', headers, body })).status, 200);
});
