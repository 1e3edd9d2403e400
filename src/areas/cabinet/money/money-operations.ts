import { z } from 'zod';
import { paymentsNotConfigured, processorUnavailable, tooManyTopUps } from '#platform/ledger/problems.ts';
import { CSV } from '#platform/ledger/statement.ts';
import { suspended } from '#kernel/api-key.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from '../examples.json' with { type: 'json' };
import * as fields from '../fields.ts';
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
  examples: recorded(examples.cabinet_overview),
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
  examples: recorded(examples.cabinet_agent),
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
  examples: recorded(examples.cabinet_ledger),
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
  examples: recorded(examples.cabinet_spend),
});

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
  examples: recorded(examples.cabinet_topups),
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
  examples: recorded(examples.cabinet_topup),
});
