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

const eur = z.string().meta({ description: 'Decimal text with two to six decimals' });
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
  summary: 'What the wallet holds',
  description:
    'Posted is what was paid in less what was paid out, held is set aside for calls under way, available is the difference. Amounts stand as text in euro and as whole millionths.',
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
      frozen: z.boolean().meta({ description: 'A card payment is disputed: the wallet pays for nothing' }),
      receivable_eur: eur.meta({ description: 'Refunded beyond what the wallet had; the next top-up pays it first' }),
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
  summary: 'Every movement of the wallet',
  description:
    'Newest first, with the balance after each and the hash that chains it to all before. With Accept: text/csv the same page as CSV; the smallest seq of a page is the before_seq of the next.',
  input: z.strictObject({
    agent_key: agentKeyField,
    before_seq: z.int().min(1).optional().meta({ description: 'Only movements before this one' }),
    limit: z.int().min(1).max(1_000).default(50).meta({ description: 'Most movements of the answer' }),
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
          amount_eur: eur.meta({ description: 'Positive where the wallet gained' }),
          balance_after_eur: eur,
          hash: z.string(),
        }),
      ),
      next_before_seq: z.int().nullable(),
    })
    .meta({ id: 'WalletLedger' }),
  examples: recorded(examples.get_wallet_ledger),
});
