// The pages about money, as an owner of agents uses them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { type LoggedIn, loggedIn, newEmail, registered } from '../support/cabinet.ts';
import { pagesOf, skipsBrowser } from './browser.ts';
import { type SpendingAccount, spendingAccount } from './spending-account.ts';

const clock = new ManualClock(Date.now() - 30 * DAY_MS);
const pages = pagesOf({ clock });
const skip = skipsBrowser;
const LAPTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Shown extends SpendingAccount {
  readonly owner: LoggedIn;
}

let made: Promise<Shown> | undefined;

/** Two agents with thirty days of money, made once for the file. */
function account(): Promise<Shown> {
  made ??= (async () => {
    const service = await pages.service();
    const given = await spendingAccount(service, clock, newEmail());
    const owner = await loggedIn(service, given.email);
    for (const { id } of [given.buyer, given.scout]) {
      assert.equal((await owner.post('/cabinet/agents', { agent_id: id, answer: 'accept' })).status, 200);
    }
    return { ...given, owner };
  })();
  return made;
}

async function enter(context: BrowserContext, { cookie }: LoggedIn): Promise<void> {
  const { url } = await pages.service();
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return { name, value, url };
  });
  await context.addCookies(cookies);
}

type Opening = NonNullable<Parameters<typeof pages.open>[1]>;

async function opened(t: Parameters<typeof pages.open>[0], path: string, opening: Opening = {}): Promise<Page> {
  const { owner } = await account();
  const page = await pages.open(t, { viewport: LAPTOP, ...opening });
  await enter(page.context(), owner);
  const answer = await page.goto(path);
  assert.equal(answer?.status(), 200, path);
  return page;
}

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box !== null, `${selector} is shown`);
  return box.y + box.height;
}

async function topOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
}

/** Millionths of an amount as pages write it. */
function micro(text: string): number {
  const sign = text.includes('−') ? -1 : 1;
  return sign * Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 1_000_000);
}

const total = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0);

test('the first screen of the overview shows figures, both charts and the first row of each list', {
  skip,
}, async (t) => {
  const page = await opened(t, '/dashboard');
  assert.equal(await page.locator('.stat').count(), 4);
  for (const selector of [
    '.stats',
    '.overview-spend .chart-box',
    '.overview-balance .chart-box',
    '.agents > li',
    '.recent > li',
  ]) {
    assert.ok((await bottomOf(page, selector)) <= LAPTOP.height, selector);
  }
});

test('alerts come first on the overview and name what to do', { skip }, async (t) => {
  const { scout, owner } = await account();
  const page = await opened(t, `/dashboard?agent_id=${scout.id}`);
  const answer = (await owner.call(`/cabinet?agent_id=${scout.id}`)).json;
  assert.equal(await page.locator('.alerts > .notice').count(), Math.min(3, (answer['alerts'] as unknown[]).length));
  const stranger = await registered(await pages.service(), owner.email, 'not of this owner');
  await page.goto('/dashboard');
  const asked = page.locator('.card', { hasText: 'Is this your agent?' });
  assert.ok((await topOf(page, '.card:has-text("Is this your agent?")')) < (await topOf(page, '.stats')));
  await asked.getByRole('link', { name: 'Not mine…' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click();
  assert.ok(await asked.isVisible(), 'one click refuses nobody');
  await asked.getByRole('button', { name: 'Yes, it is mine' }).click();
  await page.locator('.toast').waitFor();
  await page.locator('.agents', { hasText: 'not of this owner' }).waitFor();
  assert.ok(stranger.id.startsWith('agt_'));
});

test('every amount on the overview leads to the ledger entries behind it', { skip }, async (t) => {
  const page = await opened(t, '/dashboard');
  const amounts = page.locator('main a', { hasText: /^[+−]?€/ });
  const places = await amounts.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(places.length >= 8);
  for (const place of new Set(places)) {
    assert.match(place, /^\/dashboard\/ledger/);
    assert.equal((await page.request.get(place, { headers: { accept: 'text/html' } })).status(), 200, place);
  }
  const loose = await page.locator('.stats, .agents, .recent').evaluateAll(
    (parts) =>
      parts
        .flatMap((part) => [...part.querySelectorAll('*')])
        .filter((one) => one.children.length === 0 && /^[+−]?€[\d.,]+$/.test(one.textContent ?? ''))
        .filter((one) => one.closest('a') === null).length,
  );
  assert.equal(loose, 0);
});

test('on a phone the overview goes from figures to activity, charts and agents', { skip }, async (t) => {
  const page = await opened(t, '/dashboard', { viewport: PHONE });
  const places = [];
  for (const selector of ['.stats', '.overview-recent', '.overview-spend', '.overview-balance', '.overview-agents']) {
    places.push(await topOf(page, selector));
  }
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok((await topOf(page, 'h1')) <= 130);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`${how} script the bars add up to the total and to what the ledger says went out`, { skip }, async (t) => {
    const page = await opened(t, '/dashboard/spend', { javaScriptEnabled });
    const said = micro((await page.locator('.lead').innerText()).split(' ')[0] ?? '');
    const bars = await page
      .locator('svg g[role="img"]')
      .evaluateAll((list) => list.map((bar) => bar.getAttribute('aria-label') ?? ''));
    const ofBars = bars.map((label) => micro(/: (€[\d.,]+)\. /.exec(label)?.[1] ?? ''));
    const ofTable = await page.locator('main > .table-scroll td[data-label="Total"]').allInnerTexts();
    assert.ok(said > 0);
    assert.deepEqual([total(ofBars), total(ofTable.map(micro))], [said, said]);
    const { owner } = await account();
    const { json } = await owner.call('/cabinet/ledger?agent_id=&limit=1000');
    const out = (json['items'] as { amount_eur: string }[])
      .map(({ amount_eur }) => Math.round(Number(amount_eur) * 1_000_000))
      .filter((amount) => amount < 0);
    assert.equal(-total(out), said);
  });
}

test('spending is grouped by kind, agent and capability, and each total leads to its entries', { skip }, async (t) => {
  const page = await opened(t, '/dashboard/spend');
  const totals = () => page.locator('main > .table-scroll td[data-label="Total"]').allInnerTexts();
  const sum = total((await totals()).map(micro));
  for (const group of ['Kind', 'Agent', 'Capability']) {
    await page.getByRole('navigation', { name: 'Group by' }).getByRole('link', { name: group }).click();
    await page.locator('thead', { hasText: group }).first().waitFor();
    assert.equal(total((await totals()).map(micro)), sum, group);
  }
  const [first = ''] = await totals();
  await page.locator('main > .table-scroll td[data-label="Total"] a').first().click();
  const amounts = await page.locator('.ledger td[data-label="Amount"]').allInnerTexts();
  assert.equal(-total(amounts.map(micro)), micro(first));
});

test('a range without spending has an empty state and no axis', { skip }, async (t) => {
  const service = await pages.service();
  const email = newEmail();
  await registered(service, email, 'idle');
  const page = await pages.open(t, { viewport: LAPTOP });
  await enter(page.context(), await loggedIn(service, email));
  await page.goto('/dashboard/spend?days=7');
  assert.match(await page.locator('.empty').innerText(), /No spending in this period/);
  assert.equal(await page.locator('main svg').count(), 0);
});

for (const width of [1040, 390]) {
  test(`no table of the money pages scrolls sideways at ${width} px`, { skip }, async (t) => {
    const page = await opened(t, '/dashboard/ledger', { viewport: { width, height: 900 } });
    for (const path of [
      '/dashboard/ledger',
      '/dashboard/calls',
      '/dashboard/spend',
      '/dashboard/topup',
      '/dashboard',
    ]) {
      await page.goto(path);
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.table-scroll')]
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map((one) => one.className),
      );
      assert.deepEqual(wide, [], path);
    }
  });
}

test('each reference of the ledger leads to a page, and a row opens to its hashes', { skip }, async (t) => {
  const page = await opened(t, '/dashboard/ledger');
  const places = await page
    .locator('.ledger tr:not(.row-details) .id a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(places.length > 5);
  const first = [...new Set(places.map((place) => place.replace(/\?.*/, '')))];
  for (const prefix of first) {
    const place = places.find((one) => one.startsWith(prefix)) ?? '';
    // A top-up of this account was credited without its checkout.
    if (prefix.startsWith('/wallet/')) continue;
    assert.equal((await page.request.get(place, { headers: { accept: 'text/html' } })).status(), 200, place);
  }
  await page.locator('.ledger summary').first().click();
  const details = await page.locator('.ledger details[open]').innerText();
  assert.match(details, /Hash\s+[0-9a-f]{64}/);
  assert.match(details, /Previous hash[\s\S]+Idempotency key[\s\S]+Seal/);
});

test('the ledger is filtered by kind and day in its address, and its CSV has full ids and times', {
  skip,
}, async (t) => {
  const { buyer } = await account();
  const page = await opened(t, '/dashboard/ledger', { javaScriptEnabled: false });
  await page.getByLabel('Kind').selectOption('topup');
  await page.getByRole('button', { name: 'Apply' }).last().click();
  assert.equal(new URL(page.url()).searchParams.get('kind'), 'topup');
  assert.deepEqual(await page.locator('td[data-label="Amount"]').allInnerTexts(), ['+€2.00', '+€10.00']);
  const csv = await page.request.get(
    (await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) ?? '',
  );
  const [head, , row = ''] = (await csv.text()).split('\r\n');
  assert.match(head ?? '', /^agent_id,seq,tx_id,at,kind,ref/);
  assert.match(
    row,
    new RegExp(`^${buyer.id},\\d+,tx_\\w+,\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z,topup,tu_\\w+,10.00,10.00,[0-9a-f]{64}$`),
  );
});

test('calls show what they cost where they happened, with the signs of the ledger', { skip }, async (t) => {
  const page = await opened(t, '/dashboard/calls');
  assert.doesNotMatch(await page.locator('main').innerText(), /\bmoney\b/);
  const paid = page.locator('tr', { has: page.locator('td[data-label="Charge"] a') });
  assert.ok((await paid.count()) > 5);
  for (const row of await paid.all()) {
    assert.match(await row.locator('td[data-label="Operation"]').innerText(), /execute_capability|bom_calculate/);
    assert.match(await row.locator('td[data-label="Charge"]').innerText(), /^−€0\.0[12]$/);
  }
  const [first] = await paid.all();
  const reference = await first?.locator('.id').getAttribute('title');
  await first?.locator('td[data-label="Charge"] a').click();
  const entry = page.locator('.ledger tbody tr').first();
  assert.equal(await entry.locator('.id').getAttribute('title'), reference);
  assert.match(await entry.locator('td[data-label="Amount"]').innerText(), /^−€/);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with' : 'without';
  test(`${how} script failed calls are shown alone, and each code leads to what to do`, { skip }, async (t) => {
    const page = await opened(t, '/dashboard/calls', { javaScriptEnabled });
    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Failed' }).click();
    await page.waitForURL('**status=failed**');
    const statuses = await page.locator('td[data-label="Status"]').allInnerTexts();
    assert.ok(statuses.length >= 2 && statuses.every((status) => Number(status) >= 400), statuses.join());
    for (const failure of await page.locator('details.failure').all()) {
      const code = await failure.locator('summary').innerText();
      await failure.locator('summary').click();
      const link = failure.getByRole('link');
      assert.equal(await link.getAttribute('href'), `/problems/${code}`);
    }
    await page.locator('details.failure a').first().click();
    await page.waitForURL('**/problems/*');
  });
}

test('an agent that was picked is kept from page to page, with and without script', { skip }, async (t) => {
  const { scout } = await account();
  for (const javaScriptEnabled of [true, false]) {
    const page = await opened(t, '/dashboard/spend?days=7', { javaScriptEnabled });
    const picker = page.locator('.side-wide .side-picker');
    await picker.getByLabel('Agent').selectOption(scout.id);
    if (!javaScriptEnabled) await picker.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(`**agent_id=${scout.id}**`);
    assert.equal(new URL(page.url()).searchParams.get('days'), '7');
    const links = await page
      .locator('.side-wide nav a')
      .evaluateAll((list) => list.map((link) => link.getAttribute('href') ?? ''));
    assert.ok(links.length >= 9);
    for (const link of links) {
      assert.ok(link.endsWith(`agent_id=${scout.id}`), link);
      assert.equal((await page.request.get(link, { headers: { accept: 'text/html' } })).status(), 200, link);
    }
  }
});

test('a top-up starts with one form and leads to the payment, whose link has the focus', { skip }, async (t) => {
  const { scout } = await account();
  const page = await opened(t, `/dashboard/topup?agent_id=${scout.id}`);
  assert.equal(await page.locator('.topup-form select').inputValue(), scout.id);
  await page.locator('.tier', { hasText: 'starter' }).click();
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  const link = page.getByRole('link', { name: 'Continue to card payment' });
  await link.waitFor();
  assert.ok(await link.evaluate((one) => one === document.activeElement));
  await link.click();
  await page.getByRole('button', { name: 'Pay €10.00' }).click();
  await page.goto('/dashboard/topup');
  await page.locator('#topups', { hasText: 'Credited' }).waitFor();
});

test('old addresses of the dashboard lead browsers to the new ones', { skip }, async (t) => {
  const page = await opened(t, '/cabinet/spend?days=7');
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/dashboard/spend?days=7');
});
