import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { agentKeyField, BY_AGENT_KEY, READ_KEY_PROBLEMS } from '#platform/ledger/caller.ts';
import { CSV } from '#platform/ledger/statement.ts';
import examples from './examples.json' with { type: 'json' };

const shared = {
  tag: 'wallet',
  method: 'get',
  access: 'agent',
  price: null,
  cache: 'no-store',
  rate: 'wallet',
  effects: false,
  reads: 'store',
  headerOnly: BY_AGENT_KEY,
  // Reading is never refused to an agent that is suspended.
  problems: READ_KEY_PROBLEMS,
} as const;

const eur = z.string().meta({ description: 'Decimal text with two to six decimals.' });
const Tier = z
  .strictObject({ tier: z.string(), price_eur: z.number(), credit_eur: z.number(), estimated_calls: z.string() })
  .meta({ id: 'WalletTier' });
export const OpenTopup = z
  .strictObject({ topup_id: z.string(), status: z.string(), checkout_url: z.string().nullable() })
  .meta({ id: 'OpenTopup' });

export const getWallet = defineOperation({
  ...shared,
  operationId: 'get_wallet',
  path: '/api/agents/wallet',
  summary: 'Get the wallet balance',
  description:
    'In the response, posted is the balance, held is the amount on hold for running calls, and available is the balance minus holds. Each amount is given in euros as decimal text and as an integer in millionths of a euro.',
  input: z.strictObject({ agent_key: agentKeyField }),
  output: z
    .strictObject({
      agent_id: z.string(),
      currency: z.literal('EUR'),
      posted_eur: eur,
      held_eur: eur,
      available_eur: eur,
      posted_micro: z.int(),
      held_micro: z.int(),
      available_micro: z.int(),
      frozen: z
        .boolean()
        .meta({ description: 'True while a card payment is disputed. The wallet cannot pay until it is resolved.' }),
      receivable_eur: eur.meta({
        description: 'Refunded amount that the balance did not cover. The next top-up pays it first.',
      }),
      open_topups: z.array(OpenTopup),
      tiers: z.array(Tier),
      as_of: timeField,
      sandbox: z.boolean(),
    })
    .meta({ id: 'Wallet' }),
  examples: recorded(examples.get_wallet),
});

export const getWalletLedger = defineOperation({
  ...shared,
  operationId: 'get_wallet_ledger',
  path: '/api/agents/wallet/ledger',
  summary: 'List ledger entries',
  description:
    'Lists ledger entries, newest first, with the balance after each and the hash that chains it to all earlier entries. With Accept: text/csv the same page comes as CSV. Pass the smallest seq of a page as before_seq to get the next page.',
  input: z.strictObject({
    agent_key: agentKeyField,
    before_seq: z.int().min(1).optional().meta({ description: 'Only ledger entries before this one.' }),
    limit: z.int().min(1).max(1_000).default(50).meta({ description: 'Maximum number of ledger entries.' }),
  }),
  otherMediaTypes: [CSV],
  output: z
    .strictObject({
      items: z.array(
        z.strictObject({
          seq: z.int(),
          tx_id: z.string(),
          at: timeField,
          kind: z.string(),
          ref: z.string().nullable(),
          amount_eur: eur.meta({ description: 'Positive for money coming in.' }),
          balance_after_eur: eur,
          hash: z.string(),
        }),
      ),
      next_before_seq: z.int().nullable(),
    })
    .meta({ id: 'WalletLedger' }),
  examples: recorded(examples.get_wallet_ledger),
});
