// Paying in a real browser: a price for people, the checkout of the sandbox, the way back, and a task that was sent as a link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesOf, skipsBrowser } from './browser.ts';
import { newEmail, registered } from '../support/cabinet.ts';
import { registeredAgent } from '../support/topup.ts';

const pages = pagesOf({ opensSettlement: true });
const skip = skipsBrowser;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const VAT = '/v1/eu-vat-check?vat_number=NL000099998B57';

for (const [how, opening] of [
  ['with script', { viewport: DESKTOP }],
  ['without script', { viewport: DESKTOP, javaScriptEnabled: false }],
  ['on a phone', { viewport: PHONE }],
] as const) {
  test(`one click on the price leads to the result and a valid receipt, ${how}`, { skip }, async (t) => {
    const page = await pages.open(t, opening);
    const asked = await page.goto(VAT);
    assert.equal(asked?.status(), 402);
    const price = page.getByRole('heading', { name: 'EU VAT check costs 0.002 USDC' });
    const { y } = (await price.boundingBox()) ?? { y: Number.NaN };
    assert.ok(y < opening.viewport.height, 'the price is on the first screen');
    assert.match(await page.locator('main').innerText(), /vat_number\s+NL000099998B57/);
    if (opening.viewport === DESKTOP) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= 1_400, `${height} px high`);
    }
    const [paid] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Pay 0.002 test USDC and see the result' }).click(),
    ]);
    assert.equal(paid.status(), 200);
    await page.getByText('Receipt valid').waitFor();
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /^EU VAT check: /);
  });
}

test('a call that would be refused says so before its price is paid, and can be corrected', { skip }, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/v1/eu-vat-check?vat_number=12');
  assert.match(await page.locator('.notice').first().innerText(), /This call would be refused/);
  assert.equal(await page.getByRole('button', { name: /Pay/ }).count(), 0);
  await page.getByLabel('VAT number').fill('NL000099998B57');
  await page.getByRole('button', { name: 'Update the request' }).click();
  await page.getByRole('button', { name: 'Pay 0.002 test USDC and see the result' }).waitFor();
});

test('the checkout has one primary button, and its simulations are folded', { skip }, async (t) => {
  const agent = await registeredAgent(await pages.service());
  const path = new URL(String((await agent.topUp()).json['checkout_url'])).pathname;
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await pages.open(t, { viewport });
    await page.goto(path);
    assert.deepEqual(await page.locator('main .button-primary').allInnerTexts(), ['Pay €10.00']);
    assert.equal(await page.locator('details .button').count(), 5);
    assert.equal(await page.getByRole('button', { name: 'Expire' }).isVisible(), false);
    await page.getByText('Simulate a failure').click();
    await page.getByRole('button', { name: 'Expire' }).waitFor();
  }
});

test('a checkout that is cancelled leads back, and can still be paid', { skip }, async (t) => {
  const agent = await registeredAgent(await pages.service());
  const path = new URL(String((await agent.topUp()).json['checkout_url'])).pathname;
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto(path);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/wallet/topups/**');
  assert.match(await page.locator('main').innerText(), /Waiting for your payment/);
  const later = await pages.open(t);
  await later.goto(path);
  await later.getByRole('button', { name: 'Pay €10.00' }).waitFor();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script';
  test(`the way back reaches Credited without a click, ${how}`, { skip }, async (t) => {
    const agent = await registeredAgent(await pages.service());
    const path = new URL(String((await agent.topUp()).json['checkout_url'])).pathname;
    const page = await pages.open(t, { javaScriptEnabled });
    await page.goto(path);
    await page.locator('summary', { hasText: 'Simulate a failure' }).click();
    // Its money comes later, so that the page has to look again.
    await page.getByRole('button', { name: 'Delayed payment', exact: true }).click();
    await page.locator('.step-current', { hasText: 'Paid' }).waitFor();
    await page.getByText('€10.00 was added to the wallet').waitFor();
    assert.equal(await page.locator('.step-done').count(), 3);
    await page.getByRole('link', { name: 'Go to dashboard' }).waitFor();
  });
}

test('who was sent the link of a task reads how it ended, gives the receipt key and sees the result', {
  skip,
}, async (t) => {
  const service = await pages.service();
  const agent = await registered(service, newEmail());
  const body = { agent_id: agent.id, need: 'Check the EU VAT number NL000099998B57' };
  const { json } = await service.call('/do', { method: 'POST', body, headers: { 'x-agent-key': agent.key } });
  for (const opening of [{ viewport: DESKTOP }, { viewport: PHONE, javaScriptEnabled: false }]) {
    const page = await pages.open(t, opening);
    await page.goto(`/tasks/${String(json['receipt_id'])}`);
    assert.doesNotMatch(await page.getByRole('heading', { level: 1 }).innerText(), /_/);
    assert.match(await page.locator('main').innerText(), /Chain intact/);
    assert.equal(await page.getByText('Digests').first().isVisible(), true);
    assert.equal(await page.getByText('Chain hash').first().isVisible(), false);
    await page.getByLabel('Receipt key').fill(String(json['receipt_key']));
    await page.getByRole('button', { name: 'Show request and result' }).click();
    assert.match(await page.locator('main').innerText(), /“Check the EU VAT number NL000099998B57”/);
  }
});
