import { z } from 'zod';
import { parseExactJson } from '#kernel/exact-json.ts';
import { idField, timeField } from '#kernel/fields.ts';
import { defineOperation, type ReadBody, recorded } from '#kernel/operation.ts';
import { BY_IDEMPOTENCY_KEY, IDEMPOTENCY_PROBLEMS, idempotencyKeyField } from '#platform/ledger/answers.ts';
import {
  agentKeyField,
  BY_AGENT_KEY,
  FUND_PROBLEMS,
  KEY_PROBLEMS,
  READ_KEY_PROBLEMS,
} from '#platform/ledger/caller.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import examples from '../examples.json' with { type: 'json' };
import { bomField, termFields } from './bom-fields.ts';
import { CALCULATE_MICRO, READ_HERE_BYTES } from './bom.ts';
import * as problems from '../problems.ts';

const CALCULATE_EUR = formatEur(CALCULATE_MICRO);
const MAX_BODY_BYTES = 32 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readBody(bytes: Uint8Array): ReadBody {
  // The members of a body that is read elsewhere are looked at there.
  if (bytes.length > READ_HERE_BYTES) return { ok: true, value: { document: bytes, bom: {}, quantity: 1 }, faults: [] };
  try {
    return { ok: true, ...parseExactJson(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

const eur = z.string().meta({ description: 'Decimal text with two to six decimals.' });
export const calculationIdField = idField('bom_', 'a calculation id').meta({ description: 'The calculation id.' });

const Buy = z
  .strictObject({
    part: z.string(),
    alternate: z.string().optional().meta({ description: 'The alternate part to buy instead.' }),
    mpn: z.string().nullable(),
    need: z.string(),
    order_qty: z.string(),
    excess_qty: z.string(),
    supplier: z.string(),
    sku: z.string(),
    unit_price_eur: z.string(),
    total_eur: eur,
    lead_days: z.int().nullable(),
    offer_as_of: timeField,
    source: z.string(),
  })
  .meta({ id: 'BomBuy' });

const Calculation = z
  .strictObject({
    calculation_id: z.string(),
    bom_sha256: z.string().meta({ description: 'SHA-256 of the canonical JSON of the bill.' }),
    lines_sha256: z.string().meta({ description: 'SHA-256 of the canonical JSON of buys and flags together.' }),
    quantity: z.string(),
    strategy: z.string(),
    totals: z.strictObject({
      material_eur: eur,
      conversion_eur: eur,
      excess_eur: eur,
      total_eur: eur,
      unit_eur: eur,
      fewest_suppliers_extra_eur: eur.optional(),
    }),
    lead: z.strictObject({ days: z.int().nullable(), critical_path: z.array(z.string()) }),
    coverage: z.strictObject({ priced: z.int(), unpriced: z.int() }),
    fx: z
      .record(z.string(), z.string().nullable())
      .meta({ description: 'Exchange rates behind the prices, and their source.' }),
    valid_until: timeField.nullable(),
    adapters: z.array(z.strictObject({ name: z.string(), state: z.string() })),
    charged_eur: eur,
    balance_eur: eur,
    sandbox: z.boolean(),
    receipt: z
      .looseObject({ result_sha256: z.string(), signature: z.string(), signer_pubkey: z.string() })
      .meta({ description: 'Signature over the rest of the response. Verify it with POST /v1/receipts/verify.' }),
    buys: z.array(Buy),
    flags: z.array(z.looseObject({ code: z.string(), part: z.string() })),
  })
  .meta({ id: 'BomCalculation' });

const shared = { tag: 'orders', access: 'agent', price: null, cache: 'no-store', rate: 'wallet' } as const;

export const bomCalculate = defineOperation({
  ...shared,
  operationId: 'bom_calculate',
  walletPrice: { eur: CALCULATE_EUR },
  method: 'post',
  effects: true,
  path: '/api/v1/calculate',
  summary: 'Price a bill of materials',
  description: `Explodes a nested bill of materials and adds up the quantity of each part over the whole tree. For each part it chooses the offer and quantity that suit the strategy, including price breaks. Costs ${CALCULATE_EUR} EUR from the wallet, or nothing if no part could be priced. Parts without an offer are listed in coverage and flags and never fail the call. You can also send text/csv with the columns part or mpn, qty, refs, level and scrap_pct. The other parameters are then in the query.`,
  input: z.strictObject({
    agent_key: agentKeyField,
    idempotency_key: idempotencyKeyField,
    bom: bomField,
    document: z
      .unknown()
      .refine((value) => value === undefined || value instanceof Uint8Array, 'Unknown parameter.')
      .optional()
      .meta({ description: 'The raw bytes of a large body.' }),
    ...termFields,
  }),
  headerOnly: { ...BY_AGENT_KEY, ...BY_IDEMPOTENCY_KEY },
  bytesField: 'document',
  readBody,
  otherBody: { mediaType: 'text/csv', read: (bytes, query) => ({ ...query, document: bytes, bom: CSV_BOM }) },
  bodyLimitBytes: MAX_BODY_BYTES,
  output: Calculation,
  problems: [...KEY_PROBLEMS, ...FUND_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, problems.tooManyLargeBills],
  examples: recorded(examples.bom_calculate),
});

/** Stands where the bill is a document in CSV. */
export const CSV_BOM: Readonly<Record<string, unknown>> = { csv: true };
export type CalculateInput = z.output<typeof bomCalculate.input>;

export const getCalculation = defineOperation({
  ...shared,
  operationId: 'get_calculation',
  method: 'get',
  effects: false,
  reads: 'store',
  path: '/api/v1/calculations/{calculation_id}',
  summary: 'Get a calculation',
  description:
    'Returns the response of bom_calculate again, unchanged, for 30 days. Only the agent that made the call can read it.',
  input: z.strictObject({ agent_key: agentKeyField, calculation_id: calculationIdField }),
  headerOnly: BY_AGENT_KEY,
  output: Calculation,
  problems: [...READ_KEY_PROBLEMS, problems.calculationNotFound],
  examples: recorded(examples.get_calculation),
});
