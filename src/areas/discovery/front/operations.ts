import { malformedJson, notOffered } from '#kernel/general-problems.ts';
import { z } from 'zod';
import { DOCUMENT_ROW, OPEN_ROW } from '#kernel/document-row.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { defineOperation } from '#kernel/operation.ts';
import { unknownProduct } from '../problems.ts';
import { EXAMPLE_HOME, Home, homeHtml, type HomeAnswer } from '../pages/home.ts';
import { Pricing } from './pricing.ts';
import { pricingPages } from './pricing-page.ts';
import { Product } from './product.ts';
import { productPages } from './product-page.ts';
import { Race } from './race.ts';

const shared = { ...DOCUMENT_ROW, tag: 'pages' } as const;
const FORMS = 'Returns JSON by default. For HTML or Markdown, use Accept, ?format= or .md at the end of the path.';

export const pricingPage = defineOperation({
  ...shared,
  operationId: 'pricing',
  services: 'all',
  path: '/pricing',
  summary: 'Prices for people',
  description: `Lists what is free and what costs money, with computed examples. The economy manifest has the same prices for machines. ${FORMS}`,
  input: z.strictObject({}),
  output: Pricing,
  pages: pricingPages,
  examples: [
    {
      name: 'pricing',
      input: {},
      output: {
        free: [{ title: 'Coordination', what: 'look, claim, release, mark, check', path: '/product/coordination' }],
        per_call: [
          { operation_id: 'eu_vat_check', title: 'EU VAT check', path: '/v1/eu-vat-check', price_usdc: '0.002' },
        ],
        seals: [{ schema_id: 'record.integrity.v1', title: 'A record of yours', fee_eur: '0.25' }],
        tiers: [{ tier: 'starter', price_eur: '10.00', credit_eur: '10.00', calculations: 500 }],
        capabilities: {
          count: 15,
          markup_pct: 15,
          minimum_eur: '0.01',
          embedded: { count: 13, examples: [{ title: 'Redact personal data', price_eur: '0.01' }] },
          with_model: [{ provider_cost_eur: '0.02', price_eur: '0.023' }],
        },
        calculation_eur: '0.02',
        orders: { fee_pct: 1, minimum_eur: '0.01', examples: [{ goods_eur: '20.00', fee_eur: '0.20' }] },
      },
    },
  ],
});

export const productPage = defineOperation({
  ...OPEN_ROW,
  tag: 'pages',
  // The call on the page is new each time.
  cache: 'no-store',
  operationId: 'product',
  path: '/product/{product}',
  summary: 'Get a product page',
  description: `Returns what a product is for, a call that runs as printed, what it does not do and what it costs. ${FORMS}`,
  input: z.strictObject({
    product: z.string().max(40).meta({ description: 'One of coordination, proof, checks, mandates, wallet and mcp.' }),
  }),
  output: Product,
  problems: [unknownProduct, notOffered],
  pages: productPages,
  examples: [
    {
      name: 'coordination',
      input: { product: 'coordination' },
      output: {
        id: 'coordination',
        title: 'Coordination',
        tagline: 'Agents that ask first do not do the same work twice.',
        problem: 'Two agents read the same issue list.',
        steps: [{ name: 'Look', what: 'Check whether the work is free.' }],
        example: {
          status: 200,
          curl: "curl -s 'https://avouch.example/v1/look?key=demo/1'",
          typescript: null,
          mcp: null,
          cli: null,
          response: { fence: 1 },
          note: null,
        },
        gives: ['A fencing token that only grows.'],
        limits: ['An agent name is not an identity.'],
        price: 'Free, without an account.',
        links: [{ path: '/docs/coordination', label: 'Docs' }],
      },
    },
  ],
});

const RaceAnswer = z
  .strictObject({ race: Race, home: Home.meta({ description: 'The home page, on which the race is shown.' }) })
  .meta({ id: 'DemoRace' });

export const demoRace = defineOperation({
  operationId: 'demo_race',
  tag: 'pages',
  method: 'post',
  path: '/demo/race',
  summary: 'Let two agents claim the same work',
  description:
    'Sends two exclusive claims for a new work key at the same moment. One gets the lease, the other is refused. The lease expires after 30 seconds. One run every 5 seconds from an address.',
  input: z.strictObject({}),
  output: RaceAnswer,
  takesForm: true,
  effects: true,
  access: 'none',
  price: null,
  rate: 'crossing-write',
  cache: 'no-store',
  problems: [malformedJson],
  pages: {
    html: ({ home, race }: { home: HomeAnswer; race: z.output<typeof Race> }, site) => homeHtml(home, site, race),
    markdown: ({ race }) => documentMarkdown(race, 'Two agents, one work key'),
  },
  examples: [
    {
      name: 'race',
      input: {},
      output: {
        race: {
          key: 'demo/8fK2mQ0xYz',
          mode: 'exclusive',
          ttl_s: 30,
          claims: [
            { agent: 'scout-2', status: 200, code: null, lease: 'LAAAAAAABgIEz', fence: 41, wait_s: null },
            { agent: 'scout-1', status: 409, code: 'held', lease: null, fence: 41, wait_s: 45 },
          ],
        },
        home: EXAMPLE_HOME,
      },
    },
  ],
});
