import { z } from 'zod';
import { notInstalled } from '#kernel/general-problems.ts';
import { paymentsNotConfigured, processorUnavailable, tooManyTopUps } from '#platform/ledger/problems.ts';
import { CSV } from '#platform/ledger/statement.ts';
import { suspended } from '#kernel/api-key.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from '../examples.json' with { type: 'json' };
import * as fields from '../fields.ts';
import { agentAccepted, agentNotAccepted, notOfAccount } from '../problems.ts';
import { CabinetLedger, CabinetOverview, CabinetSpend, CabinetTopUps, SPEND_GROUPS } from '../shapes.ts';
import { MAX_DAYS } from './daily-totals.ts';
import { ledgerDocument } from './ledger-page.ts';
import { overviewDocument } from './overview-page.ts';
import { spendDocument } from './spend-page.ts';
import { topUpsDocument } from './topup-page.ts';

const { cabinetRead: read, cabinetWrite: write } = fields;
const daysField = z.int().min(1).max(MAX_DAYS).default(30).meta({ description: 'Number of days, including today.' });
const csvField = z.literal('yes').optional().meta({ description: 'Return CSV.' });
const dayField = (description: string) => z.iso.date().or(z.literal('')).optional().meta({ description });

export const overview = defineOperation({
  ...read,
  operationId: 'cabinet_overview',
  path: '/cabinet',
  summary: 'Get the dashboard overview',
  description:
    'Returns balance, holds and available amount for each agent registered with your email address, with spending, balance per day, the newest ledger entries and alerts.',
  input: z.strictObject({ agent_id: fields.oneAgentField, days: daysField }),
  output: CabinetOverview,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: overviewDocument,
  examples: recorded(examples.cabinet_overview),
});

export const answerAgent = defineOperation({
  ...write,
  operationId: 'cabinet_agent',
  path: '/cabinet/agents',
  summary: 'Accept or refuse an agent',
  description:
    'Anyone can register an agent with any email address and choose its name. Until you accept the agent, you cannot top it up from the dashboard. A refused agent is removed from your account.',
  input: z.strictObject({
    csrf: fields.csrfField,
    agent_id: fields.agentIdField,
    answer: z.enum(['accept', 'refuse']).meta({ description: 'Whether the agent is yours.' }),
  }),
  output: CabinetOverview,
  problems: [...fields.WRITE_PROBLEMS, notOfAccount, agentAccepted],
  pages: overviewDocument,
  examples: recorded(examples.cabinet_agent),
});

export const ledgerPage = defineOperation({
  ...read,
  operationId: 'cabinet_ledger',
  path: '/cabinet/ledger',
  summary: 'List ledger entries',
  description:
    'Lists the ledger entries of one agent or all, newest first, of all kinds or one. With csv=yes or Accept: text/csv the same page comes as CSV.',
  input: z.strictObject({
    agent_id: fields.oneAgentField.meta({ description: 'One agent. Empty for all agents; without it, the first one.' }),
    kind: z
      .string()
      .regex(/^[a-z_]{0,40}$/, 'Must be a kind of ledger entry.')
      .optional()
      .meta({ description: 'Only ledger entries of this kind.' }),
    before_seq: z.int().min(1).optional().meta({ description: 'Only ledger entries before this one.' }),
    limit: z.int().min(1).max(1_000).default(50).meta({ description: 'Maximum number of ledger entries.' }),
    capability: z
      .string()
      .regex(/^[\w.-]{0,80}$/, 'Must be the id of a capability.')
      .optional()
      .meta({ description: 'Only charges for this capability.' }),
    from: dayField('Only entries from this UTC day on.'),
    to: dayField('Only entries up to the end of this UTC day.'),
    csv: csvField,
  }),
  otherMediaTypes: [CSV],
  output: CabinetLedger,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: ledgerDocument,
  examples: recorded(examples.cabinet_ledger),
});

export const spendPage = defineOperation({
  ...read,
  operationId: 'cabinet_spend',
  path: '/cabinet/spend',
  summary: 'Get spending per day and capability',
  description:
    'Returns recent charges per UTC day. Amounts are in the order of whats. With csv=yes or Accept: text/csv the days come as CSV.',
  input: z.strictObject({
    agent_id: fields.oneAgentField,
    days: daysField,
    group_by: z.enum(SPEND_GROUPS).default('capability').meta({ description: 'What the amounts are added up by.' }),
    csv: csvField,
  }),
  otherMediaTypes: [CSV],
  output: CabinetSpend,
  problems: [...fields.READ_PROBLEMS, notOfAccount],
  pages: spendDocument,
  examples: recorded(examples.cabinet_spend),
});

export const topUpPage = defineOperation({
  ...read,
  operationId: 'cabinet_topups',
  path: '/cabinet/topup',
  summary: 'List top-ups',
  description:
    'Returns the tiers and the newest top-ups of every agent. The page updates automatically while a top-up is open.',
  input: z.strictObject({}),
  output: CabinetTopUps,
  problems: fields.READ_PROBLEMS,
  pages: topUpsDocument,
  examples: recorded(examples.cabinet_topups),
});

export const startTopUp = defineOperation({
  ...write,
  operationId: 'cabinet_topup',
  path: '/cabinet/topup',
  summary: 'Start a card top-up',
  description: 'Returns the address where a person pays by card. The credit appears within 30 seconds of the payment.',
  input: z.strictObject({
    csrf: fields.csrfField,
    agent_id: fields.agentIdField,
    tier: z
      .enum(['starter', 'team', 'fleet'])
      .meta({ description: 'The tier starter is 10 EUR, team 50 EUR and fleet 100 EUR.' }),
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
    notInstalled,
  ],
  pages: topUpsDocument,
  examples: recorded(examples.cabinet_topup),
});
