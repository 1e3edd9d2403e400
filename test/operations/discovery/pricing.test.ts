import assert from 'node:assert/strict';
import { Pricing } from '#areas/discovery/front/pricing.ts';
import { documentTest } from '../../support/documents.ts';

interface Economy {
  readonly verdicts: readonly { readonly operation_id: string; readonly price_usdc: string }[];
  readonly attestation_fees: readonly { readonly schema_id: string; readonly fee_eurocents: number }[];
  readonly wallet: {
    readonly tiers: readonly { readonly tier: string; readonly price_eur: number }[];
    readonly minimum_charge_eur: number;
  };
  readonly capabilities: { readonly markup_pct: number };
  readonly orders: { readonly broker_fee_pct: number };
}

documentTest('pricing', async (service, _statuses, { json }) => {
  const pricing = Pricing.parse(json);
  const economy = (await service.call('/economy/manifest')).json as unknown as Economy;
  const byId = <T>(entries: readonly (readonly [string, T])[]) =>
    new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  assert.deepEqual(
    byId(pricing.per_call.map(({ operation_id: id, price_usdc: price }) => [id, price])),
    byId(economy.verdicts.map(({ operation_id: id, price_usdc: price }) => [id, price])),
  );
  assert.deepEqual(
    byId(pricing.seals.map(({ schema_id: id, fee_eur: fee }) => [id, Number(fee)])),
    byId(
      economy.attestation_fees
        .filter(({ fee_eurocents: cents }) => cents > 0)
        .map(({ schema_id: id, fee_eurocents: cents }) => [id, cents / 100]),
    ),
  );
  assert.deepEqual(
    pricing.tiers.map(({ tier, price_eur: price }) => [tier, Number(price)]),
    economy.wallet.tiers.map(({ tier, price_eur: price }) => [tier, price]),
  );
  assert.deepEqual(
    pricing.tiers.map(({ calculations }) => calculations),
    [500, 2_500, 5_000],
  );
  assert.equal(Number(pricing.capabilities.minimum_eur), economy.wallet.minimum_charge_eur);
  assert.equal(pricing.capabilities.markup_pct, economy.capabilities.markup_pct);
  assert.equal(pricing.orders.fee_pct, economy.orders.broker_fee_pct);
  for (const { title, path } of pricing.per_call) {
    const { text } = await service.call(path, { headers: { accept: 'text/html' } });
    assert.ok(text.includes(`<h1>${title} costs `), `${path}: ${/<h1>[^<]*/.exec(text)?.[0]}`);
  }
});
