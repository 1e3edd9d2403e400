import { z } from 'zod';
import { mandateIdField, orderIdField, timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { plainText } from '#kernel/text-field.ts';
import { BY_IDEMPOTENCY_KEY, IDEMPOTENCY_PROBLEMS, idempotencyKeyField } from '#platform/ledger/answers.ts';
import {
  agentKeyField,
  BY_AGENT_KEY,
  FUND_PROBLEMS,
  KEY_PROBLEMS,
  READ_KEY_PROBLEMS,
} from '#platform/ledger/caller.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { ruleRefused } from '#platform/usage-rules/problems.ts';
import { softRuleField } from '#platform/usage-rules/soft-rules.ts';
import { quantityOf } from '../bom/bom-input.ts';
import { calculationIdField } from '../bom/bom-operations.ts';
import { FEE_PCT, feeOf, ORDER_STATES } from './order.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import examples from '../examples.json' with { type: 'json' };
import * as problems from '../problems.ts';

const eur = z.string().meta({ description: 'Decimal text with two to six decimals.' });
const money = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})(\.\d{1,6})?$/, 'Must be decimal text with at most 6 decimals.')
  .meta({ description: 'Decimal text.' });
const Line = z.strictObject({
  mpn: plainText(1, 128),
  sku: plainText(1, 128).optional(),
  qty: z.union([z.number(), z.string().max(40)]).refine((value) => (quantityOf(value) ?? 0) > 0, {
    error: 'Must be above 0.',
    params: { code: 'quantity_invalid' },
  }),
});

const Order = z
  .strictObject({
    order_id: z.string(),
    state: z.enum(ORDER_STATES),
    supplier: z.string(),
    channel: z.enum(['adapter', 'manual']),
    calculation_id: z.string().nullable(),
    goods_total_eur: eur,
    fee: z.strictObject({ pct: z.number(), fee_eur: eur, state: z.enum(['none', 'held', 'captured', 'voided']) }),
    lines: z.array(
      z.strictObject({
        mpn: z.string().nullable(),
        sku: z.string(),
        qty: z.string(),
        unit_price_eur: z.string(),
        total_eur: eur,
      }),
    ),
    ship_to: z.strictObject({ country: z.string() }),
    mandate: z
      .strictObject({
        mandate_id: z.string(),
        platform_id: z.string(),
        verify_ref: z.string().nullable(),
        ok: z.boolean().nullable(),
      })
      .nullable(),
    payment: z.strictObject({ who: z.string(), url: z.string().nullable() }),
    history: z.array(
      z.strictObject({
        state: z.enum(ORDER_STATES),
        at: timeField,
        attestation_id: z.string().nullable(),
        document_sha256: z.string().optional(),
      }),
    ),
    expires_at: timeField.nullable().meta({ description: 'When the quote expires.' }),
    receipt: z.looseObject({ result_sha256: z.string(), signature: z.string(), signer_pubkey: z.string() }).meta({
      description: 'Signature over what covers names: the quote, not the later states of the order.',
    }),
    sandbox: z.boolean(),
    soft_rule: softRuleField,
  })
  .meta({ id: 'Order' });
export type OrderView = z.output<typeof Order>;

const shared = { tag: 'orders', access: 'agent', price: null, cache: 'no-store', rate: 'wallet' } as const;
const write = { ...shared, method: 'post', effects: true } as const;
const read = { ...shared, method: 'get', effects: false, reads: 'store', headerOnly: BY_AGENT_KEY } as const;
const MINIMUM_FEE_EUR = formatEur(feeOf(0));
const walletPrice = { eur: MINIMUM_FEE_EUR, rule: `${FEE_PCT} percent of the goods, once the supplier confirms` };
const PLACE_PROBLEMS = [problems.mandateDenied, transitionInvalid];

export const createOrder = defineOperation({
  ...write,
  operationId: 'create_order',
  walletPrice,
  path: '/api/v1/orders',
  summary: 'Create an order',
  description: `Orders from one supplier: its lines of a calculation, or lines that you name at current offers. With mode auto the order is placed at once. With mode quote it stops at a quote that you can place within 24 hours. The wallet pays a fee of ${FEE_PCT} percent of the goods, at least ${MINIMUM_FEE_EUR} EUR. The fee is put on hold when the order is placed, charged when the supplier confirms, and otherwise released. The buyer pays the supplier for the goods. With a mandate, the order is verified against it before it is placed. Every state is sealed in the public log.`,
  input: z.strictObject({
    agent_key: agentKeyField,
    header_key: idempotencyKeyField,
    calculation_id: calculationIdField.optional(),
    lines: z.array(Line).min(1).max(200).optional().meta({ description: 'Use lines instead of calculation_id.' }),
    supplier: plainText(1, 128).meta({ description: 'The supplier to order from.' }),
    ship_to: z
      .strictObject({
        country: z.string().regex(/^[A-Z]{2}$/, 'Must be two capital letters.'),
        postcode: plainText(1, 16),
        lines: z.array(plainText(1, 120)).min(1).max(6),
      })
      .meta({ description: 'Delivery address in NL, BE or DE. Later responses show only the country.' }),
    mandate_id: mandateIdField.optional().meta({ description: 'The mandate to order under.' }),
    max_total_eur: money.optional().meta({ description: 'Maximum price of the goods in EUR.' }),
    mode: z
      .enum(['auto', 'quote'])
      .default('auto')
      .meta({ description: 'With auto the order is placed at once. With quote it stops at a quote.' }),
    note: plainText(1, 500).optional().meta({ description: 'Note for the supplier.' }),
    idempotency_key: idempotencyKeyField.meta({
      description: 'Same as the Idempotency-Key header. If you send both, they must be equal.',
    }),
  }),
  headerOnly: { ...BY_AGENT_KEY, 'idempotency-key': 'header_key' },
  output: Order,
  successStatus: 201,
  problems: [
    ...[...KEY_PROBLEMS, ...FUND_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, problems.mandateDenied, ruleRefused],
    ...[problems.calculationNotFound, problems.calculationExpired, problems.totalOverLimit],
    ...[problems.nothingToOrder, problems.supplierUnreachable],
  ],
  examples: recorded(examples.create_order),
});
export type CreateOrderInput = z.output<typeof createOrder.input>;

const byId = { agent_key: agentKeyField, order_id: orderIdField };
const moving = {
  ...write,
  input: z.strictObject({ ...byId, idempotency_key: idempotencyKeyField }),
  headerOnly: { ...BY_AGENT_KEY, ...BY_IDEMPOTENCY_KEY },
  output: Order,
} as const;
export type MoveInput = z.output<typeof moving.input>;

export const placeOrder = defineOperation({
  ...moving,
  operationId: 'place_order',
  walletPrice,
  path: '/api/v1/orders/{order_id}/place',
  summary: 'Place a quoted order',
  description: 'Puts a hold on the fee and sends the order to the supplier. Possible within 24 hours of the quote.',
  problems: [...KEY_PROBLEMS, ...FUND_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, ...PLACE_PROBLEMS, problems.orderNotFound],
  examples: recorded(examples.place_order),
});

export const cancelOrder = defineOperation({
  ...moving,
  whileSuspended: 'allowed',
  operationId: 'cancel_order',
  path: '/api/v1/orders/{order_id}/cancel',
  summary: 'Cancel an order',
  description:
    'Cancels a placed or confirmed order before it is shipped. The fee is returned. If the buyer has already paid the supplier, they settle that between themselves.',
  problems: [...READ_KEY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, transitionInvalid, problems.orderNotFound],
  examples: recorded(examples.cancel_order),
});

export const getOrder = defineOperation({
  ...read,
  operationId: 'get_order',
  path: '/api/v1/orders/{order_id}',
  summary: 'Get an order',
  description: 'Returns state, fee and every change with its seal. Only the agent that created the order can read it.',
  input: z.strictObject(byId),
  output: Order,
  problems: [...READ_KEY_PROBLEMS, problems.orderNotFound],
  examples: recorded(examples.get_order),
});

export const listOrders = defineOperation({
  ...read,
  operationId: 'list_orders',
  path: '/api/v1/orders',
  summary: 'List orders',
  description: 'Lists your orders, newest first, one page at a time.',
  input: z.strictObject({
    agent_key: agentKeyField,
    limit: z.int().min(1).max(100).default(20).meta({ description: 'Orders per page.' }),
    before: orderIdField.optional().meta({ description: 'Id of the last order on the previous page.' }),
  }),
  output: z.strictObject({ items: z.array(Order), next_before: z.string().nullable() }).meta({ id: 'OrderPage' }),
  problems: [...READ_KEY_PROBLEMS, problems.orderNotFound],
  examples: recorded(examples.list_orders),
});
