import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXAMPLE_HOME, homeHtml, WHY_NOT } from './home.ts';

const site = { service: 'S', baseUrl: () => 'https://a.example', nowMs: () => 0 };

test('the comparison with other ways is the one of README.md', () => {
  const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');
  for (const row of WHY_NOT) assert.ok(readme.includes(`| ${row.join(' | ')} |`), row[0]);
});

test('production shows a recorded verdict with its day, and takes no test money', () => {
  const production = homeHtml({ ...EXAMPLE_HOME, sandbox: false }, { ...site, sandbox: false });
  assert.match(production, /Recorded on 15 Nov 2026/);
  assert.doesNotMatch(production, /test money|\/playground\/pay/);
  assert.match(homeHtml(EXAMPLE_HOME, { ...site, sandbox: true }), /action="\/playground\/pay#outcome"/);
});

test('a log that cannot be read leaves the page without its proof', () => {
  const page = homeHtml({ ...EXAMPLE_HOME, demos: { ...EXAMPLE_HOME.demos, entry: null } }, { ...site, sandbox: true });
  assert.match(page, /cannot be read right now/);
  assert.doesNotMatch(page, /data-verify/);
});
