import { z } from 'zod';
import { registrationsExceeded, suspended } from '#kernel/api-key.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { cleanedText, plainText } from '#kernel/text-field.ts';
import { IDEMPOTENCY_PROBLEMS } from '#platform/ledger/answers.ts';
import { READ_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { notInstalled } from '#kernel/general-problems.ts';
import { paymentsNotConfigured, processorUnavailable, tooManyTopUps } from '#platform/ledger/problems.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import examples from '../examples.json' with { type: 'json' };
import { agentIdField, csrfField, emailField, eur } from '../fields.ts';
import * as problems from '../problems.ts';
import { calledHtml, registeredHtml, startHtml, startRefusedHtml, topUpHtml } from './start-page.ts';

const TITLE = 'Get started';
const shared = { tag: 'cabinet', access: 'none', price: null, cache: 'no-store' } as const;
const write = { ...shared, method: 'post', effects: true, takesForm: true, checksOrigin: true } as const;
const markdown = (output: object) => documentMarkdown(output, TITLE);

export const StartView = z
  .strictObject({
    step: z.int().meta({ description: '1: register an agent. 4: add money to it.' }),
    register: z.string().meta({ description: 'Where a program registers an agent.' }),
    email: z.string().nullable().meta({ description: 'Who is signed in.' }),
    csrf: z.string().nullable(),
    agent: z
      .strictObject({
        agent_id: z.string(),
        untrusted_name: z.string().nullable(),
        owner_verified: z.boolean(),
        available_eur: eur.nullable(),
      })
      .nullable()
      .meta({ description: 'The agent that gets the money. Its name and balance are shown to its owner only.' }),
    tiers: z.array(z.strictObject({ tier: z.string(), price_eur: z.number() })),
  })
  .meta({ id: 'Start' });

export const startPage = defineOperation({
  ...shared,
  operationId: 'start_page',
  method: 'get',
  path: '/start',
  effects: false,
  reads: 'store',
  rate: 'wallet',
  summary: 'First steps with an agent',
  description:
    'A person registers an agent here, makes a first call and adds money. With step=4 and the id of an agent, the page continues with adding money.',
  input: z.strictObject({
    step: z.int().min(1).max(4).default(1).meta({ description: 'The step to show: 1 or 4.' }),
    agent_id: agentIdField.optional(),
  }),
  output: StartView,
  problems: [problems.notOfAccount],
  pages: { html: startHtml, markdown },
  examples: recorded(examples.start_page),
});

const StartedAgent = z
  .strictObject({
    agent_id: z.string(),
    name: z.string(),
    key_id: z.string(),
    agent_key: z
      .string()
      .nullable()
      .meta({ description: 'Shown once. Null in the response to a form that was sent again.' }),
    created_at: timeField,
    next: z.string(),
  })
  .meta({ id: 'StartedAgent' });

export const start = defineOperation({
  ...write,
  operationId: 'start',
  path: '/start',
  rate: 'login',
  summary: 'Register a first agent from the page',
  description:
    'The form of /start posts here. It does what register_agent does, with the same limits, and returns a page with the key. Programs call register_agent.',
  input: z.strictObject({
    name: cleanedText({ min: 2, max: 80, description: 'The agent name. Names are not unique.' }),
    owner_email: emailField.meta({ description: 'Email address of the owner.' }),
    idempotency_key: plainText(16, 255)
      .optional()
      .meta({ description: 'A form that is sent again within ten minutes does not register a second agent.' }),
  }),
  output: StartedAgent,
  successStatus: 201,
  problems: [problems.foreignOrigin, ruleRefused, registrationsExceeded, ...IDEMPOTENCY_PROBLEMS],
  pages: { html: registeredHtml, markdown },
  refusalPage: startRefusedHtml,
  examples: recorded(examples.start),
});

const FirstCall = z
  .strictObject({
    status: z.literal(200),
    agent: z.record(z.string(), z.unknown()).meta({ description: 'What GET /api/agents/me returned.' }),
  })
  .meta({ id: 'FirstCall' });

export const startCall = defineOperation({
  ...write,
  operationId: 'start_call',
  path: '/start/call',
  rate: 'login',
  summary: 'Make the first call from the page',
  description:
    'Calls GET /api/agents/me with the new key. From the page it also emails a sign-in code to the owner, with which the page continues. The key comes in the body, and the response does not repeat it.',
  input: z.strictObject({
    agent_key: z.string().max(200).meta({ description: "The agent's key, agk_…." }),
  }),
  pageFields: ['owner_email'],
  output: FirstCall,
  problems: [problems.foreignOrigin, ...READ_KEY_PROBLEMS],
  pages: { html: calledHtml, markdown },
  examples: recorded(examples.start_call),
});

export const StartedTopUp = z
  .strictObject({
    topup_id: z.string(),
    price_eur: z.number(),
    status: z.string(),
    checkout_url: z.string().nullable().meta({ description: 'Where a person pays by card.' }),
  })
  .meta({ id: 'StartedTopUp' });

export const startTopUp = defineOperation({
  ...write,
  whileSuspended: 'allowed',
  redirectsAfterPost: true,
  operationId: 'start_topup',
  path: '/start/topup',
  rate: 'login',
  summary: 'Add money to a first agent',
  description:
    'Starts a card top-up. Needs a session with its csrf value, or the code from the sign-in email, which signs in first. An agent that its owner has not accepted yet is accepted if this browser registered it or with mine=yes.',
  input: z.strictObject({
    agent_id: agentIdField,
    tier: z
      .enum(['starter', 'team', 'fleet'])
      .meta({ description: 'The tier starter is 10 EUR, team 50 EUR and fleet 100 EUR.' }),
    csrf: csrfField,
    code: z
      .string()
      .regex(/^\d{6}$/, 'Must be the six digits from the email.')
      .optional()
      .meta({ description: 'Code from the sign-in email, instead of a session.' }),
    mine: z.literal('yes').optional().meta({ description: 'You registered this agent yourself.' }),
  }),
  pageFields: ['email', 'proof'],
  output: StartedTopUp,
  problems: [
    problems.noSession,
    problems.linkInvalid,
    problems.csrf,
    problems.foreignOrigin,
    problems.notOfAccount,
    problems.agentNotAccepted,
    suspended,
    tooManyTopUps,
    processorUnavailable,
    paymentsNotConfigured,
    notInstalled,
  ],
  pages: { html: topUpHtml, markdown },
  examples: recorded(examples.start_topup),
});
