import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { assetPath, servedAsset } from '#web/assets.ts';
import { tokens } from '#web/tokens.ts';
import { pageHeaders } from '#transport/http/forms.ts';
import { axe, openPage, pageService, skipsBrowser, testEveryPage } from '../support/browser.ts';
import { TestService } from '../support/service.ts';
import { PAGES } from './page-table.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HOME_BYTES = 100_000;
const CSS_BYTES = 20_000;

testEveryPage('public');

test('home is light, and its figures are brought up to date in their place', { skip: skipsBrowser }, async (t) => {
  const page = await openPage(t);
  await page.clock.install();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let transferred = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    transferred += encodedDataLength;
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  assert.ok(transferred > 10_000 && transferred < HOME_BYTES, `${transferred} bytes`);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  t.diagnostic(`home: ${transferred} bytes, first contentful paint after ${Math.round(paint ?? 0)} ms`);
  const below = () => page.locator('.calls').boundingBox();
  const before = await below();
  await page.locator('#live').evaluate((element) => element.setAttribute('data-old', ''));
  await page.clock.runFor(11_000);
  await page.waitForSelector('#live:not([data-old])');
  assert.equal(await page.locator('#live').count(), 1);
  assert.deepEqual(await below(), before, 'nothing moves');
});

test('the copy button takes the command along and says so', { skip: skipsBrowser }, async (t) => {
  const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/');
  const call = page.locator('.call').nth(1);
  await call.getByRole('button', { name: 'Copy' }).click();
  await call.getByRole('button', { name: 'Copied' }).waitFor();
  const taken = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(taken, await call.locator('code').innerText());
  assert.match(taken, /^curl -s 'http/);
});

test('status draws its latencies and shows the same numbers as a table', { skip: skipsBrowser }, async (t) => {
  const page = await openPage(t);
  const { json } = await (await pageService()).call('/system/status');
  const { series } = json['latency_history'] as { series: { values: number[] }[] };
  await page.goto('/system/status');
  await page.waitForSelector('.chart canvas');
  await page.getByText('The same numbers as a table').click();
  assert.ok((await page.locator('main').innerText()).includes(String(series[0]?.values[0])));
});

test('main content can be reached and pages walked with the keyboard alone', { skip: skipsBrowser }, async (t) => {
  const page = await openPage(t);
  await page.goto('/docs');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/./);
});

test('a browser gets a page, everything else JSON, of the same address', async () => {
  const service = await pageService();
  for (const { path, status = 200 } of PAGES.filter(({ group, needs }) => group === 'public' && needs === undefined)) {
    const [page, json] = [
      await service.call(path, { headers: { accept: BROWSER } }),
      await service.call(path, { headers: { accept: '*/*' } }),
    ];
    assert.deepEqual([page.status, json.status], [status, status], path);
    assert.match(page.headers['content-type'] ?? '', /^text\/html/, path);
    assert.match(json.headers['content-type'] ?? '', /^application\/(?:problem\+)?json/, path);
    assert.deepEqual([page.headers.vary, json.headers.vary], ['Accept', 'Accept'], path);
    for (const [name, value] of [
      ['content-security-policy', /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/],
      ['referrer-policy', /^no-referrer$/],
      ['x-content-type-options', /^nosniff$/],
      ['cross-origin-opener-policy', /^same-origin$/],
      ['cross-origin-resource-policy', /^same-origin$/],
    ] as const) {
      assert.match(String(page.headers[name]), value, `${path} ${name}`);
    }
    assert.equal(page.headers['strict-transport-security'], undefined, 'a sandbox may be plain http');
  }
});

test('a page for who asks too often or while the store is away says when to come again', {
  skip: skipsBrowser,
}, async (t) => {
  await using limited = await TestService.start({ env: { AVOUCH_RATE_CROSSING_READ: '1/min,1' } });
  const page = await openPage(t, {}, limited.url);
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

test('production tells browsers to stay on https', () => {
  const headers = pageHeaders({ service: 'Avouch', sandbox: false, baseUrl: () => 'https://a.example' });
  assert.match(String(headers[headers.indexOf('strict-transport-security') + 1]), /^max-age=31536000/);
});

test('/status leads to the page of the state', async () => {
  const answer = await (await pageService()).call('/status');
  assert.deepEqual([answer.status, answer.headers.location], [308, '/system/status']);
});

test('the style sheet is small, and texts stand out from what they stand on', () => {
  const { length = CSS_BYTES } = servedAsset(assetPath('site.css').slice('/assets/'.length))?.bytes ?? {};
  assert.ok(length < CSS_BYTES, `${length} bytes`);
  const named = new Map(tokens().map((token) => [token.name, token]));
  for (const scheme of ['light', 'dark'] as const) {
    const colour = (name: string) => luminance(named.get(name)?.[scheme] ?? '');
    for (const [ink, ground] of [
      ...['ink', 'muted', 'accent', 'good', 'warn', 'bad'].flatMap((name) =>
        ['bg', 'surface', 'sunken'].map((on) => [name, on] as const),
      ),
      ...['good', 'warn', 'bad', 'info'].map((name) => [name, `${name}-bg`] as const),
      ['on-accent', 'accent'] as const,
    ]) {
      const [high, low] = [colour(ink), colour(ground)].toSorted((a, b) => b - a) as [number, number];
      assert.ok((high + 0.05) / (low + 0.05) >= 4.5, `${ink} on ${ground}, ${scheme}`);
    }
  }
});

/** Relative luminance (WCAG 2). */
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('markup is made by the template that escapes: nothing else makes it', () => {
  const folder = new URL('../../src/', import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const makers = files.filter((path) => /new Html\(/.test(readFileSync(join(folder, path), 'utf8')));
  assert.deepEqual(
    makers.filter((path) => !path.endsWith('.test.ts')),
    ['kernel/html.ts'],
  );
});
