import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaygroundAnswer } from './answer.ts';
import { playgroundHtml } from './page.ts';

const paid: PlaygroundAnswer = {
  operations: [{ operation: 'fuse', summary: 'S', price_usdc: '0.002' }],
  chosen: { operation: 'fuse', summary: 'S', description: 'D', price_usdc: '0.002', fields: [] },
  values: {},
  request: { method: 'GET', url: 'https://a.example/', body: null, curl: "curl 'https://a.example/'", mcp: null },
  outcome: null,
};
const site = { service: 'S', baseUrl: () => 'https://a.example', nowMs: () => 0 };

test('only the sandbox has a button that pays', () => {
  assert.match(
    playgroundHtml(paid, { ...site, sandbox: true }),
    /formaction="\/playground\/pay#outcome">Pay 0\.002 test USDC and run</,
  );
  assert.doesNotMatch(playgroundHtml(paid, { ...site, sandbox: false }), /\/playground\/pay|test USDC/);
});

test('a choice says what each of its values means where the description explains them all', () => {
  const kind = { type: 'string', enum: ['done', 'note'], description: 'done: delivered. note: a remark.' };
  const fields = [{ name: 'kind', required: true, schema: kind }];
  const shown = playgroundHtml({ ...paid, chosen: { ...paid.chosen, fields } }, { ...site, sandbox: true });
  assert.match(shown, /<option value="done">done: delivered<\/option><option value="note">note: a remark<\/option>/);
});

test('the code of a paid call says that 402 comes first, and that of a free call does not', () => {
  const note = /curl gets 402 with the price first, 0\.002 USDC.*<a href="\/docs\/payments#how-to-pay">/;
  assert.match(playgroundHtml(paid, { ...site, sandbox: false }), note);
  const free = { ...paid, chosen: { ...paid.chosen, price_usdc: null } };
  assert.doesNotMatch(playgroundHtml(free, { ...site, sandbox: false }), /402/);
});
