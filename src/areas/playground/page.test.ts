import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlaygroundAnswer, playgroundHtml } from './page.ts';

const paid: PlaygroundAnswer = {
  operations: [{ operation: 'fuse', summary: 'S', price_usdc: '0.002' }],
  chosen: { operation: 'fuse', summary: 'S', description: 'D', price_usdc: '0.002', fields: [] },
  values: {},
  request: { method: 'GET', url: 'https://a.example/', body: null, curl: "curl 'https://a.example/'", mcp: null },
  outcome: null,
};

test('only the sandbox has a button that pays', () => {
  const site = { service: 'S', baseUrl: () => 'https://a.example', nowMs: () => 0 };
  assert.match(
    playgroundHtml(paid, { ...site, sandbox: true }),
    /formaction="\/playground\/pay#outcome">Pay 0\.002 test USDC and run</,
  );
  assert.doesNotMatch(playgroundHtml(paid, { ...site, sandbox: false }), /\/playground\/pay|test USDC/);
});
