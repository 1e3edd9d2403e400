// The playground in a real browser, with and without script, and with test money.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, pagesOf, skipsBrowser } from './browser.ts';

/** The chain of the sandbox pays. */
const pages = pagesOf({ opensSettlement: true });
const skip = { skip: skipsBrowser };

interface Shown {
  readonly status: string;
  readonly answer: Record<string, unknown>;
}

async function tried(
  page: Page,
  operation: string,
  fields: Record<string, string>,
  button: string | RegExp = 'Send request',
): Promise<Shown> {
  await page.goto(`/playground?operation=${operation}`);
  const more = page.locator('.more-fields:not([open]) > summary');
  while ((await more.count()) > 0) await more.first().click();
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`.play form [name=${name}]`);
    const kind = await field.first().evaluate((element) => element.getAttribute('type') ?? element.tagName);
    if (kind === 'radio') await page.locator(`[name=${name}][value=${value}]`).check();
    else await (kind === 'SELECT' ? field.selectOption(value) : field.fill(value));
  }
  await page.getByRole('button', { name: button }).click();
  await page.locator('#outcome').waitFor();
  return {
    status: String(await page.locator('#outcome .card-head .badge').textContent()),
    answer: JSON.parse(String(await page.locator('#outcome pre').first().textContent())) as Record<string, unknown>,
  };
}

test('every operation is tried from its form, without script as with it', skip, async (t) => {
  for (const javaScriptEnabled of [false, true]) {
    const page = await pages.open(t, { javaScriptEnabled });
    const key = `form ${javaScriptEnabled}`;
    const claim = await tried(page, 'claim', { key, agent: 'a form', mode: 'exclusive', ttl: '120' });
    assert.deepEqual([claim.status, claim.answer['ttl_s']], ['200', 120]);
    assert.match(await page.locator('.play-side').innerText(), /curl 'http[^']+\/v1\/claim'/);
    const look = await tried(page, 'look', { key });
    assert.deepEqual([look.status, look.answer['signal']], ['200', 'RED']);
    const held = await tried(page, 'claim', { key, agent: 'another', mode: 'exclusive' });
    assert.deepEqual([held.status, held.answer['code']], ['409', 'held']);
    const { lease, token } = claim.answer as { lease: string; token: string };
    const release = await tried(page, 'release', { lease, token, outcome: 'done' });
    assert.deepEqual([release.status, release.answer['released']], ['200', true]);
    assert.equal((await tried(page, 'mark', { key, agent: 'a form', kind: 'note', note: 'seen' })).status, '200');
    assert.equal((await tried(page, 'check', { amount_usd: '2' })).status, '200');
    assert.equal((await tried(page, 'brief_lint', { text: 'Fix the export.\nDone when tests pass.' })).status, '200');
    const claimed = JSON.stringify({ statement: `sealed from a form ${javaScriptEnabled}` });
    const seal = await tried(page, 'attest_seal', { schema_id: 'record.integrity.v1', claim: claimed });
    assert.deepEqual([seal.status, seal.answer['verdict']], ['201', 'ACCEPT']);
    const id = String(seal.answer['attestation_id']);
    const verify = await tried(page, 'attest_verify', { attestation_id: id });
    assert.deepEqual([verify.status, verify.answer['valid']], ['200', true]);
    await page.locator('label', { hasText: /^MCP$/ }).click();
    assert.match(await page.locator('.play-side').innerText(), /mcp\/coordination[^]*avouch_verify/);
  }
});

test('a wrong field is named at the field', skip, async (t) => {
  const page = await pages.open(t);
  const { status } = await tried(page, 'claim', { key: 'k', agent: 'x' });
  assert.equal(status, '400');
  assert.equal(await page.locator('[name=agent]').getAttribute('aria-invalid'), 'true');
  assert.match(String(await page.locator('.field-error').first().textContent()), /at least 2 characters/);
  assert.equal(await page.locator('[name=key]').inputValue(), 'k', 'what was typed stays');
  assert.deepEqual(await axe(page), []);
});

test('a paid call shows its price first, and then test money buys a signed answer', skip, async (t) => {
  const page = await pages.open(t);
  const unpaid = await tried(page, 'spend_fuse', {}, 'See the 402 challenge');
  assert.deepEqual([unpaid.status, unpaid.answer['code']], ['402', 'payment_required']);
  assert.match(await page.locator('#outcome').innerText(), /Nothing was charged/);
  const paid = await tried(page, 'spend_fuse', {}, /^Pay 0\.002 test USDC and run$/);
  assert.equal(paid.status, '200', JSON.stringify(paid.answer));
  assert.ok('receipt' in paid.answer);
  assert.match(await page.locator('#outcome').innerText(), /Paid with test money from\s*0x[^]*10 of 10 checks passed/);
});

test('a language that a call does not have says why when it is chosen by keyboard', skip, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/playground?operation=mark');
  await page.getByRole('radio', { name: 'TypeScript' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.getByRole('radio', { name: 'MCP' }).isChecked());
  assert.ok(await page.getByText('There is no MCP tool for this call.').isVisible());
});

const TWO_SCREENS = 1_800;

test('no answer makes the page taller than two screens, and the answer has the focus', skip, async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await pages.open(t, { viewport: { width: 1440, height: 900 }, javaScriptEnabled });
    const claim = JSON.stringify({ statement: `tall ${javaScriptEnabled}` });
    for (const [operation, fields, button] of [
      ['look', { key: 'tall' }, undefined],
      ['claim', { key: `tall ${javaScriptEnabled}`, agent: 'ab' }, undefined],
      ['claim', { key: 'k', agent: 'x', ttl: '1', slots: '0', brief: 'no', lease: 'no', token: 'no' }, undefined],
      ['mark', { key: 'tall', agent: 'ab', kind: 'note' }, undefined],
      ['attest_seal', { schema_id: 'record.integrity.v1', claim }, undefined],
      ['attest_seal', { schema_id: 'none', claim: '{' }, undefined],
      ['brief_lint', { text: 'Fix the export.' }, undefined],
      ['check', { amount_usd: 'x', value_usd: 'y', p_success: '3' }, undefined],
      ['spend_fuse', {}, 'See the 402 challenge'],
    ] as const) {
      await tried(page, operation, fields, button);
      const name = `${operation} ${JSON.stringify(fields)}`;
      const focused = await page.evaluate(() => document.activeElement?.id);
      assert.equal(focused, 'outcome', name);
      for (const tab of ['JSON', 'Summary']) {
        await page.locator('#outcome label', { hasText: new RegExp(`^${tab}$`) }).click();
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(height <= TWO_SCREENS, `${name}, ${tab}: ${height}`);
      }
    }
  }
});

test('a 400 marks each field, opened or not, and links to it', skip, async (t) => {
  const page = await pages.open(t, { javaScriptEnabled: false });
  const { answer } = await tried(page, 'claim', { key: '', agent: 'x', ttl: '1', slots: '0' });
  const pointers = (answer['errors'] as { pointer: string }[]).map(({ pointer }) => pointer.slice(2));
  assert.deepEqual(pointers.toSorted(), ['agent', 'key', 'slots', 'ttl']);
  for (const name of pointers) {
    const field = page.locator(`[name=${name}]`);
    assert.equal(await field.getAttribute('aria-invalid'), 'true', name);
    assert.ok(await field.isVisible(), name);
    assert.equal(await page.locator(`.error-summary a[href="#field-${name}"]`).count(), 1);
  }
  assert.equal(await page.locator('.error-summary strong').innerText(), '4 fields need attention');
});

test(
  'a claim starts as exclusive, its optional fields closed and empty, and it is released without script',
  skip,
  async (t) => {
    const page = await pages.open(t, { javaScriptEnabled: false });
    await page.goto('/playground?operation=claim');
    assert.equal(await page.locator('[name=mode]:checked').inputValue(), 'exclusive');
    await page.getByText('The API default is shared.').waitFor();
    assert.equal(await page.locator('.more-fields[open]').count(), 0);
    const typed = await page
      .locator('.more-fields input, .more-fields select, .more-fields textarea')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    assert.deepEqual([...new Set(typed)], ['']);
    await page.fill('[name=key]', 'by hand');
    await page.fill('[name=agent]', 'a person');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText(/^Lease granted until \d\d:\d\d UTC \(10 min\)$/).waitFor();
    assert.ok(!page.url().includes('token'));
    await page.getByRole('button', { name: 'Release it' }).click();
    await page.getByText('Lease released').waitFor();
    assert.ok(!page.url().includes('token'), 'the token never stands in the address');
  },
);

test('the example of the paid form ends in GO, and the other one in STOP', skip, async (t) => {
  const page = await pages.open(t);
  await page.goto('/playground?operation=spend_fuse');
  await page.getByRole('link', { name: 'Load an example that ends in STOP' }).click();
  await page.waitForURL(/instruction_source=untrusted/);
  await page.getByRole('button', { name: 'Pay 0.002 test USDC and run' }).click();
  await page.locator('.summary-title', { hasText: /^STOP: \d of 10 checks passed$/ }).waitFor();
});
