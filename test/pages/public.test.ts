// What holds for public pages and can be seen without a browser.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { assetPath, servedAsset } from '#web/assets.ts';
import { pageHeaders } from '#transport/http/forms.ts';
import { sharedService } from '../support/shared-service.ts';
import { PAGES } from './page-table.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Compressed, as it is sent. */
const CSS_BYTES = 12_288;
const SCRIPT_BYTES = 4 * 1_024;

test('a browser gets a page, everything else JSON, of the same address', async () => {
  const service = await sharedService();
  const rows = PAGES.filter(
    ({ group, needs, isPageOnly }) => group === 'public' && needs === undefined && isPageOnly !== true,
  );
  for (const { path, status = 200 } of rows) {
    const [page, json] = [
      await service.call(path, { headers: { accept: BROWSER } }),
      await service.call(path, { headers: { accept: '*/*' } }),
    ];
    assert.deepEqual([page.status, json.status], [status, status], path);
    assert.match(page.headers['content-type'] ?? '', /^text\/html/, path);
    assert.match(json.headers['content-type'] ?? '', /^application\/(?:problem\+)?json/, path);
    assert.match(String(page.headers.vary), /^Accept(?:, Accept-Encoding)?$/, path);
    assert.equal(page.headers.vary, json.headers.vary, path);
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

test('production tells browsers to stay on https', () => {
  const headers = pageHeaders({
    service: 'Avouch',
    sandbox: false,
    baseUrl: () => 'https://a.example',
    nowMs: () => 0,
  });
  assert.match(String(headers[headers.indexOf('strict-transport-security') + 1]), /^max-age=31536000/);
});

test('/status leads to the page of the state', async () => {
  const answer = await (await sharedService()).call('/status');
  assert.deepEqual([answer.status, answer.headers.location], [308, '/system/status']);
});

test('the style sheet and the script of every page are small', () => {
  for (const [name, most] of [
    ['site.css', CSS_BYTES],
    ['site.js', SCRIPT_BYTES],
  ] as const) {
    const { length } = gzipSync(servedAsset(assetPath(name).slice('/assets/'.length))?.bytes ?? '');
    assert.ok(length < most, `${name}: ${length} bytes`);
  }
});

test('a script that takes in others takes in each once: no name stands twice in it', () => {
  const folder = new URL('../../src/web/static/', import.meta.url).pathname;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const bytes = servedAsset(assetPath(name).slice('/assets/'.length))?.bytes;
    const text = new TextDecoder().decode(bytes).replaceAll(/^import [^;]*;|^export /gm, '');
    assert.doesNotThrow(() => new Script(text, { filename: name }), name);
  }
});

test('markup is made by the template that escapes: nothing else makes it', () => {
  const folder = new URL('../../src/', import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const makers = files.filter((path) => /new Html\(/.test(readFileSync(join(folder, path), 'utf8')));
  assert.deepEqual(
    makers.filter((path) => !path.endsWith('.test.ts')),
    ['kernel/html.ts'],
  );
});
