import { z } from 'zod';
import { idField } from '#kernel/fields.ts';
import { agentKeyField, BY_AGENT_KEY } from '#platform/ledger/caller.ts';
import { MARKUP_PCT } from '#platform/ledger/steps.ts';

/** What a model may write where the caller does not say. */
export const MAX_OUTPUT_TOKENS = 800;

export const executionIdField = idField('exe_', 'an execution id').meta({ description: 'The execution id.' });
export const byAgent = { field: agentKeyField, header: BY_AGENT_KEY };

export const Provider = z.strictObject({ name: z.string(), model: z.string() }).meta({ id: 'CapabilityProvider' });
export const mode = z.enum(['embedded', 'provider']);
export const CapabilityUsage = z
  .strictObject({ input_tokens: z.int(), cached_tokens: z.int(), output_tokens: z.int(), units: z.int() })
  .meta({ id: 'CapabilityUsage' });
export const CapabilityPrice = z
  .strictObject({
    provider_cost_eur: z.string(),
    fx: z.strictObject({ pair: z.string(), rate: z.string(), as_of: z.string() }).nullable(),
    markup_pct: z.literal(MARKUP_PCT),
    minimum_applied: z.boolean(),
    seal_fee_eur: z.string(),
    charged_eur: z.string(),
    price_table_sha256: z.string(),
  })
  .meta({ id: 'CapabilityPrice' });
export const CapabilityReceipt = z
  .looseObject({ result_sha256: z.string(), signature: z.string(), signer_pubkey: z.string() })
  .meta({ id: 'CapabilityReceipt', description: 'Signature over the response without receipt and balance_eur.' });
