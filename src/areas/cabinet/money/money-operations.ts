import { z } from 'zod';
import { paymentsNotConfigured, processorUnavailable, tooManyTopUps } from '#platform/ledger/problems.ts';
import { CSV } from '#platform/ledger/statement.ts';
import { suspended } from '#kernel/api-key.ts';
import { defineOperation } from '#kernel/operation.ts';
import * as fields from '../fields.ts';
import { AGENT_ID, AGENTS, EXAMPLE_AT, EXAMPLE_HEAD } from '../fields.ts';
import * as pages from './money-pages.ts';
import { agentAccepted, agentNotAccepted, notOfAccount } from '../problems.ts';
import { CabinetLedger, CabinetOverview, CabinetSpend, CabinetTopUps } from '../shapes.ts';

const { cabinetRead: read, cabinetWrite: write } = fields;

export const overview = defineOperation({
  ...read,
  operationId: 'cabinet_overview',
  path: '/cabinet',
  summary: 'Balances of all agents of an owner, and what needs attention',
  description: 'Posted, held and available for each agent that was registered under the mail address, and alerts.',
  input: z.strictObject({}),
  output: CabinetOverview,
  problems: fields.READ_PROBLEMS,
  pages: pages.overviewDocument,
  examples: [
    {
      name: 'one agent',
      input: {},
      output: {
        ...EXAMPLE_HEAD,
        agents: [
          {
            agent_id: AGENT_ID,
            untrusted_name: 'buyer-7',
            status: 'active',
            owner_verified: true,
            posted_eur: '9.99',
            held_eur: '0.05',
            available_eur: '9.94',
            receivable_eur: '0.00',
            frozen: false,
            live_keys: 1,
            created_at: EXAMPLE_AT,
          },
        ],
        total_available_eur: '9.94',
        alerts: [],
      },
    },
  ],
});

export const answerAgent = defineOperation({
  ...write,
  operationId: 'cabinet_agent',
  path: '/cabinet/agents',
  summary: 'Accept or refuse an agent that was registered under the mail address',
  description:
    'Anybody can register an agent under any address, and chooses its name. Until it is accepted it is in no list of top-ups and gets no money from the cabinet; a refused one leaves the account.',
  input: z.strictObject({
    csrf: fields.csrfField,
    agent_id: fields.agentIdField,
    answer: z.enum(['accept', 'refuse']).meta({ description: 'Whether the agent is yours' }),
  }),
  output: CabinetOverview,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, agentAccepted],
  pages: pages.overviewDocument,
  examples: [
    {
      name: 'refused',
      input: { agent_id: AGENT_ID, answer: 'refuse' },
      output: { ...EXAMPLE_HEAD, agents: [], total_available_eur: '0.00', alerts: [] },
    },
  ],
});

export const ledgerPage = defineOperation({
  ...read,
  operationId: 'cabinet_ledger',
  path: '/cabinet/ledger',
  summary: 'Every movement of a wallet with its running balance',
  description: 'Newest first, of one agent, all kinds or one; with csv=yes or Accept: text/csv the same page as CSV.',
  input: z.strictObject({
    agent_id: fields.agentIdField.optional(),
    kind: z
      .string()
      .regex(/^[a-z_]{0,40}$/, 'must be a kind of movement')
      .optional()
      .meta({ description: 'Only movements of this kind' }),
    before_seq: z.int().min(1).optional().meta({ description: 'Only movements before this one' }),
    limit: z.int().min(1).max(1_000).default(50).meta({ description: 'Most movements of the answer' }),
    csv: z.literal('yes').optional().meta({ description: 'The answer as CSV' }),
  }),
  otherMediaTypes: [CSV],
  output: CabinetLedger,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: pages.ledgerDocument,
  examples: [
    {
      name: 'a top-up',
      input: {},
      output: {
        ...EXAMPLE_HEAD,
        agents: AGENTS,
        agent_id: AGENT_ID,
        kinds: ['topup'],
        kind: null,
        items: [
          {
            seq: 1,
            tx_id: 'tx_0123456789abcdefghjkmnpqrs',
            at: EXAMPLE_AT,
            kind: 'topup',
            ref: 'cs_test_1',
            amount_eur: '10.00',
            balance_after_eur: '10.00',
            hash: '83ed3833547f3897ef0ecfe4a459cd4c28f2b2836a6fea24dd7b0adde3722062',
          },
        ],
        next_before_seq: null,
      },
    },
  ],
});

export const spendPage = defineOperation({
  ...read,
  operationId: 'cabinet_spend',
  path: '/cabinet/spend',
  summary: 'What was spent per day and capability',
  description: 'Charges of the last days by UTC day; amounts stand in the order of whats.',
  input: z.strictObject({
    agent_id: fields.agentIdField
      .or(z.literal(''))
      .optional()
      .meta({ description: 'One agent; without it all together' }),
    days: z.int().min(1).max(90).default(30).meta({ description: 'How many days, today included' }),
  }),
  output: CabinetSpend,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: pages.spendDocument,
  examples: [
    {
      name: 'a day',
      input: { days: 1 },
      output: {
        ...EXAMPLE_HEAD,
        agents: AGENTS,
        agent_id: null,
        from: '2026-11-15',
        to: '2026-11-15',
        whats: ['text.draft'],
        days: [{ day: '2026-11-15', total_eur: '0.01', amounts_eur: ['0.01'] }],
        totals_eur: ['0.01'],
        total_eur: '0.01',
      },
    },
  ],
});

const TIERS = [{ tier: 'starter', price_eur: 10, estimated_calls: 'about 500 BoM calculate calls' }];
const OPEN = {
  topup_id: 'tu_5f1b8c1f3c6a4c0b9d1d',
  agent_id: AGENT_ID,
  tier: 'starter',
  price_eur: 10,
  status: 'open',
  checkout_url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3d4e5f6g7h8i9j0',
  created_at: EXAMPLE_AT,
  credited_at: null,
  review: null,
};
const FUNDED = [{ agent_id: AGENT_ID, untrusted_name: 'buyer-7', available_eur: '9.94' }];

export const topUpPage = defineOperation({
  ...read,
  operationId: 'cabinet_topups',
  path: '/cabinet/topup',
  summary: 'Top-ups and what became of them',
  description: 'The tiers, and the newest top-ups of every agent. The page looks again by itself while one is open.',
  input: z.strictObject({}),
  output: CabinetTopUps,
  problems: fields.READ_PROBLEMS,
  pages: pages.topUpsDocument,
  examples: [
    {
      name: 'none yet',
      input: {},
      output: { ...EXAMPLE_HEAD, agents: FUNDED, tiers: TIERS, topups: [], started: null },
    },
  ],
});

export const startTopUp = defineOperation({
  ...write,
  operationId: 'cabinet_topup',
  path: '/cabinet/topup',
  summary: 'Start a card top-up of a wallet',
  description: 'Answers with the address where a person pays by card; the credit shows within 30 seconds of it.',
  input: z.strictObject({
    csrf: fields.csrfField,
    agent_id: fields.agentIdField,
    tier: z.enum(['starter', 'team', 'fleet']).meta({ description: 'starter 10, team 50 or fleet 100 EUR' }),
  }),
  output: CabinetTopUps,
  problems: [
    ...fields.WRITE_PROBLEMS,
    notOfAccount,
    agentNotAccepted,
    suspended,
    tooManyTopUps,
    processorUnavailable,
    paymentsNotConfigured,
  ],
  pages: pages.topUpsDocument,
  examples: [
    {
      name: 'started',
      input: { agent_id: AGENT_ID, tier: 'starter' },
      output: { ...EXAMPLE_HEAD, agents: FUNDED, tiers: TIERS, topups: [OPEN], started: OPEN },
    },
  ],
});
