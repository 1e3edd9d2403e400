import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { defineOperation, recorded } from '#kernel/operation.ts';
import { quickRecord } from '#kernel/quick-record.ts';
import { RECEIPT_OUTCOMES } from '#protocol/payment/receipt-check.ts';
import examples from './examples.json' with { type: 'json' };
import { PAYMENT_STATES } from './payment-record.ts';
import { paymentUnknown } from './problems.ts';

const shared = { tag: 'payments', effects: false, access: 'none', price: null, cache: 'no-store' } as const;
const hex = (bytes: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `Must be 0x and ${bytes * 2} hex digits.`)
    .meta({ description: what });

export const PaymentStatus = z
  .strictObject({
    nonce: z.string(),
    network: z.string(),
    asset: z.string(),
    state: z.enum(PAYMENT_STATES),
    charged: z.boolean().nullable().meta({ description: 'Null while it is not known.' }),
    amount: z.string().meta({ description: 'Atomic units.' }),
    transaction: z.string().nullable(),
    log_index: z.int().nullable(),
    settled_at: timeField.nullable(),
    result_available_until: timeField.nullable(),
    retry_after_s: z.int().nullable(),
    sandbox: z.boolean(),
    refund_reference: z.string().optional(),
    operation_id: z.string().optional(),
    request_sha256: z.string().optional(),
    response: z
      .looseObject({})
      .nullable()
      .optional()
      .meta({ description: 'The stored response, if you prove that you paid.' }),
  })
  .meta({ id: 'PaymentStatus' });

export const paymentStatus = defineOperation({
  ...shared,
  operationId: 'payment_status',
  services: 'all',
  method: 'get',
  path: '/v1/payments/{nonce}',
  summary: 'Get a payment',
  description:
    'Public: whether money moved, and in which transaction. If you send the Idempotency-Key or exactly the PAYMENT-SIGNATURE of the paid call, the response includes the stored response.',
  input: z.strictObject({
    nonce: hex(32, 'Nonce of the authorization.'),
    payer: hex(20, 'Account that signed. Needed only if two accounts used the same nonce.').optional(),
    idempotency_key: z.string().max(255).optional().meta({ description: 'A secret. Send it as a header.' }),
    payment_signature: z.string().max(16_384).optional().meta({ description: 'Send it as a header.' }),
  }),
  headerFields: { 'idempotency-key': 'idempotency_key', 'payment-signature': 'payment_signature' },
  output: PaymentStatus,
  rate: 'crossing-read',
  problems: [paymentUnknown],
  examples: recorded(examples.payment_status),
});

export const ReceiptCheckAnswer = z
  .strictObject({
    valid: z.boolean().meta({ description: 'True if outcome is valid.' }),
    outcome: z.enum(RECEIPT_OUTCOMES).meta({
      description:
        'valid: a published key signed this response, and the request if you sent it. invalid: a check failed. answer_not_given: the signature is good, and no response was sent. answer_not_covered: the signature is good, but the receipt is an old one and does not say what it signs.',
    }),
    checks: z.array(
      z.strictObject({
        name: z.enum(['signature', 'key_published', 'result_sha256', 'request_sha256', 'sandbox']),
        ok: z.boolean().nullable().meta({ description: 'Null if the check was not made.' }),
      }),
    ),
    uncovered: z.array(z.string()).meta({ description: 'Parts of the response that nobody signed, as JSON Pointers.' }),
    key: z
      .strictObject({ kid: z.string(), role: z.string(), retired_at: timeField.nullable() })
      .nullable()
      .meta({ description: 'The published key that signed.' }),
    sandbox: z.boolean().nullable(),
  })
  .meta({ id: 'ReceiptVerdict' });

/** Of a sent answer with its receipt; the verifiers for larger ones are in verify/. */
const ANSWER_BYTES = 1_000_000;

const MAX_NAME_LENGTH = 256;
const document = quickRecord(
  z.record(z.string().max(MAX_NAME_LENGTH), z.unknown()),
  ({ length }) => length <= MAX_NAME_LENGTH,
);
const isText = (value: unknown) => typeof value === 'string';
const query = quickRecord(
  z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  (_name, value) => isText(value) || (Array.isArray(value) && value.every(isText)),
);

export const receiptVerify = defineOperation({
  ...shared,
  operationId: 'receipt_verify',
  method: 'post',
  path: '/v1/receipts/verify',
  bodyLimitBytes: ANSWER_BYTES,
  summary: 'Verify a receipt',
  description:
    'Send the response as you received it: its receipt says which of its parts it signs. With the request, Avouch also checks that the receipt belongs to it. Free, and nothing is stored. A sandbox receipt proves nothing about real money: it is valid only at a sandbox.',
  input: z
    .strictObject({
      answer: document.optional().meta({ description: 'The whole response as you received it, with its receipt.' }),
      receipt: document.optional().meta({ description: 'The receipt, if the response does not contain it.' }),
      result: document.optional().meta({ description: 'Only the member result of a response.' }),
      request: z
        .strictObject({
          method: z.string().max(16),
          path: z.string().max(2048),
          query,
        })
        .optional()
        .meta({ description: 'The request that was paid for.' }),
    })
    .refine(({ answer, receipt }) => receipt !== undefined || answer?.['receipt'] !== undefined, {
      path: ['receipt'],
      message: 'The receipt is required unless the answer contains it.',
      params: { code: 'missing' },
    })
    .refine(({ answer, result }) => answer === undefined || result === undefined, {
      path: ['result'],
      message: 'Leave out result if you send answer, which contains its own.',
      params: { code: 'not_allowed' },
    }),
  output: ReceiptCheckAnswer,
  rate: 'crossing-read',
  problems: [],
  examples: recorded(examples.receipt_verify),
});
