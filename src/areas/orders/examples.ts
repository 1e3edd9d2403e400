const AS_OF = '2026-11-15T12:00:00.000Z';

const RECEIPT_EXAMPLE = {
  type: 'avouch.wallet-receipt.v1',
  receipt_id: 'rcp_00000000000000000000000001',
  result_sha256: '5c'.repeat(32),
  signature: 'c2lnbmF0dXJl',
  signer_pubkey: 'cHVibGljIGtleQ==',
};

export const BOM_EXAMPLE = {
  bom: {
    id: 'pcb-7',
    revision: 'B',
    root: 'TOP',
    parts: [
      {
        id: 'TOP',
        make: { lead_days: 3, cost_eur: '1.20', lines: [{ part: 'R1', qty: '4', scrap_pct: '2', setup_qty: '5' }] },
      },
      {
        id: 'R1',
        mpn: 'EX-0603-10K',
        manufacturer: 'EXAMPLE',
        offers: [
          { supplier: 'EXAMPLE-SUPPLY', sku: 'x', stock: 5000, lead_days: 1, breaks: [[1, '0.0100'], [1000, '0.0021']] }, // biome-ignore format: pairs
        ],
      },
    ],
  },
  quantity: '100',
  catalogue: ['inline' as const],
};

export const CALCULATION_EXAMPLE = {
  calculation_id: 'bom_00000000000000000000000001',
  bom_sha256: '3a'.repeat(32),
  lines_sha256: '7e'.repeat(32),
  quantity: '100',
  strategy: 'cost',
  totals: {
    material_eur: '2.10',
    conversion_eur: '120.00',
    excess_eur: '1.2327',
    total_eur: '122.10',
    unit_eur: '1.221',
  },
  lead: { days: 4, critical_path: ['TOP', 'R1'] },
  coverage: { priced: 1, unpriced: 0 },
  fx: {},
  valid_until: '2026-11-16T12:00:00.000Z',
  adapters: [],
  charged_eur: '0.02',
  balance_eur: '9.96',
  sandbox: true,
  receipt: RECEIPT_EXAMPLE,
  buys: [
    {
      excess_qty: '587',
      lead_days: 1,
      mpn: 'EX-0603-10K',
      need: '413',
      offer_as_of: AS_OF,
      order_qty: '1000',
      part: 'R1',
      sku: 'x',
      source: 'inline',
      supplier: 'EXAMPLE-SUPPLY',
      total_eur: '2.10',
      unit_price_eur: '0.0021',
    },
  ],
  flags: [
    { code: 'buy_up', excess_qty: '587', part: 'R1', saving_eur: '2.03' },
    { code: 'single_source', part: 'R1', supplier: 'EXAMPLE-SUPPLY' },
  ],
};

export const ORDER_EXAMPLE = {
  order_id: 'ord_00000000000000000000000001',
  state: 'quoted' as const,
  supplier: 'EXAMPLE-SUPPLY',
  channel: 'adapter' as const,
  calculation_id: 'bom_00000000000000000000000001',
  goods_total_eur: '2.10',
  fee: { pct: 1, fee_eur: '0.021', state: 'none' as const },
  lines: [{ mpn: 'EX-0603-10K', sku: 'x', qty: '1000', unit_price_eur: '0.0021', total_eur: '2.10' }],
  ship_to: { country: 'NL' },
  mandate: null,
  payment: { who: 'buyer to supplier by card', url: null },
  history: [{ state: 'quoted' as const, at: AS_OF, attestation_id: 'ATT-00000000000000000000000001' }],
  expires_at: '2026-11-16T12:00:00.000Z',
  receipt: { ...RECEIPT_EXAMPLE, kind: 'order' },
  sandbox: true,
};
