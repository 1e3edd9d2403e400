// The status page in a real browser: what is wrong, since when, and the days before.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DAY_MS, HOUR_MS, ManualClock } from '#kernel/clock.ts';
import { RegisterSimulators } from '#sandbox/registers/server.ts';
import { PaidService, START_MS } from '../support/paid-service.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { pagesOf, skipsBrowser } from './browser.ts';
import { axe, DESKTOP, PHONE } from './page-checks.ts';

const pages = pagesOf();
const skip = skipsBrowser;

async function beat({ service, clock }: PaidService, times = 1): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    clock.advance(5_000);
    await service.heartbeat();
  }
}

/** Every component was asked. */
async function checked(paid: PaidService): Promise<void> {
  await until('components that are checked', async () => {
    await beat(paid);
    const { components } = (await paid.service.call('/system/status')).json;
    return (components as { last_check: string | null }[]).every(({ last_check }) => last_check !== null);
  });
}

async function settlementIs(paid: PaidService, state: 'up' | 'down'): Promise<void> {
  paid.chain.isReachable = state === 'up';
  await until(`settlement that is ${state}`, async () => {
    await beat(paid);
    const { components } = (await paid.service.call('/system/status')).json;
    return (components as { id: string; status: string }[]).some(
      ({ id, status }) => id === 'settlement' && status === state,
    );
  });
}

const mainText = (page: Page) => page.locator('main').innerText();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script';
  test(`a visitor sees from the home page in one click that settlement is down, since when, and later for how long it was (${how})`, {
    skip,
  }, async (t) => {
    await using paid = await PaidService.start();
    await checked(paid);
    await settlementIs(paid, 'down');
    const page = await pages.open(t, { javaScriptEnabled, viewport: DESKTOP, of: paid.service.url });
    const startedMs = performance.now();
    await page.goto('/');
    await page.getByRole('banner').getByRole('link', { name: 'Status' }).click();
    await page.getByRole('heading', { level: 1, name: 'Degraded: Settlement is down' }).waitFor();
    t.diagnostic(JSON.stringify({ journey: 'J8', how, clicks: 1, seconds: (performance.now() - startedMs) / 1_000 }));
    assert.match(await page.locator('#now').innerText(), /Settlement since 10:\d\d UTC \(\d+ s\)/);
    assert.match(await page.locator('#now').innerText(), /Paid calls get 503, nothing is charged/);
    const answers = await Promise.all(
      ['/api/v1/health', '/system/status', '/'].map(async (path) => (await paid.service.call(path)).json),
    );
    const [health, status, home] = answers;
    assert.deepEqual(
      [health?.['status'], status?.['status'], (home?.['live'] as Record<string, unknown> | undefined)?.['status']],
      ['degraded', 'degraded', 'degraded'],
    );
    if (javaScriptEnabled) assert.deepEqual(await axe(page), []);

    paid.clock.advance(12 * 60_000);
    await settlementIs(paid, 'up');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'All systems operational' }).waitFor();
    assert.match(await page.locator('#history').innerText(), /15 Nov\s*10:0\d UTC[\s\S]*Settlement down, 12 min/);
    assert.equal(await page.locator('#now').count(), 0);
  });
}

test('components that were not checked yet are named instead of called operational', { skip }, async (t) => {
  await using service = await TestService.start({ clock: new ManualClock(START_MS) });
  const page = await pages.open(t, { of: service.url, viewport: PHONE });
  await page.goto('/system/status');
  assert.equal(await page.locator('h1').innerText(), 'No problems known so far');
  assert.match(await mainText(page), /7 of 9 components checked\. Not checked yet: MCP server, Search\./);
  assert.doesNotMatch(await mainText(page), /All systems operational/);
  await page.goto('/');
  assert.match(await page.locator('#live').innerText(), /^No problems known so far/);
});

test('a register that does not answer is named, and what it means', { skip }, async (t) => {
  const clock = new ManualClock(START_MS);
  await using simulators = await RegisterSimulators.start(() => clock.now());
  simulators.setFault('fsf', '500');
  await using service = await TestService.start({ clock, registerSimulators: { simulators } });
  const page = await pages.open(t, { of: service.url });
  await page.goto('/system/status');
  assert.equal(await page.locator('h1').innerText(), 'Operational, but EU sanctions list (FSF) is down');
  assert.match(await page.locator('#now').innerText(), /Checks that need it get 503, nothing is charged/);
  await page.goto('/');
  const link = page.locator('#live').getByRole('link', { name: 'Operational, but EU sanctions list (FSF) is down' });
  assert.equal(await link.getAttribute('href'), '/system/status');
});

/** Ninety days of calls, of which one day failed. */
async function countedDays(service: TestService): Promise<void> {
  using database = new DatabaseSync(join(service.dataDir, 'avouch.db'));
  const add = database.prepare('INSERT INTO tally (hour, operation, calls, faults) VALUES (?, ?, ?, ?)');
  const today = Math.floor(START_MS / DAY_MS) * (DAY_MS / HOUR_MS);
  for (let day = 1; day < 90; day += 1) add.run(today - day * 24, 'look', 1_000, day === 6 ? 80 : 0);
  add.run(today - 14 * 24 + 3, 'look', 500, 1);
}

test('ninety days are bars without script, and a reader of the screen hears each day', { skip }, async (t) => {
  await using paid = await PaidService.start();
  await countedDays(paid.service);
  await paid.restart();
  const { service } = paid;
  await until('days that are counted', async () => {
    await service.heartbeat();
    return (await service.call('/system/status')).json['availability_by_day'] !== null;
  });
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await pages.open(t, { of: service.url, javaScriptEnabled: false, viewport });
    await page.goto('/system/status');
    const strip = page.getByRole('list', { name: 'Coordination, last 90 days' });
    const days = strip.getByRole('listitem');
    assert.equal(await days.count(), 90);
    assert.equal(await days.nth(83).textContent(), '9 Nov: 92 %');
    assert.match((await days.nth(83).getAttribute('class')) ?? '', /day-bad/);
    assert.equal((await days.nth(75).ariaSnapshot()).trim(), '- listitem: "1 Nov: 99.93 %"');
    assert.match((await days.nth(75).getAttribute('class')) ?? '', /day-warn/);
    assert.equal((await days.nth(89).ariaSnapshot()).trim(), '- listitem: "15 Nov: no calls"');
    const bars = await days.evaluateAll((items) => items.map((item) => item.getBoundingClientRect()));
    assert.ok(
      bars.every(({ width, height }) => width > 1 && height > 5),
      `visible at ${viewport.width}`,
    );
    assert.ok((bars.at(-1)?.right ?? Infinity) <= viewport.width);
    assert.match(await mainText(page), /Coordination\s+99\.9\d? %/);
  }
});

test('the page renews itself: what was opened stays open, and the chart keeps its size', { skip }, async (t) => {
  await using paid = await PaidService.start();
  await checked(paid);
  const page = await pages.open(t, { of: paid.service.url });
  await page.clock.install();
  await page.goto('/system/status');
  await page.locator('#latency > summary').click();
  await page.locator('#latency canvas').waitFor();
  await settlementIs(paid, 'down');
  const renewed = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/system/status');
  await page.clock.runFor(15_000);
  await renewed;
  await page.getByRole('heading', { level: 1, name: 'Degraded: Settlement is down' }).waitFor();
  assert.ok(await page.locator('#latency').evaluate((element) => (element as HTMLDetailsElement).open));
  assert.ok(await page.locator('#latency canvas').isVisible());
  assert.equal(await page.locator('#latency canvas').count(), await page.locator('#latency [data-chart]').count());
});

test('latencies are drawn, and shown as a table', { skip }, async (t) => {
  const page = await pages.open(t);
  const { json } = await (await pages.service()).call('/system/status');
  const { series } = json['latency_history'] as { series: { values: number[] }[] };
  await page.goto('/system/status');
  await page.locator('#latency > summary').click();
  await page.locator('.chart canvas').waitFor();
  assert.doesNotMatch(await page.locator('.chart').first().innerText(), /--/);
  await page.getByText('Show as a table').click();
  assert.ok((await page.locator('#latency-table table').innerText()).includes(String(series[0]?.values[0])));
});
