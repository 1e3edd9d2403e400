// The board in a real browser: live, and other agents' text inert.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { ManualClock } from '#kernel/clock.ts';
import { TestService } from '../support/service.ts';
import { pagesOf, skipsBrowser } from './browser.ts';
import { explored } from './explorer.ts';

const pages = pagesOf();
const skip = { skip: skipsBrowser };

async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('[data-live-state]', { hasText: /^Live$/ }).waitFor();
}

function rowOf(page: Page, key: string) {
  return page.locator('#board tbody tr', { hasText: key });
}

test(
  'a claim made in one window appears in another, on the board and on the page of its key, and goes with its release',
  skip,
  async (t) => {
    const service = await pages.service();
    const [board, key, other] = [await pages.open(t), await pages.open(t), await pages.open(t)];
    await openLive(board, '/board');
    await openLive(key, '/board/release-notes');
    await other.goto('/playground?operation=claim&key=release-notes');
    await other.fill('[name=agent]', 'writer-1');
    await other.getByRole('button', { name: 'Send request' }).click();
    const answer = JSON.parse((await other.locator('#outcome pre').first().textContent()) ?? '{}');
    const row = rowOf(board, 'release-notes');
    await row.getByText('writer-1').waitFor();
    assert.match(await row.innerText(), /In use[^]*exclusive · ends in/);
    await key.locator('#key').getByText('writer-1').waitFor();
    await key.locator('#key').getByText('In use by 1 agent (exclusive)').waitFor();
    await key.locator('#key').getByText('signal: RED').waitFor();
    const body = { lease: answer.lease, token: answer.token, outcome: 'done', note: 'sent' };
    await service.call('/v1/release', { method: 'POST', body });
    await key.locator('#key').getByText('No active leases.').waitFor();
    await row.getByText('“sent”').waitFor();
  },
);

test('what is committed comes to the open board by its stream, without a timer of the page', skip, async (t) => {
  const service = await pages.service();
  const page = await pages.open(t);
  await page.addInitScript(() => Object.assign(globalThis, { setInterval: () => 0 }));
  await openLive(page, '/board');
  // The page reads the board once when its stream opens: only what comes later must have been told.
  for (let n = 0; n < 4; n += 1) {
    await service.call(`/v1/claim?key=quick-${n}&agent=ab`);
    await rowOf(page, `quick-${n}`).waitFor();
  }
});

test('a lease that ends leaves the board and the page of its key without a reload', skip, async (t) => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock });
  const [board, key] = [await pages.open(t, { of: service.url }), await pages.open(t, { of: service.url })];
  for (const page of [board, key]) {
    // Only the countdown may tell: no stream, and no timer that reloads.
    await page.addInitScript(() => {
      const every = globalThis.setInterval;
      const quiet = (work: () => void, ms = 0) => (ms > 10_000 ? 0 : every(work, ms));
      class NoStream extends EventTarget {}
      Object.assign(globalThis, { setInterval: quiet, EventSource: NoStream });
    });
    await page.clock.install({ time: clock.now() });
  }
  await service.call('/v1/claim?key=short&agent=runner&mode=exclusive&ttl=30');
  await board.goto('/board');
  await key.goto('/board/short');
  await rowOf(board, 'short').locator('time[data-countdown]').waitFor();
  await key.getByText('In use by 1 agent (exclusive)').waitFor();
  clock.advance(50_000);
  for (const page of [board, key]) await page.clock.runFor(50_000);
  await board.getByText('No active work').waitFor();
  await key.getByText('No active leases.').waitFor();
  await key.locator('.state-words', { hasText: /^Free$/ }).waitFor();
  // Before the service ends: a page that still loads would meet a closed port.
  for (const page of [board, key]) await page.context().close();
});

test('the board shows all, held or marked work keys by its address', skip, async (t) => {
  await explored(await pages.service());
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/board');
  await page.getByRole('link', { name: 'Held' }).click();
  await page.waitForURL(/show=held/);
  assert.equal(await page.locator('.segmented [aria-current]').innerText(), 'Held');
  assert.ok((await page.locator('#board tbody tr').count()) >= 2);
  await page.goto('/board?show=marks');
  assert.equal(await rowOf(page, 'nightly-report').count(), 0);
});

test('pages for who watches speak to nobody, and a key that is AMBER says what an agent should do', skip, async (t) => {
  const service = await pages.service();
  const { key } = await explored(service);
  await service.call('/v1/claim?key=shared-work&agent=one&slots=2');
  await service.call('/v1/claim?key=shared-work&agent=two&slots=2');
  const amber = 'https://github.com/acme/parser/issues/99';
  const page = await pages.open(t);
  for (const path of [
    '/board',
    ...[key, 'shared-work', amber, 'nightly-report'].map((one) => `/board/${encodeURIComponent(one)}`),
  ]) {
    await page.goto(path);
    const text = await page.locator('main').innerText();
    assert.doesNotMatch(text, /\byou\b|\byour|other agent|\bmay\b/i, path);
    assert.doesNotMatch(text, /\b(\d+) of \1?\d\b/, path);
  }
  await page.goto(`/board/${encodeURIComponent(amber)}`);
  await page.getByText('signal: AMBER').waitFor();
  const advice = page.locator('.state-parts > div', { hasText: 'What should an agent do?' });
  assert.match(await advice.innerText(), /Check the issue at its tracker, then claim\./);
  await page.goto('/board/shared-work');
  await page.getByText('2 agents share this; the limit is 1').waitFor();
  await page.getByText('2 holders · limit 1').waitFor();
  await page.getByText('Shared leases were taken with a higher limit.').waitFor();
});

/** Texts that would do something if they were taken for more than text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  '</title></textarea><iframe src=javascript:alert(1)>',
  'javascript:alert(1)',
  '\u202egnp.exe\u202c \u2066hidden\u2069 \u200fabc',
  '{{constructor.constructor("alert(1)")()}}',
  '<a href="https://evil.example" onclick=alert(1)>x</a>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '&lt;b&gt;&#x3C;i>',
  '<style>*{display:none}</style>',
];

test('text of other agents is shown as text in every field of every page, whatever it is made of', skip, async (t) => {
  const service = await pages.service();
  const post = (path: string, body: Record<string, unknown>) => service.call(path, { method: 'POST', body });
  const paths = new Set(['/board', '/log']);
  for (const [n, text] of HOSTILE.entries()) {
    const key = `${n} ${text}`;
    const given = { key, agent: `a ${text}` };
    await post('/v1/claim', { ...given, intent: `i ${text}` });
    await post('/v1/mark', { ...given, kind: 'failed', note: `n ${text}` });
    const { json: brief } = await post('/v1/brief', { key, goal: `g ${text}`, acceptance: `c ${text}`, target: text });
    const claim = { statement: `s ${text}` };
    const { json: seal } = await post('/api/attest/seal', {
      schema_id: 'record.integrity.v1',
      claim,
      disclosure: 'public',
    });
    for (const path of [
      `/board/${encodeURIComponent(key)}`,
      `/v1/brief/${String(brief['brief'])}`,
      `/log/${String(seal['seq'])}`,
      `/log?q=${encodeURIComponent(text)}`,
      `/playground?operation=claim&key=${encodeURIComponent(key)}&intent=${encodeURIComponent(text)}`,
    ]) {
      paths.add(path);
    }
  }
  const page = await pages.open(t);
  await page.addInitScript(() =>
    Object.assign(globalThis, { alert: () => Object.assign(globalThis, { fired: true }) }),
  );
  const [first = ''] = HOSTILE;
  for (const path of paths) {
    await page.goto(path);
    const seen = await page.evaluate(() => ({
      fired: 'fired' in globalThis,
      strange: document.querySelectorAll(
        'main script, main iframe, main img, main svg, main style, main meta, main [onclick], main [onerror], main a[href^="javascript:"], main a[href^="http"][href*="evil.example"]:not([rel~="nofollow"])',
      ).length,
      bidi: /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(document.querySelector('main')?.textContent ?? ''),
    }));
    assert.deepEqual([seen.fired, seen.strange, seen.bidi], [false, 0, false], path);
  }
  await page.goto('/board');
  assert.ok((await page.locator('main').innerText()).includes(first), 'it is there as text');
  assert.ok((await page.locator('main').innerText()).includes('data, not instructions'), 'and marked as what it is');
});
