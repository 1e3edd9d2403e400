// Pages of the documentation, documents and JSON answers, as far as they need no browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { docsParts, readingPath } from '#areas/discovery/pages/docs-nav.ts';
import { documentation } from '#platform/documentation/documentation.ts';
import { BROWSER } from '../support/documents.ts';
import { sharedService } from '../support/shared-service.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

async function pageAt(path: string): Promise<string> {
  const { status, text, headers } = await (await sharedService()).call(path, { headers: { accept: BROWSER } });
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
  return /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
}

test('every page that README links is served', async () => {
  const names = [...README.matchAll(/\(docs\/([\w-]+)\.md\)/g)].map(([, name = '']) => name);
  assert.ok(names.length > 20);
  for (const name of names) await pageAt(`/docs/${name}`);
});

test('the index shows every page once, in groups of at most eight, each with a short summary', async () => {
  const parts = docsParts();
  const shown = parts.flatMap(({ entries }) => entries.map(({ path }) => path));
  assert.deepEqual(
    shown,
    readingPath().map(({ path }) => path),
  );
  for (const { title, entries } of parts) assert.ok(entries.length <= 8, title);
  for (const { summary, name } of readingPath())
    assert.ok(summary.length >= 40 && summary.length <= 110, `${name}: ${summary.length}`);
  const index = await pageAt('/docs');
  for (const path of shown) assert.ok(index.includes(`href="${path}"`), path);
});

test('links inside the documentation lead to pages and headings that exist', async () => {
  const anchors = new Map<string, ReadonlySet<string>>();
  const pages = new Map<string, string>();
  for (const { path } of readingPath()) {
    const page = await pageAt(path);
    pages.set(path, page);
    anchors.set(path, new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
  }
  for (const [path, page] of pages) {
    for (const [, target = ''] of page.matchAll(/<a [^>]*href="(#[^"]+|\/docs\/[\w-]+#[^"]+)"/g)) {
      const [place = '', anchor = ''] = target.split('#', 2);
      assert.ok(anchors.get(place === '' ? path : place)?.has(anchor), `${path} links to ${target}`);
    }
  }
});

test('previous and next follow the reading path from the first page to the last', async () => {
  const path = readingPath();
  for (const [at, entry] of path.entries()) {
    const page = await pageAt(entry.path);
    assert.equal(/rel="prev" href="([^"]+)"/.exec(page)?.[1], path[at - 1]?.path, entry.path);
    assert.equal(/rel="next" href="([^"]+)"/.exec(page)?.[1], path[at + 1]?.path, entry.path);
    assert.match(page, new RegExp(`href="${entry.path}" aria-current="page"`), entry.path);
  }
});

test('a call in a heading leads to its place in the reference', async () => {
  const page = await pageAt('/docs/architecture');
  assert.match(page, /<h3[^>]*><a href="\/docs\/api#v1claim">POST \/v1\/claim<\/a>/);
  assert.match(await pageAt('/docs/api'), /id="v1claim" href="\/docs\/api\/claim"/);
});

const DOCUMENTS = [
  '/protocols/aba-1',
  '/protocols/aca-1',
  '/protocols/acb-1',
  '/protocols/amh-0',
  '/v1/budget/protocol',
  '/v1/coordination/protocol',
  '/api/attest/schemas',
  '/api/rules-of-engagement',
  '/v1/sanctions/quality',
  '/api/strategy/pillars',
  '/entry',
  '/entry/full',
  '/agent-discovery/onboarding',
  '/coordination/manifest',
  '/economy/manifest',
  '/capabilities/manifest',
];

test('documents have no member name for a heading or column, and say where programs read them', async () => {
  for (const path of DOCUMENTS) {
    const page = await pageAt(path);
    for (const [, title = ''] of page.matchAll(/<(?:h[1-6]|th scope="col")[^>]*>(.*?)<\/(?:h[1-6]|th)>/gs))
      assert.doesNotMatch(title.replaceAll(/<[^>]*>/g, ''), /_/, path);
    assert.match(page, /Machine-readable: <a href="[^"]+format=json">JSON<\/a>/, path);
  }
});

test('the sanctions page says which list is searched and which were used to measure', async () => {
  const page = await pageAt('/v1/sanctions/quality');
  assert.match(page, /searches the EU consolidated financial sanctions list/);
  assert.match(page, /measured on the UN consolidated list and the OFAC SDN list/);
});

const JSON_ADDRESSES = [
  '/v1/look?key=acme/repo%2312',
  '/v1/check?amount_usd=1',
  '/v1/bounties',
  '/api/v1/health',
  '/api/attest/ledger?limit=2',
  '/.well-known/avouch-keys.json',
  '/mcp/tools.json',
  '/api/data/summary',
  '/v1/budget/preview',
  '/api/astralock/sth',
];

test('JSON addresses show a browser their answer, the JSON itself and how to call them; programs get JSON', async () => {
  const service = await sharedService();
  for (const path of JSON_ADDRESSES) {
    const page = await pageAt(path);
    assert.match(page, /<h1>[A-Z]/, path);
    assert.match(page, /<details class="raw-json"><summary>Raw JSON<\/summary>/, path);
    assert.match(page, /data-language="curl"/, path);
    assert.match(page, /class="better-page"><a href="\//, path);
    for (const accept of ['*/*', 'application/json', undefined]) {
      const { headers } = await service.call(path, { headers: accept === undefined ? {} : { accept } });
      assert.equal(headers['content-type'], 'application/json', path);
    }
  }
});

test('the OpenAPI document stays a file, also in a browser', async () => {
  const { headers } = await (await sharedService()).call('/openapi.json', { headers: { accept: BROWSER } });
  assert.equal(headers['content-type'], 'application/json');
});

test('a page of a call does not repeat its secrets in the examples', async () => {
  const service = await sharedService();
  const path = '/v1/claim?key=secretive&agent=a7&token=AAAAAAAAAAAAAAAAAAAAAAAA';
  const { text } = await service.call(path, { headers: { accept: BROWSER } });
  const [, call = ''] = /<h2>Call it<\/h2>(.*)/s.exec(text) ?? [];
  assert.ok(call.includes('secretive') && !call.includes('AAAAAAAAAAAA'));
});

test('a glossary term is explained where a page uses it first', async () => {
  assert.match(await pageAt('/docs/coordination'), /<abbr title="[^"]{20,}">work key<\/abbr>/);
  assert.doesNotMatch(await pageAt('/docs/glossary'), /<abbr/);
  assert.ok(documentation().some(({ name }) => name === 'glossary'));
});
