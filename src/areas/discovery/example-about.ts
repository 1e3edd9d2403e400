import type { About } from './about.ts';
import type { LiveFigures } from './economy.ts';

/** What examples of documents are made from: an installation that offers nothing. */
export const EXAMPLE_ABOUT: About = {
  service: 'Avouch',
  version: '0.2.0',
  baseUrl: 'https://avouch.example',
  sandbox: false,
  operator: { name: 'Example operator', contact: 'https://avouch.example/contact' },
  operations: [],
  versions: { openapi: '1.1.0', x402: 2, mcp: ['2025-11-25'] },
  mcp: { places: [], revisions: ['2025-11-25'], tools: 20, coordinationTools: 7 },
  platformId: 'plt_0123456789abcdefghjkmnpqrs',
  keys: {
    receipt: {
      kid: 'did:web:avouch.example#21fe31dfa154a261',
      public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    },
    log: { vkey: 'avouch.example/astralock+21fe31df+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea' },
    inception: 'ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA',
  },
  limits: [],
  rateClasses: [],
  payment: { protocol: 'x402', version: 2, eip712: { name: 'USD Coin', version: '2' } },
  attestationFees: [],
  terms: {},
  crossing: { lease: {} },
  protocols: [],
  eventDays: 7,
  lessons: null,
  files: {
    verifier: { path: '/verify/avouch-verify.mjs', sha256: '00'.repeat(32) },
    vectors: { path: '/verify/attestation-vectors.json', sha256: '00'.repeat(32) },
  },
};

export const EXAMPLE_FIGURES: LiveFigures = {
  as_of: '2026-11-15T01:00:00.000Z',
  calls_24h: 1_200,
  paid_calls_total: 12,
  settled_usdc_total: '0.36',
  refunds_due: 0,
  unknown_settlements: 0,
  log_entries_total: 340,
  seals_total: 210,
  rejects_total: 4,
  refusals_total: 2,
  open_tasks: 3,
  seals_today: 12,
};
