import { z } from 'zod';
import { formatMicro, mulDiv, parseMicro } from '#kernel/money.ts';
import { chargeMicro, formatEur } from '#platform/ledger/steps.ts';
import { paidName } from '#web/paid-name.ts';
import { type About, rowOf } from '../about.ts';
import type { Figures } from './product-texts.ts';

const Fee = z.strictObject({ schema_id: z.string(), title: z.string(), fee_eur: z.string() });

export const Pricing = z
  .strictObject({
    free: z.array(z.strictObject({ title: z.string(), what: z.string(), path: z.string() })),
    per_call: z.array(
      z.strictObject({ operation_id: z.string(), title: z.string(), path: z.string(), price_usdc: z.string() }),
    ),
    seals: z.array(Fee).meta({ description: 'Fees for one seal, invoiced. A rejected seal costs nothing.' }),
    tiers: z.array(
      z.strictObject({
        tier: z.string(),
        price_eur: z.string(),
        credit_eur: z.string(),
        calculations: z.int().meta({ description: 'How many bills of materials the credit pays for.' }),
      }),
    ),
    capabilities: z.strictObject({
      count: z.int(),
      markup_pct: z.number(),
      minimum_eur: z.string(),
      embedded: z
        .strictObject({
          count: z.int(),
          examples: z.array(z.strictObject({ title: z.string(), price_eur: z.string() })),
        })
        .meta({ description: 'Capabilities that Avouch runs itself.' }),
      with_model: z
        .array(z.strictObject({ provider_cost_eur: z.string(), price_eur: z.string() }))
        .meta({ description: 'What a call costs whose model costs this much.' }),
    }),
    calculation_eur: z.string().meta({ description: 'One bill-of-materials calculation.' }),
    orders: z.strictObject({
      fee_pct: z.number(),
      minimum_eur: z.string(),
      examples: z.array(z.strictObject({ goods_eur: z.string(), fee_eur: z.string() })),
    }),
  })
  .meta({ id: 'Pricing' });

export type PricingAnswer = z.output<typeof Pricing>;

const FREE = [
  { title: 'Coordination', what: 'look, claim, release, mark, check', path: '/product/coordination' },
  { title: 'Briefs and bounties', what: 'task cards, lint, open bounties', path: '/docs/coordination#briefs' },
  { title: 'Verification', what: 'the public log, every proof and receipt', path: '/verify' },
  { title: 'Mandates', what: 'verify and seal, for platforms and principals', path: '/product/mandates' },
  { title: 'MCP tools', what: 'all public tools, without a key', path: '/product/mcp' },
];

const SEALS: Readonly<Record<string, string>> = {
  'record.integrity.v1': 'A record of yours',
  'vat.vies.v1': 'EU VAT register result',
  'kvk.liveness.v1': 'Dutch business register result',
  'registry.snapshot.v1': 'Snapshot of up to six registers',
};

const WalletTerms = z.looseObject({
  tiers: z.array(z.looseObject({ tier: z.string(), price_eur: z.number(), credit_eur: z.number() })),
  minimum_charge_eur: z.number(),
});
const CapabilityTerms = z.looseObject({ markup_pct: z.number() });
const OrderTerms = z.looseObject({ broker_fee_pct: z.number() });
const CapabilityRow = z.looseObject({
  title: z.string(),
  price: z.looseObject({ embedded_eur: z.string().nullable() }),
});
const Manifest = z.looseObject({ count: z.int(), capabilities: z.array(CapabilityRow) });

const MODEL_COSTS_MICRO = [4_000, 20_000, 100_000];
const GOODS_MICRO = [20_000_000, 250_000_000];

/** Prices for people, from the tables that the economy manifest shows and calls are charged by. */
export function pricingOf(about: About, manifest: object): PricingAnswer {
  const { operations, terms } = about;
  const wallet = WalletTerms.parse(terms['wallet']);
  const capabilities = CapabilityTerms.parse(terms['capabilities']);
  const orders = OrderTerms.parse(terms['orders']);
  const { count, capabilities: listed } = Manifest.parse(manifest);
  const walletEur = (operationId: string) => rowOf(about, operationId)?.walletPrice?.eur ?? '0.00';
  const calculationEur = walletEur('bom_calculate');
  return {
    free: FREE,
    per_call: operations
      .flatMap((row) => {
        const { operationId, path, price } = row;
        return price === null ? [] : { operation_id: operationId, title: paidName(row), path, price_usdc: price.usdc };
      })
      .toSorted((a, b) => Number(a.price_usdc) - Number(b.price_usdc)),
    seals: sealFees(about),
    tiers: wallet.tiers.map(({ tier, price_eur, credit_eur }) => ({
      tier,
      price_eur: price_eur.toFixed(2),
      credit_eur: credit_eur.toFixed(2),
      calculations: Math.floor((credit_eur * 1_000_000) / (parseMicro(calculationEur) ?? Number.POSITIVE_INFINITY)),
    })),
    capabilities: {
      count,
      markup_pct: capabilities.markup_pct,
      minimum_eur: wallet.minimum_charge_eur.toFixed(2),
      embedded: embeddedOf(listed),
      with_model: MODEL_COSTS_MICRO.map((cost) => ({
        provider_cost_eur: formatEur(cost),
        price_eur: formatEur(chargeMicro(cost)),
      })),
    },
    calculation_eur: calculationEur,
    orders: {
      fee_pct: orders.broker_fee_pct,
      minimum_eur: walletEur('create_order'),
      examples: GOODS_MICRO.map((goods) => ({
        goods_eur: formatEur(goods),
        fee_eur: formatEur(mulDiv(goods, orders.broker_fee_pct, 100, 'up')),
      })),
    },
  };
}

function sealFees({ attestationFees }: About): PricingAnswer['seals'] {
  return attestationFees.flatMap(({ schema_id: id, fee_eurocents: cents }) =>
    cents === 0
      ? []
      : { schema_id: String(id), title: SEALS[String(id)] ?? String(id), fee_eur: formatEur(Number(cents) * 10_000) },
  );
}

const MAX_EXAMPLES = 3;

function embeddedOf(listed: z.output<typeof Manifest>['capabilities']) {
  const embedded = listed.flatMap(({ title, price: { embedded_eur: eur } }) =>
    eur === null ? [] : { title, price_eur: eur },
  );
  // One with a cost for each unit has words for its price.
  const priced = embedded.filter(({ price_eur: price }) => parseMicro(price) !== null);
  return { count: embedded.length, examples: priced.slice(0, MAX_EXAMPLES) };
}

/** The figures that texts about products name. */
export function productFigures(about: About, manifest: object): Figures {
  const { operations, terms } = about;
  const prices = operations.flatMap(({ price }) => price?.usdc ?? []);
  return {
    leastUsdc: leastOf(prices),
    leastSealEur: leastOf(sealFees(about).map(({ fee_eur: fee }) => fee)),
    verdicts: prices.length,
    capabilities: Manifest.parse(manifest).count,
    markupPct: CapabilityTerms.safeParse(terms['capabilities']).data?.markup_pct ?? 0,
    orderFeePct: OrderTerms.safeParse(terms['orders']).data?.broker_fee_pct ?? 0,
    tools: about.mcp.tools,
    coordinationTools: about.mcp.coordinationTools,
  };
}

function leastOf(amounts: readonly string[]): string {
  const known = amounts.flatMap((amount) => parseMicro(amount) ?? []);
  return formatMicro(known.length === 0 ? 0 : Math.min(...known));
}
