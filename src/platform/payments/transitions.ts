import { DAY_MS } from '#kernel/clock.ts';
import type { PaymentRecord, PaymentState, StoredResponse } from './payment-record.ts';
import { answeredPayload } from './stored-payload.ts';

/** Response bodies are kept this long; the row itself stays for accounting. */
export const BODY_KEPT_MS = DAY_MS;

/** What can happen to a payment after it was reserved. */
export type PaymentEvent =
  /** The handler gave a verdict; the backend is asked next. */
  | {
      readonly type: 'executed';
      readonly owner: string;
      readonly result: string;
      readonly resultSha256: string;
      readonly ownerMs: number;
    }
  /** The handler gave none: the authorization may be used again. */
  | { readonly type: 'refused'; readonly owner: string; readonly reason: string }
  /**
   * The chain shows the transfer. Without a response no verdict can be delivered; `resultSha256` is of the verdict for
   * which that was found, null where there was none.
   */
  | {
      readonly type: 'confirmed';
      readonly resultSha256: string | null;
      readonly transaction: string;
      readonly logIndex: number;
      readonly delivery: { readonly receiptId: string; readonly response: StoredResponse } | null;
    }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'undecided'; readonly transaction: string | null }
  /** Nothing was moved yet and there is time: somebody asks the backend again. */
  | { readonly type: 'resumed'; readonly owner: string; readonly ownerMs: number }
  /** The process that worked on it is gone; `isCertain` when that does not depend on its time limit. */
  | { readonly type: 'lapsed'; readonly isCertain: boolean }
  /** The chain no longer shows the transfer that it showed: its blocks were replaced. */
  | { readonly type: 'vanished' }
  /** The operator has paid it back. */
  | { readonly type: 'refunded'; readonly reference: string }
  /** Too late for the authorization to move anything, or long enough since it did. */
  | { readonly type: 'closed' }
  | { readonly type: 'expired' };

type EventType = PaymentEvent['type'];
type Next<E extends EventType> = (
  record: PaymentRecord,
  event: Extract<PaymentEvent, { type: E }>,
  nowMs: number,
) => PaymentRecord | undefined;

const UNOWNED = { owner: null, ownerUntilMs: null } as const;
/** What a row that sold nothing gives up to the next attempt. */
const NAMELESS = { ...UNOWNED, idemHash: null, paymentId: null } as const;

/** Every change of state that there is; what is not listed leaves the row as it is. */
const TABLE: { readonly [S in PaymentState]: { readonly [E in EventType]?: Next<E> } } = {
  reserved: {
    executed: (record, { owner, result, resultSha256, ownerMs }, nowMs) =>
      record.owner === owner
        ? { ...record, state: 'settling', result, resultSha256, ownerUntilMs: nowMs + ownerMs }
        : undefined,
    refused: (record, { owner, reason }) => (record.owner === owner ? released(record, reason) : undefined),
    lapsed: (record, event, nowMs) => (isAbandoned(record, event, nowMs) ? released(record, 'abandoned') : undefined),
  },
  settling: {
    confirmed: settled,
    failed: (record, { reason }) => ({ ...record, ...NAMELESS, state: 'failed', errorReason: reason }),
    undecided: (record, { transaction }) => ({
      ...record,
      ...UNOWNED,
      state: 'unknown',
      transaction: transaction ?? record.transaction,
    }),
    lapsed: (record, event, nowMs) =>
      isAbandoned(record, event, nowMs) ? { ...record, ...UNOWNED, state: 'unknown' } : undefined,
  },
  unknown: {
    confirmed: settled,
    failed: (record, { reason }) => ({ ...record, ...NAMELESS, state: 'failed', errorReason: reason }),
    resumed: (record, { owner, ownerMs }, nowMs) => ({
      ...record,
      state: 'settling',
      owner,
      ownerUntilMs: nowMs + ownerMs,
    }),
  },
  failed: { confirmed: settled, closed: withoutPayload },
  released: { confirmed: settled, closed: withoutPayload },
  settled: {
    vanished: (record) =>
      record.payload === null ? undefined : { ...record, state: 'unknown', transaction: null, logIndex: null },
    closed: (record) => (record.payload === null ? undefined : { ...record, payload: null }),
    expired: (record, _event, nowMs) =>
      record.response !== null && record.response.body !== null && nowMs - record.updatedAtMs >= BODY_KEPT_MS
        ? { ...record, result: null, response: { ...record.response, body: null }, updatedAtMs: record.updatedAtMs }
        : undefined,
  },
  refund_due: {
    refunded: (record, { reference }) => ({ ...record, ...NAMELESS, state: 'refunded', refundRef: reference }),
  },
  refunded: {},
};

function released(record: PaymentRecord, reason: string): PaymentRecord {
  return { ...record, ...NAMELESS, state: 'released', errorReason: reason };
}

function settled(
  record: PaymentRecord,
  { resultSha256, transaction, logIndex, delivery }: Extract<PaymentEvent, { type: 'confirmed' }>,
): PaymentRecord | undefined {
  // Sold since it was read: whoever made the verdict asks the chain too.
  if (resultSha256 !== record.resultSha256) return undefined;
  const paid = { ...record, ...UNOWNED, transaction, logIndex };
  const sold = deliveredBefore(record) ?? delivery;
  if (sold === null) return { ...paid, state: 'refund_due', payload: null };
  const { receiptId, response } = sold;
  const payload = answeredPayload(record);
  // The answer holds the result.
  return { ...paid, state: 'settled', payload, result: null, receiptId, response, errorReason: null };
}

/** One payment has one answer, also where the chain showed it twice. */
export function deliveredBefore({ receiptId, response }: PaymentRecord) {
  return receiptId === null || response === null ? undefined : { receiptId, response };
}

function withoutPayload(record: PaymentRecord): PaymentRecord | undefined {
  return record.payload === null ? undefined : { ...record, payload: null, result: null };
}

function isAbandoned({ ownerUntilMs }: PaymentRecord, { isCertain }: { isCertain: boolean }, nowMs: number): boolean {
  return isCertain || (ownerUntilMs ?? 0) <= nowMs;
}

/** The row after the event, or undefined when the event does not concern a row in this state. */
export function transition(record: PaymentRecord, event: PaymentEvent, nowMs: number): PaymentRecord | undefined {
  const next = TABLE[record.state][event.type] as Next<EventType> | undefined;
  const after = next?.(record, event, nowMs);
  if (after === undefined) return undefined;
  // What is only cleared away does not change when it was settled.
  const isCleared = event.type === 'expired' || (event.type === 'closed' && record.state === 'settled');
  return isCleared ? after : { ...after, updatedAtMs: nowMs };
}

/** Money of these rows may still move, so it counts as spent. */
const OPEN_STATES: readonly PaymentState[] = ['reserved', 'settling', 'unknown'];

export function isOpen({ state }: Pick<PaymentRecord, 'state'>): boolean {
  return OPEN_STATES.includes(state);
}
