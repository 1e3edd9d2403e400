/** What can be bought by card; credit is the price. */
export const TIERS = [
  { tier: 'starter', price_eur: 10.0, credit_eur: 10.0, estimated_calls: 'about 500 BoM calculate calls' },
  { tier: 'team', price_eur: 50.0, credit_eur: 50.0, estimated_calls: 'about 2500 BoM calculate calls' },
  { tier: 'fleet', price_eur: 100.0, credit_eur: 100.0, estimated_calls: 'about 5000 BoM calculate calls' },
] as const;
