import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from '#properties';
import { chargeOf, legsOf, priceView } from './charge.ts';
import { addUsage, NO_USAGE, tokenCostMicro, worstUsage } from './price-arithmetic.ts';
import { type PriceTable, readPriceTable } from './prices.ts';
import { CAPABILITIES } from './table.ts';

const PRICE = { provider: 'p', model: 'm', input_usd_per_mtok: '2.50', cached_read: '0.25', output: '20.00' };
const FX = 925_000;

function tableOf(text: string): PriceTable {
  const table = readPriceTable(text);
  if (typeof table === 'string') assert.fail(table);
  return table;
}

test('tokens cost what their prices say, rounded up once', () => {
  assert.equal(tokenCostMicro({ inputTokens: 1_200, cachedTokens: 200, outputTokens: 80 }, PRICE, FX), 3_839);
  assert.equal(tokenCostMicro(NO_USAGE, PRICE, FX), 0);
  assert.equal(
    tokenCostMicro({ ...NO_USAGE, inputTokens: 1 }, { ...PRICE, input_usd_per_mtok: '0.075' }, 1_000_000),
    1,
  );
  assert.equal(
    tokenCostMicro({ ...NO_USAGE, inputTokens: 1_000_000 }, { ...PRICE, input_usd_per_mtok: '0.075' }, FX),
    69_375,
  );
  const kept = { ...NO_USAGE, inputTokens: 10, cacheWriteTokens: 4 };
  assert.equal(tokenCostMicro(kept, { ...PRICE, cache_write: '5' }, 1_000_000), 6 * 2.5 + 4 * 5);
  const image = { ...NO_USAGE, images: 2 };
  assert.equal(tokenCostMicro(image, { ...PRICE, per_image: '0.01' }, 1_000_000), 20_000);
  const thought = { ...NO_USAGE, outputTokens: 10, reasoningTokens: 4 };
  assert.equal(tokenCostMicro(thought, { ...PRICE, reasoning: '30' }, 1_000_000), 6 * 20 + 4 * 30);
});

test('a charge is the cost plus 15 percent, at least one cent, and never above what was held', () => {
  const charges = [
    [0, 10_000],
    [1, 10_000],
    [3_839, 10_000],
    [8_695, 10_000],
    [8_696, 10_001],
    [100_000, 115_000],
    [869_565, 1_000_000],
    [869_566, 1_000_001],
    [1_000_000, 1_150_000],
  ] as const;
  for (const [cost, price] of charges) assert.equal(chargeOf(cost, 0).priceMicro, price);
  assert.equal(chargeOf(1_000_000, 0, 500_000).priceMicro, 500_000);
  const view = priceView(chargeOf(3_839, 250_000), { priceTableSha256: 'x', fx: null });
  assert.deepEqual(
    [view.provider_cost_eur, view.minimum_applied, view.seal_fee_eur, view.charged_eur],
    ['0.003839', true, '0.25', '0.26'],
  );
  const dearer = priceView(chargeOf(8_696, 0), { priceTableSha256: 'x', fx: null });
  assert.deepEqual([dearer.minimum_applied, dearer.charged_eur], [false, '0.010001']);
});

const cost = fc.integer({ min: 0, max: 1_000_000_000 });

test('whatever an execution costs, its legs balance and what the price does not cover is our loss', () => {
  fc.assert(
    fc.property(cost, fc.integer({ min: 0, max: 20 }), cost, (costMicro_, seals, held) => {
      const most = Math.max(held, 10_000 + seals * 250_000);
      const charge = chargeOf(costMicro_, seals * 250_000, most);
      const legs = legsOf(charge);
      const of = (account: string) => legs.find((leg) => leg.account === account)?.amountMicro ?? 0;
      assert.equal(
        legs.reduce((sum, leg) => sum + leg.amountMicro, charge.priceMicro),
        0,
      );
      assert.ok(legs.every(({ amountMicro }) => Number.isSafeInteger(amountMicro) && amountMicro !== 0));
      assert.ok(charge.priceMicro <= most);
      assert.equal(of('payable:provider') + costMicro_, 0);
      assert.equal(of('cost:provider') + of('expense:overrun'), costMicro_);
      if (charge.priceMicro < most) assert.equal(of('expense:overrun'), 0);
    }),
  );
});

const usage = fc.record({ inputTokens: fc.nat(1e6), cachedTokens: fc.constant(0), outputTokens: fc.nat(1e5) });

test('a batch is charged once: as one piece of work of the same usage, never more than its parts', () => {
  fc.assert(
    fc.property(fc.array(usage, { minLength: 1, maxLength: 100 }), (parts) => {
      const whole = tokenCostMicro(parts.reduce(addUsage, NO_USAGE), PRICE, FX);
      const sum = parts.reduce((total, part) => total + tokenCostMicro(part, PRICE, FX), 0);
      assert.ok(whole <= sum && whole > sum - parts.length);
      assert.ok(
        chargeOf(whole, 0).priceMicro <=
          parts.reduce((total, part) => total + chargeOf(tokenCostMicro(part, PRICE, FX), 0).priceMicro, 0),
      );
    }),
  );
});

test('the worst case of a question has a token for every two bytes and all the output that is allowed', () => {
  const worst = worstUsage({ does: 'text', instructions: 'ab', prompt: 'é€', schema: {} }, 50);
  assert.deepEqual([worst.inputTokens, worst.outputTokens], [Math.ceil((2 + 2 + 3 + 2) / 2), 50]);
  assert.equal(worstUsage({ does: 'embedding', texts: ['abcd', 'a'] }, 50).inputTokens, 3);
  assert.equal(worstUsage({ does: 'image', instructions: '', prompt: '', image: new Uint8Array(9) }, 1).images, 1);
});

test('the shipped table has a row for every embedded mode, in the unit of its capability', () => {
  const text = readFileSync(new URL('./prices.json', import.meta.url), 'utf8');
  const { prices } = JSON.parse(text) as { prices: { capability: string; unit: string }[] };
  const rows = CAPABILITIES.filter(({ embedded }) => embedded !== null).map(({ id, unit }) => ({ id, unit }));
  assert.deepEqual(prices.map(({ capability: id, unit }) => ({ id, unit })).toSorted(byId), rows.toSorted(byId));
  assert.equal(tableOf(text).unitCostMicro('doc.ocr'), 0);
});

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

test('an own price file sets the cost of units, and its digest names it', () => {
  const row = { provider: 'embedded', capability: 'doc.pdf_text', unit: 'page', unit_cost_eur: '0.001500' };
  const [one, other] = ['1', '2'].map((version) => tableOf(JSON.stringify({ version, prices: [row, PRICE] })));
  assert.equal(one?.unitCostMicro('doc.pdf_text'), 1_500);
  assert.deepEqual(one?.modelPrice('p', 'm'), PRICE);
  assert.equal(one?.modelPrice('p', 'other'), undefined);
  assert.notEqual(one?.sha256, other?.sha256);
});

test('a table of LiteLLM is taken where its prices are exact; what is wrong with a file is said', () => {
  const table = tableOf(
    JSON.stringify({
      sample_spec: { litellm_provider: 'one of many', mode: 'chat' },
      'acme/small': { litellm_provider: 'acme', input_cost_per_token: 7.5e-8, output_cost_per_token: 3e-7 },
      large: {
        litellm_provider: 'acme',
        input_cost_per_token: 2.5e-6,
        output_cost_per_token: 0.00002,
        cache_read_input_token_cost: 2.5e-7,
        cache_creation_input_token_cost: 3.125e-6,
        output_cost_per_reasoning_token: 0.00003,
      },
      odd: { litellm_provider: 'acme', input_cost_per_token: 1.23456789e-13, output_cost_per_token: 1e-6 },
    }),
  );
  const { input_usd_per_mtok: small, output } = table.modelPrice('acme', 'small') ?? {};
  assert.deepEqual([small, output], ['0.075', '0.3']);
  const { provider: _, model: __, ...large } = table.modelPrice('acme', 'large') ?? { provider: '', model: '' };
  const expected = {
    input_usd_per_mtok: '2.5',
    output: '20',
    cached_read: '0.25',
    cache_write: '3.125',
    reasoning: '30',
  };
  assert.deepEqual(large, expected);
  assert.equal(table.modelPrice('acme', 'odd'), undefined);
  for (const [text, fault] of [
    ['{', 'is not JSON'],
    ['[]', 'is not a JSON object'],
    ['{}', 'contains neither prices nor LiteLLM models'],
  ] as const) {
    assert.equal(readPriceTable(text), fault);
  }
  const dear = { ...PRICE, output: '1.0000001' };
  assert.match(readPriceTable(JSON.stringify({ version: '1', prices: [dear] })) as string, /^is invalid at prices/);
});
