import type { z } from 'zod';
import { parseExactJson } from '#kernel/exact-json.ts';
import { PaymentPayload, PaymentRequired, SettleResponse } from './wire.ts';

/** Node takes 16 KiB of headers in all; a payment that fills them alone is no payment. */
export const MAX_PAYMENT_HEADER_CHARS = 16_384;
/** What proxies in front of a service can be expected to pass. */
export const MAX_CHALLENGE_HEADER_CHARS = 4096;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** A header of x402: JSON in standard base64, not the one for addresses. */
export function encodeHeader(value: PaymentRequired | PaymentPayload | SettleResponse): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Reads `PAYMENT-SIGNATURE`; undefined for anything but a payment of this version in its form. */
export function decodePaymentHeader(text: string): PaymentPayload | undefined {
  return decode(text, PaymentPayload);
}

/** Reads `PAYMENT-REQUIRED`. */
export function decodeChallengeHeader(text: string): PaymentRequired | undefined {
  return decode(text, PaymentRequired);
}

/** Reads `PAYMENT-RESPONSE`. */
export function decodeSettleHeader(text: string): SettleResponse | undefined {
  return decode(text, SettleResponse);
}

/** The JSON of a header; undefined for anything else. */
export function decodeHeaderJson(text: string): unknown {
  // attacker-controlled: length before content
  if (text.length > MAX_PAYMENT_HEADER_CHARS || !BASE64.test(text)) return undefined;
  try {
    const { value, faults } = parseExactJson(strictUtf8.decode(Buffer.from(text, 'base64')));
    return faults.length > 0 ? undefined : value;
  } catch {
    return undefined;
  }
}

function decode<T extends z.ZodType>(text: string, schema: T): z.infer<T> | undefined {
  return schema.safeParse(decodeHeaderJson(text)).data;
}
