import type { PaymentPayload, PaymentRequirements } from '#protocol/payment/wire.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { Settleable } from './settlement.ts';

/** What is kept of a payment so that it can be settled and answered after a crash. */
interface StoredPayload {
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
  /** Null once it was answered. */
  readonly resourceUrl: string | null;
}

/** Without the extensions that the client echoed: they are most of it, and no settlement needs them. */
export function storedPayload({ payload, requirements }: Settleable, resourceUrl: string): string {
  const { extensions: _, ...kept } = payload;
  return JSON.stringify({ payload: kept, requirements, resourceUrl } satisfies StoredPayload);
}

export function storedPayloadOf({ payload }: Pick<PaymentRecord, 'payload'>): StoredPayload | undefined {
  return payload === null ? undefined : (JSON.parse(payload) as StoredPayload);
}

/** What it takes to settle an answered payment once more: nothing of what was asked. */
export function answeredPayload(record: Pick<PaymentRecord, 'payload'>): string | null {
  const stored = storedPayloadOf(record);
  if (stored === undefined) return null;
  const { resource: _, ...payload } = stored.payload;
  return JSON.stringify({ ...stored, payload, resourceUrl: null } satisfies StoredPayload);
}
