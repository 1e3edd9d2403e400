// Log, verify and task pages in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { pagesOf, skipsBrowser, testEveryPage } from './browser.ts';
import { explored } from './explorer.ts';

const pages = pagesOf();
const skip = { skip: skipsBrowser };
const verdictOf = (page: Page, within = '') => page.locator(`${within} [data-verdict]`).first();
const stepsOf = async (page: Page, ok: boolean) => {
  const steps = page.locator(`[data-step][data-ok="${ok}"]`);
  return steps.evaluateAll((items) => items.map((item) => item.getAttribute('data-step')));
};

testEveryPage(pages, 'explorer');

test(
  'an entry is hashed, followed to the root and its signature checked in the browser, and all is green',
  skip,
  async (t) => {
    const { seq, attestationId } = await explored(await pages.service());
    for (const ref of [seq, attestationId, 0, 1]) {
      const page = await pages.open(t);
      await page.goto(`/log/${ref}`);
      assert.equal(await verdictOf(page).getAttribute('data-verdict'), 'good', String(ref));
      const good = await stepsOf(page, true);
      for (const step of ['entry', 'id_matches_entry', 'inclusion', 'checkpoint_signature'])
        assert.ok(good.includes(step));
      assert.equal(
        (await page.locator('#entry-result details li').count()) > 0,
        true,
        'the path is shown hash by hash',
      );
      await page.context().close();
    }
  },
);

test('one flipped bit in the served bytes turns the entry red and says where', skip, async (t) => {
  const { attestationId, seq } = await explored(await pages.service());
  const flipped = (text: string) => {
    const bytes = Buffer.from(text, 'base64');
    bytes[40] = (bytes[40] as number) ^ 1;
    return bytes.toString('base64');
  };
  const cases: readonly (readonly [string, (answer: Record<string, unknown>) => object])[] = [
    ['entry', (answer) => ({ entry: flipped(String(answer['entry'])) })],
    [
      'inclusion',
      ({ inclusion }) => {
        const { hashes, ...rest } = inclusion as { hashes: string[] };
        const [first = '', ...others] = hashes;
        const bytes = Buffer.from(first, 'base64');
        bytes[0] = (bytes[0] as number) ^ 1;
        return { inclusion: { ...rest, hashes: [bytes.toString('base64'), ...others] } };
      },
    ],
    ['checkpoint_signature', ({ checkpoint }) => ({ checkpoint: String(checkpoint).replace(/\n(\d+)\n/, '\n1$1\n') })],
  ];
  const page = await pages.open(t);
  for (const [step, lie] of cases) {
    const intercept = async (route: Route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...answer, ...lie(answer) } });
    };
    await page.route(`**/api/attest/verify/${attestationId}`, intercept);
    await page.goto(`/log/${seq}`);
    assert.equal(await verdictOf(page).getAttribute('data-verdict'), 'bad', step);
    const wrong = await stepsOf(page, false);
    assert.ok(
      wrong.includes(step) || (step === 'entry' && wrong.includes('id_matches_entry')),
      `${step}: ${wrong.join()}`,
    );
    await page.unroute(`**/api/attest/verify/${attestationId}`);
  }
});

test('a key that the reader brings is compared, and another key turns everything red', skip, async (t) => {
  const service = await pages.service();
  const { seq } = await explored(service);
  const [vkey = ''] = (await service.call('/api/astralock/sth')).json['vkeys'] as string[];
  const page = await pages.open(t);
  await page.goto(`/log/${seq}`);
  await page.locator('.check-keys > summary').click();
  const says = page.locator('[data-own-key-says]');
  await page.fill('[data-own-key]', vkey);
  assert.equal(await says.textContent(), 'This key matches the page.');
  assert.equal(await verdictOf(page).getAttribute('data-verdict'), 'good');
  await page.fill('[data-own-key]', 'log.example/astralock+2b59a122+AftxvhxfqVayiuqH2Cvv7CbZp13RkKJd+4pckRxJKR7I');
  await page.locator('[data-verdict="bad"]').waitFor();
  assert.match((await says.textContent()) ?? '', /^This key is not on this page/);
});

test('two heads are compared in the browser; a kept checkpoint holds, and a forged one does not', skip, async (t) => {
  const service = await pages.service();
  await explored(service);
  const page = await pages.open(t);
  await page.goto('/log/heads?older=1');
  assert.equal(await verdictOf(page, '#heads-result').getAttribute('data-verdict'), 'good');
  const kept = String((await service.call('/api/astralock/sth')).json['checkpoint']);
  await page.fill('[data-kept]', kept);
  await page.click('[data-check-kept]');
  await page.locator('#kept-result [data-verdict="good"]').waitFor();
  await page.fill('[data-kept]', kept.replace(/\n(\d+)\n/, '\n1\n'));
  await page.click('[data-check-kept]');
  await page.locator('#kept-result [data-verdict="bad"]').waitFor();
  const tampered = async (route: Route) => {
    const response = await route.fetch();
    const heads = (await response.json()) as { hashes: string[] };
    await route.fulfill({ response, json: { ...heads, hashes: heads.hashes.toReversed() } });
  };
  await page.route(
    (url) => url.pathname === '/log/heads',
    (route) => (route.request().resourceType() === 'document' ? route.continue() : tampered(route)),
  );
  await page.goto('/log/heads?older=1');
  await page.locator('#heads-result [data-verdict="bad"]').waitFor();
});

test('without WebCrypto the page says that nothing was checked and how to check it', skip, async (t) => {
  const { seq } = await explored(await pages.service());
  const page = await pages.open(t);
  await page.addInitScript(() => Object.defineProperty(globalThis, 'crypto', { value: {} }));
  await page.goto(`/log/${seq}`);
  assert.equal(await verdictOf(page).getAttribute('data-verdict'), 'unchecked');
  assert.match(await page.locator('.check-command').innerText(), /Check it without this page/);
  const plain = await pages.open(t, { javaScriptEnabled: false });
  await plain.goto(`/log/${seq}`);
  assert.match(await plain.locator('main').innerText(), /needs JavaScript/);
  assert.match(await plain.locator('.check-command pre').first().textContent().then(String), /avouch verify/);
});

test('a new entry appears on the open log page by itself', skip, async (t) => {
  const service = await pages.service();
  await explored(service);
  const page = await pages.open(t);
  await page.goto('/log');
  await page.locator('[data-live-state]', { hasText: /^Live$/ }).waitFor();
  const body = { schema_id: 'record.integrity.v1', claim: { statement: 'while you watch' } };
  const { json } = await service.call('/api/attest/seal', { method: 'POST', body });
  await page.locator(`#log a[href="/log/${String(json['seq'])}"]`).waitFor();
});

test('a search form finds an entry without script', skip, async (t) => {
  const { attestationId, seq } = await explored(await pages.service());
  const page = await pages.open(t, { javaScriptEnabled: false });
  await page.goto('/log');
  await page.fill('#log-q', attestationId);
  await page.click('form[role=search] button');
  await page
    .locator('main')
    .getByRole('link', { name: String(seq), exact: true })
    .first()
    .click();
  assert.match(page.url(), new RegExp(`/log/${seq}$`));
  assert.match(await page.locator('.crumbs').innerText(), new RegExp(`Entry ${seq}$`));
});

/** What the title of a failed check says. */
const FAILING = /\bnot\b|invalid|wrong|missing|removed/;

/** Drops a file anywhere on the page. */
async function drop(page: Page, where: string, text: string): Promise<void> {
  await page.locator(where).evaluate((element, content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'dropped.json'));
    element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, text);
}

test(
  'files are checked without any request: good ones are green, changed ones red, others unknown',
  skip,
  async (t) => {
    const service = await pages.service();
    const { attestationId } = await explored(service);
    const proof = (await service.call(`/api/attest/verify/${attestationId}?format=tlog-proof`)).text;
    const seal = (
      await service.call('/api/attest/seal', {
        method: 'POST',
        body: { schema_id: 'record.integrity.v1', claim: { statement: 'mine' } },
      })
    ).text;
    const lease = (await service.call('/v1/claim?key=receipted&agent=ab&receipt=yes')).text;
    const ledger = (await service.call('/api/attest/ledger')).text;
    const page = await pages.open(t);
    await page.goto('/verify');
    const requests: string[] = [];
    // The browser asks for the icon of a page when it likes.
    page.on('request', (request) => request.url().endsWith('/logo.svg') || requests.push(request.url()));
    const table = [
      ['seal.tlog-proof', proof, 'good'],
      ['changed.tlog-proof', proof.replace(/^index (\d+)$/m, (_line, n) => `index ${Number(n) - 1}`), 'bad'],
      ['seal.json', seal, 'good'],
      ['changed.json', seal.replace('"mine"', '"other"'), 'bad'],
      // Not all of a lease is signed.
      ['receipt.json', lease, 'unchecked'],
      ['changed-receipt.json', lease.replace(/"fence":\d+/g, '"fence":1'), 'bad'],
      ['ledger.json', ledger, 'good'],
      ['nonsense.json', '{"a":"<img src=x onerror=alert(1)>"}', 'bad'],
    ] as const;
    const empty = () => page.locator('#file-result .check-headline').evaluate((headline) => headline.replaceChildren());
    for (const [name, text, verdict] of table) {
      await page.setInputFiles('#proof-file', {
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(text),
      });
      await page.waitForFunction(() => document.querySelector('#file-result [data-verdict]') !== null);
      assert.equal(await verdictOf(page, '#file-result').getAttribute('data-verdict'), verdict, name);
      const wrong = await page.locator('#file-result [data-ok="false"] summary').allTextContents();
      assert.equal(wrong.length > 0, verdict === 'bad', name);
      for (const title of wrong) assert.match(title, FAILING, `${name}: a failed step reads as passed`);
      await empty();
    }
    await drop(page, 'footer', proof);
    await page.locator('#file-result [data-verdict="good"]').waitFor();
    await empty();
    await page.fill('#proof-text', proof);
    await page.click('[data-check-text]');
    await page.locator('#file-result [data-verdict="good"]').waitFor();
    await page.fill('#proof-text', 'hello');
    await page.click('[data-check-text]');
    await page.getByText('This is not a file we can check').waitFor();
    assert.match(await page.locator('#file-result').innerText(), /We read: seal and verify responses/);
    assert.deepEqual(requests, [], 'nothing is sent');
  },
);

test('a task shows its timeline, and its result after the receipt key, without script too', skip, async (t) => {
  const { receiptId, receiptKey } = await explored(await pages.service());
  for (const javaScriptEnabled of [true, false]) {
    const page = await pages.open(t, { javaScriptEnabled });
    await page.goto(`/tasks/${receiptId}`);
    assert.equal(await page.locator('.timeline > li').count(), 6);
    assert.doesNotMatch(await page.locator('main').innerText(), /open bounties/);
    await page.fill('[name=receipt_key]', receiptKey);
    await page.click('main form button');
    const shown = await page.locator('main').innerText();
    assert.match(shown, /open bounties/);
    assert.match(shown, /word:bounties/);
    assert.ok(!page.url().includes(receiptKey));
  }
});
