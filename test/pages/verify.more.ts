// Proofs that the browser checks: the verdict first, failed checks first, nothing that moves, nothing that is sent.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { runCommand } from '../support/command.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { pagesOf, skipsBrowser } from './browser.ts';
import { explored } from './explorer.ts';

const pages = pagesOf();
const skip = { skip: skipsBrowser };
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const MAX_SHIFT = 0.02;
const folder = await temporaryDirectory();
after(() => rm(folder, { recursive: true, force: true }));

const headline = (page: Page) => page.locator('.check-headline [data-verdict]').first();

test('the panel of an entry keeps its height when its verdict comes', skip, async (t) => {
  const { seq } = await explored(await pages.service());
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await pages.open(t, { viewport });
    await page.addInitScript(() => {
      const kept = Object.assign(globalThis, { shift: 0 });
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) kept.shift += (entry as unknown as { value: number }).value;
      });
      observer.observe({ type: 'layout-shift', buffered: true });
    });
    // The answer comes late, so that the page is painted before it.
    await page.route('**/api/attest/verify/**', async (route) => {
      await page.locator('.verdict-pending').waitFor();
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await route.continue();
    });
    for (const path of [`/log/${seq}`, '/log/0', '/log/heads?older=1']) {
      await page.goto(path);
      await headline(page).waitFor();
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const shift = await page.evaluate(() => (globalThis as unknown as { shift: number }).shift);
      assert.ok(shift < MAX_SHIFT, `${path} at ${viewport.width}: ${shift}`);
    }
  }
});

test('a changed byte is announced as a failed verification that names the check first', skip, async (t) => {
  const { seq, attestationId } = await explored(await pages.service());
  const page = await pages.open(t);
  await page.route(`**/api/attest/verify/${attestationId}`, async (route: Route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { entry: string };
    const bytes = Buffer.from(answer.entry, 'base64');
    const at = bytes.indexOf('"sealed_at":"2') + '"sealed_at":"2'.length;
    bytes[at] = (bytes[at] as number) ^ 1;
    await route.fulfill({ response, json: { ...answer, entry: bytes.toString('base64') } });
  });
  await page.goto(`/log/${seq}`);
  await headline(page).waitFor();
  assert.match(await headline(page).innerText(), /^Verification failed: \d+ of \d+ checks/);
  assert.equal(await page.locator('.check-headline').getAttribute('aria-live'), 'polite');
  const first = page.locator('[data-step]').first();
  assert.equal(await first.getAttribute('data-ok'), 'false');
  assert.equal(await first.locator('summary').textContent(), 'Failed: Entry hash does not match the id');
  const checks = await page.locator('[data-step]').evaluateAll((items) => items.map((item) => item.dataset['ok']));
  assert.ok(checks.indexOf('true') > checks.lastIndexOf('false'), 'what failed stands before what passed');
  assert.match(await page.locator('.check-others > summary').innerText(), /^\d other checks? passed/);
});

test('an entry shows only what it has', skip, async (t) => {
  const { seq } = await explored(await pages.service());
  const page = await pages.open(t);
  await page.goto(`/log/${seq}`);
  for (const fold of await page.locator('.fold > summary').all()) await fold.click();
  const shown = await page.locator('.fold').first().innerText();
  assert.match(shown, /Verdict\s+Accepted/);
  assert.doesNotMatch(shown, /Corrects|Follows up|Code|–/);
  assert.match(await page.locator('main').innerText(), /It does not prove that the content is true/);
});

test('on a phone the arrow of a long title stays on its first line', skip, async (t) => {
  const page = await pages.open(t, { viewport: PHONE });
  await page.goto('/log/0');
  const summary = page.locator('.fold > summary', { hasText: 'not independent' });
  const gap = await summary.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const inner = element.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(element).paddingLeft);
    return text.getBoundingClientRect().left - inner;
  });
  assert.ok(gap > 4, `the text begins ${gap} px after the arrow`);
});

test('each check opens to what was compared', skip, async (t) => {
  const { seq, attestationId } = await explored(await pages.service());
  const page = await pages.open(t);
  await page.goto(`/log/${seq}`);
  await headline(page).waitFor();
  const step = page.locator('[data-step="id_matches_entry"]');
  await step.locator('summary').click();
  await step.getByText(attestationId).waitFor();
});

test('without WebCrypto nothing is green', skip, async (t) => {
  const { seq } = await explored(await pages.service());
  const page = await pages.open(t);
  await page.addInitScript(() => Object.defineProperty(globalThis, 'crypto', { value: {} }));
  for (const path of [`/log/${seq}`, '/log/heads', '/verify?example=valid']) {
    await page.goto(path);
    await headline(page).waitFor();
    assert.match(await headline(page).innerText(), /^Not checked/);
    assert.equal(await page.locator('.verdict-good, [data-ok="true"]').count(), 0, path);
  }
});

test('a tampered file is found out from home in three clicks, and no request follows', skip, async (t) => {
  const page = await pages.open(t, { viewport: DESKTOP });
  await page.goto('/');
  await page.locator('.main-nav summary', { hasText: 'Explore' }).click();
  await page.locator('.main-nav').getByRole('link', { name: 'Verify a proof' }).click();
  await page.waitForURL('/verify');
  await page.getByRole('link', { name: 'tampered' }).click();
  await page.waitForURL(/example=tampered/);
  const requests: string[] = [];
  page.on('request', (request) => request.url().endsWith('/logo.svg') || requests.push(request.url()));
  await page.locator('[data-verdict="bad"]').waitFor();
  const shown = await page.locator('#file-result').innerText();
  assert.match(shown, /Verification failed: 2 of \d checks/);
  assert.match(shown, /What this means: the entry was changed after it was sealed/);
  assert.match(shown, /Entry hash does not match the id/);
  assert.doesNotMatch(shown, /Entry hash matches the id/);
  const changed = await page.locator('#proof-text').inputValue();
  await page.fill('#proof-text', changed.replace(/"sealed_at": "\d{4}/, '"sealed_at": "1999'));
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('Verification failed: 3 of').waitFor();
  assert.deepEqual(requests, []);
  await page.getByRole('link', { name: 'valid', exact: true }).click();
  await page.locator('[data-verdict="good"]').waitFor();
  assert.match(await headline(page).innerText(), /^Verified\s/);
});

test('a lease receipt without its response says what was checked and what is needed for the rest', skip, async (t) => {
  const service = await pages.service();
  const body = { key: 'k:receipt-alone', agent: 'a7', mode: 'exclusive', receipt: 'yes' };
  const { json } = await service.call('/v1/claim', { method: 'POST', body });
  const page = await pages.open(t);
  await page.goto('/verify');
  const verify = async (value: unknown) => {
    await page.fill('#proof-text', JSON.stringify(value));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
  };
  await verify(json['receipt']);
  await page.getByText('Signature valid, rest not checked').waitFor();
  assert.match(await headline(page).innerText(), /The lease itself was not checked.*response of \/v1\/claim/);
  await verify(json);
  await page.getByText('Verified in part').waitFor();
});

test('without script the page gives the file and the command, and the command finds it out', skip, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/verify');
  for (const [name, status] of [
    ['tampered', 1],
    ['valid', 0],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.waitForURL(new RegExp(`example=${name}`));
    assert.match(await page.locator('main').innerText(), /Not checked: this page needs JavaScript/);
    assert.equal(await page.getByRole('button', { name: 'Verify', exact: true }).isVisible(), false);
    await page.getByText('Check it without this page').click();
    const commands = await page.locator('.check-command code').innerText();
    const [, vkey = ''] = /\.\/avouch verify seal\.json --vkey '([^']+)'/.exec(commands) ?? [];
    const file = join(folder, `${name}.json`);
    writeFileSync(file, await page.locator('#proof-text').inputValue());
    const { code: exit, stdout } = await runCommand(['verify', file, '--vkey', vkey]);
    assert.equal(exit, status, stdout);
    await page.getByText('Check it without this page').click();
  }
});
