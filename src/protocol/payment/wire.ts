import { z } from 'zod';
import { isAddress, isBytes32 } from './hex.ts';

/** A uint256 in decimals: none has more than 78 digits, and some numbers of 78 digits are none. */
const UINT_DECIMALS = /^(?:0|[1-9][0-9]{0,77})$/;
const uintText = z.string().refine((text) => UINT_DECIMALS.test(text) && BigInt(text) >> 256n === 0n, 'not a uint256');
const address = z.string().refine(isAddress, 'not an address');
const bytes32 = z.string().refine(isBytes32, 'not 32 bytes in hex');
const hexBytes = z
  .templateLiteral(['0x', z.string()])
  .refine((text) => /^0x(?:[0-9a-fA-F]{2})+$/.test(text), 'not hex');
/** Nothing of x402 nests deeper, and no echo of ours is larger than a header. */
const openRecord = z.record(z.string().max(128), z.unknown());

export const PaymentRequirements = z.object({
  scheme: z.string().max(64),
  network: z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/),
  amount: uintText,
  asset: z.string().max(128),
  payTo: z.string().max(128),
  maxTimeoutSeconds: z.number().int().positive(),
  extra: openRecord.default({}),
});
export type PaymentRequirements = Readonly<z.infer<typeof PaymentRequirements>>;

const ResourceInfo = z.object({
  url: z.string().max(8192),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  serviceName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  iconUrl: z.string().optional(),
});

const extensions = z.record(z.string().max(128), z.unknown());

export const PaymentRequired = z.object({
  x402Version: z.literal(2),
  error: z.string().optional(),
  resource: ResourceInfo,
  accepts: z.array(PaymentRequirements).min(1),
  extensions: extensions.optional(),
});
export type PaymentRequired = Readonly<z.infer<typeof PaymentRequired>>;

/** What a buyer sends; times and amounts stand as decimal text. */
export const PaymentPayload = z.object({
  x402Version: z.literal(2),
  payload: z.object({
    authorization: z.object({
      from: address,
      to: address,
      value: uintText,
      validAfter: uintText,
      validBefore: uintText,
      nonce: bytes32,
    }),
    signature: hexBytes,
  }),
  accepted: PaymentRequirements,
  resource: openRecord.optional(),
  extensions: extensions.optional(),
});
export type PaymentPayload = Readonly<z.infer<typeof PaymentPayload>>;

export const SettleResponse = z.object({
  success: z.boolean(),
  errorReason: z.string().optional(),
  errorMessage: z.string().optional(),
  payer: z.string().optional(),
  transaction: z.string(),
  network: z.string(),
  amount: z.string().optional(),
  extensions: extensions.optional(),
  extra: openRecord.optional(),
});
export type SettleResponse = Readonly<z.infer<typeof SettleResponse>>;
