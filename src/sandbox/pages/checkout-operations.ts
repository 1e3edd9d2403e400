import { z } from 'zod';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { checkoutHtml, checkoutMarkdown } from './checkout-page.ts';
import { actionNotPossible, noSuchCheckout } from './problems.ts';
import examples from './examples.json' with { type: 'json' };

const ACTIONS = [
  ...(['pay', 'pay_slow', 'slow_fails', 'pay_lose_webhook', 'pay_webhook_twice', 'cancel', 'expire'] as const),
  ...(['refund', 'dispute', 'dispute_won', 'dispute_lost'] as const),
] as const;
export type CheckoutAction = (typeof ACTIONS)[number];

const sessionIdField = z
  .string()
  .regex(/^cs_test_\w{1,100}$/, 'Must be a session id: cs_test_ followed by letters or digits.')
  .meta({ description: 'The checkout session id.' });

export const CheckoutAnswer = z
  .strictObject({
    session_id: z.string(),
    product: z.string(),
    amount_eur: z.string(),
    status: z.string(),
    payment_status: z.string(),
    return_url: z.string(),
    actions: z.array(z.strictObject({ action: z.enum(ACTIONS), label: z.string() })),
    sandbox: z.literal(true),
  })
  .meta({ id: 'SandboxCheckout' });

const shared = {
  tag: 'sandbox',
  sandboxOnly: true,
  ownPagesOnly: true,
  access: 'none',
  price: null,
  rate: 'tasks',
  cache: 'no-store',
  output: CheckoutAnswer,
  pages: { html: checkoutHtml, markdown: checkoutMarkdown },
} as const;

export const checkoutPage = defineOperation({
  ...shared,
  operationId: 'sandbox_checkout',
  method: 'get',
  path: '/sandbox/checkout/{session_id}',
  effects: false,
  summary: 'Sandbox checkout page',
  description: "Simulates the card processor's checkout page. No real card, no real money. Only in the sandbox.",
  input: z.strictObject({ session_id: sessionIdField }),
  problems: [noSuchCheckout],
  examples: recorded(examples.sandbox_checkout),
});

export const checkoutAct = defineOperation({
  ...shared,
  operationId: 'sandbox_checkout_act',
  method: 'post',
  path: '/sandbox/checkout/{session_id}/{action}',
  // Only the simulator's own state: what it tells the service comes by webhook.
  effects: false,
  takesForm: true,
  redirectsAfterPost: true,
  summary: 'Simulate the cardholder',
  description:
    'Simulates payments, delayed payments, lost webhooks, refunds and disputes. The buttons on the checkout page also post here. Only in the sandbox.',
  input: z.strictObject({
    session_id: sessionIdField,
    action: z.enum(ACTIONS).meta({ description: 'What the cardholder, the bank or the network does.' }),
  }),
  problems: [noSuchCheckout, actionNotPossible],
  examples: recorded(examples.sandbox_checkout_act),
});
