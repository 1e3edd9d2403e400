import { chargeMicro, formatEur, type Leg, MARKUP_PCT } from '#platform/ledger/steps.ts';

/** What an execution may cost before it runs, or did cost. */
export interface Charge {
  readonly costMicro: number;
  readonly sealFeeMicro: number;
  readonly priceMicro: number;
}

/** Cost plus mark-up, at least the minimum; the fee of seals is added as it is, and no price is above `mostMicro`. */
export function chargeOf(costMicro: number, sealFeeMicro: number, mostMicro = Number.MAX_SAFE_INTEGER): Charge {
  return { costMicro, sealFeeMicro, priceMicro: Math.min(mostMicro, chargeMicro(costMicro) + sealFeeMicro) };
}

/** All legs but the wallet's. What the provider costs beyond the price is ours. */
export function legsOf({ costMicro, sealFeeMicro, priceMicro }: Charge): Leg[] {
  const revenue = priceMicro - sealFeeMicro;
  const covered = Math.min(costMicro, revenue);
  const legs = [
    { account: 'revenue:capability', amountMicro: -revenue },
    { account: 'revenue:seal', amountMicro: -sealFeeMicro },
    { account: 'cost:provider', amountMicro: covered },
    { account: 'expense:overrun', amountMicro: costMicro - covered },
    { account: 'payable:provider', amountMicro: -costMicro },
  ];
  return legs.filter(({ amountMicro }) => amountMicro !== 0);
}

/** How the price came about, as every priced answer shows it. */
export function priceView(charge: Charge, of: { priceTableSha256: string; fx: object | null }) {
  const { costMicro, sealFeeMicro, priceMicro } = charge;
  return {
    provider_cost_eur: formatEur(costMicro),
    fx: of.fx as { pair: string; rate: string; as_of: string } | null,
    markup_pct: MARKUP_PCT,
    minimum_applied: costMicro * (100 + MARKUP_PCT) < chargeMicro(0) * 100,
    seal_fee_eur: formatEur(sealFeeMicro),
    charged_eur: formatEur(priceMicro),
    price_table_sha256: of.priceTableSha256,
  };
}
