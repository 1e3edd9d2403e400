import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCT_IDS } from '#areas/discovery/front/product-texts.ts';
import { Product } from '#areas/discovery/front/product.ts';
import { newToken } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { documentTest, expectForms } from '../../support/documents.ts';
import { newDemoKey } from '#areas/discovery/front/product.ts';
import { callTool, toolCallIn, toolsAt } from '../../support/mcp.ts';
import { sharedService } from '../../support/shared-service.ts';

documentTest(
  'product',
  async (service, statuses) => {
    expectProblem(statuses.saw(await service.call('/product/nothing')), 404, 'unknown_product');
    for (const id of PRODUCT_IDS) await expectForms(service, `/product/${id}`, new RegExp(id, 'i'));
  },
  '/product/coordination',
);

test('every product names a limit and a price, and its links lead to pages that exist', async () => {
  const service = await sharedService();
  for (const id of PRODUCT_IDS) {
    const product = Product.parse((await service.call(`/product/${id}`)).json);
    assert.ok(product.limits.length >= 3 && product.price.length > 0, id);
    for (const { path } of product.links.filter((link) => !/^\/(?:start|dashboard)\b/.test(link.path))) {
      const [address = ''] = path.split('#');
      assert.equal((await service.call(address, { headers: { accept: 'text/html' } })).status, 200, path);
    }
  }
});

test('the claim on a page is for a work key of its second, so that an answer that is repeated is the same', async () => {
  const service = await sharedService();
  const { example } = Product.parse((await service.call('/product/coordination')).json);
  assert.match(example.curl, /"key":"demo\/[0-9a-z]+"/);
  assert.equal(newDemoKey(1_000), newDemoKey(1_999));
  assert.notEqual(newDemoKey(1_000), newDemoKey(2_000));
});

test('the MCP tab of a product makes the call of its page, and no tab says that a tool is missing that exists', async () => {
  const service = await sharedService();
  const headers = { 'x-crossing-token': newToken() };
  const answers = await Promise.all(
    (['coordination', 'proof', 'checks'] as const).map(async (id) => {
      const { example } = Product.parse((await service.call(`/product/${id}`)).json);
      const { path, name, arguments: args } = toolCallIn(example.mcp ?? '') ?? { path: '', name: '', arguments: {} };
      const { structuredContent = {} } = await callTool(service, name, args, { path, headers });
      return structuredContent;
    }),
  );
  assert.deepEqual(
    answers.map((answer) => answer['granted'] ?? answer['verdict'] ?? answer['error']),
    [true, 'ACCEPT', 'Payment required'],
  );
  const home = await service.call('/', { headers: { accept: 'text/html' } });
  assert.match(home.text, /\/mcp\/coordination\nx-crossing-token/);
  assert.doesNotMatch(home.text, /There is no MCP tool for this call/);
});

test('the page about MCP counts the tools of the addresses that need no payment', async () => {
  const service = await sharedService();
  const counts = await Promise.all(
    ['/mcp/streamable', '/mcp/coordination'].map(async (path) => (await toolsAt(service, path)).length),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  const { price, gives, limits } = Product.parse((await service.call('/product/mcp')).json);
  assert.ok(price.startsWith(`${total} tools are free.`), price);
  assert.ok(gives.some((text) => text.includes('/mcp/coordination')));
  assert.doesNotMatch(limits.join(' '), /Coordination, sealing and mandates are HTTP calls/);
});
