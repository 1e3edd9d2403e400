import { notInstalled } from '#kernel/general-problems.ts';
import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { agentKeyField, BY_AGENT_KEY, KEY_PROBLEMS, READ_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { BY_IDEMPOTENCY_KEY, idempotencyKeyField } from '#platform/ledger/answers.ts';
import { ledgerHalted } from '#platform/ledger/problems.ts';
import { idempotencyConflict } from '#kernel/idempotency.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import examples from '../examples.json' with { type: 'json' };
import * as problems from '../problems.ts';
import { returnHtml, returnMarkdown } from './topup-page.ts';
import { TIERS } from './tiers.ts';
import { CARD_OUTCOMES, type Tier, TOPUP_STATES } from './topup-state.ts';

const topUpIdField = z
  .string()
  .regex(/^tu_[0-9a-f]{20}$/, 'Must be a top-up id: tu_ and 20 hexadecimal digits.')
  .meta({ description: 'The top-up id.' });
const TIER_NAMES = TIERS.map(({ tier }) => tier) as [Tier, ...Tier[]];
const shared = { tag: 'wallet', access: 'none', price: null, cache: 'no-store' } as const;

export const TopUpAnswer = z
  .strictObject({
    topup_id: z.string(),
    tier: z.enum(TIER_NAMES),
    price_eur: z.number(),
    credit_eur: z.number(),
    checkout_url: z
      .string()
      .nullable()
      .meta({ description: 'Where a person pays by card. Null when payment is no longer possible.' }),
    expires_at: timeField.nullable(),
    status: z.enum(TOPUP_STATES).meta({
      description: 'With review, a payment arrived but does not match. Nothing is credited until someone reviews it.',
    }),
    poll: z.string(),
    livemode: z.boolean().nullable().meta({ description: 'False if no real money is involved.' }),
    created_at: timeField,
    credited_at: timeField.nullable(),
    tx_id: z.string().nullable().meta({ description: 'The ledger transaction that credited the wallet.' }),
    review: z.string().nullable().meta({ description: 'Why someone must review it.' }),
  })
  .meta({ id: 'TopUp' });

export const topUpWallet = defineOperation({
  ...shared,
  operationId: 'topup_wallet',
  access: 'agent',
  method: 'post',
  path: '/api/agents/wallet/topup',
  effects: true,
  rate: 'wallet',
  summary: 'Start a card top-up',
  description:
    'Opens a checkout where a person pays by card. The credit appears within 30 seconds of the payment. With an Idempotency-Key, a repeated call returns the same checkout.',
  input: z.strictObject({
    agent_key: agentKeyField,
    idempotency_key: idempotencyKeyField,
    tier: z
      .enum(TIER_NAMES)
      .meta({ description: 'The tier starter is 10 EUR, team 50 EUR and fleet 100 EUR. The credit equals the price.' }),
  }),
  headerOnly: { ...BY_AGENT_KEY, ...BY_IDEMPOTENCY_KEY },
  output: TopUpAnswer,
  successStatus: 201,
  problems: [
    ...KEY_PROBLEMS,
    idempotencyConflict,
    problems.tooManyTopUps,
    problems.processorUnavailable,
    problems.paymentsNotConfigured,
    notInstalled,
  ],
  examples: recorded(examples.topup_wallet),
});

export const getTopUp = defineOperation({
  ...shared,
  operationId: 'get_topup',
  access: 'agent',
  method: 'get',
  path: '/api/agents/wallet/topup/{topup_id}',
  effects: false,
  reads: 'store',
  rate: 'wallet',
  summary: 'Get a top-up',
  description: 'Returns the status of a top-up. While it is open, Avouch queries the card processor first.',
  input: z.strictObject({ agent_key: agentKeyField, topup_id: topUpIdField }),
  headerOnly: BY_AGENT_KEY,
  output: TopUpAnswer,
  // Reading is never refused to an agent that is suspended.
  problems: [...READ_KEY_PROBLEMS, problems.topUpNotFound],
  examples: recorded(examples.get_topup),
});

export const ReturnAnswer = z
  .strictObject({
    topup_id: z.string(),
    tier: z.enum(TIER_NAMES),
    price_eur: z.number(),
    status: z.enum(TOPUP_STATES),
    livemode: z.boolean().nullable(),
    available_eur: z.string().optional().meta({ description: 'Balance of the wallet, for its signed-in owner.' }),
    checkout_url: z.string().nullable().optional().meta({ description: 'Where to pay, for the signed-in owner.' }),
  })
  .meta({ id: 'TopUpReturn' });

export const topUpReturn = defineOperation({
  ...shared,
  operationId: 'topup_return',
  method: 'get',
  path: '/wallet/topups/{topup_id}',
  effects: false,
  reads: 'store',
  rate: 'wallet',
  summary: 'Checkout return page',
  description:
    "The card processor sends the payer here. Opening the page does not credit anything. Only the card processor's answer counts.",
  input: z.strictObject({
    topup_id: topUpIdField,
    session_id: z
      .string()
      .regex(/^cs_\w{1,250}$/, 'Must be a checkout session id.')
      .optional()
      .meta({ description: 'Filled in by the card processor.' }),
  }),
  output: ReturnAnswer,
  problems: [problems.topUpNotFound],
  pages: { html: returnHtml, markdown: returnMarkdown },
  examples: recorded(examples.topup_return),
});

export const stripeWebhook = defineOperation({
  ...shared,
  whileSuspended: 'allowed',
  operationId: 'stripe_webhook',
  method: 'post',
  path: '/api/webhooks/stripe',
  effects: true,
  rate: 'none',
  bodyLimitBytes: 262_144,
  summary: 'Card processor webhook',
  description:
    'For the card processor only. The body is a signed event, verified byte for byte. Any response other than 200 means that the event must be sent again.',
  input: z.strictObject({
    signature: z.string().max(2_000).optional().meta({ description: 'Signature over the body and a timestamp.' }),
    event: z.string().meta({ description: 'The body itself is the event, not an object with this member.' }),
  }),
  headerOnly: { 'stripe-signature': 'signature' },
  // One character for each byte: the signature is over the bytes.
  readBody: (bytes) => ({ ok: true, value: { event: Buffer.from(bytes).toString('latin1') }, faults: [] }),
  output: z.strictObject({ received: z.literal(true), outcome: z.enum(CARD_OUTCOMES) }).meta({ id: 'WebhookAnswer' }),
  problems: [
    problems.signatureInvalid,
    problems.notSettled,
    ledgerHalted,
    problems.paymentsNotConfigured,
    notInstalled,
  ],
  examples: [{ name: 'credited', input: { event: '{}' }, output: { received: true, outcome: 'credited' } }],
});
