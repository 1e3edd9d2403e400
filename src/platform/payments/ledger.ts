import type { PaidRow } from '#kernel/paid-operation.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type Cell, type Query, type Step, step, type Store } from '#platform/storage/store.ts';
import type { PaymentRecord } from './payment-record.ts';
import { type NewPayment, type PaymentResult, paymentUnit, type ReserveResult } from './payment-unit.ts';
import * as sql from './sql.ts';
import type { PaymentEvent } from './transitions.ts';

/** A handler runs at most this long, and its process is believed to be alive a little longer. */
export const HANDLER_MS = 60_000;
const HANDLER_OWNER_MS = HANDLER_MS + 15_000;
/** How long a settlement is waited for, and how long its process is believed to be at it. */
export const SETTLE_MS = 40_000;
export const SETTLE_OWNER_MS = SETTLE_MS + 15_000;

export interface PaymentLedgerOptions {
  readonly store: Store;
  /** Names this process. */
  readonly owner: string;
  readonly rowOf: (operationId: string) => PaidRow<Step> | undefined;
  /** Makes a debt public. */
  readonly sealRefundDue: (paymentId: string) => Step;
}

/** The payments that the service knows. */
export class PaymentLedger {
  readonly #options: PaymentLedgerOptions;

  constructor(options: PaymentLedgerOptions) {
    this.#options = options;
  }

  get owner(): string {
    return this.#options.owner;
  }

  async byId(id: string): Promise<PaymentRecord | undefined> {
    return (await this.#find(sql.BY_ID, id))[0];
  }

  async byIdempotencyKey(key: string): Promise<PaymentRecord | undefined> {
    return (await this.#find(sql.BY_IDEM_HASH, idempotencyHash(key)))[0];
  }

  async byReceiptId(receiptId: string): Promise<PaymentRecord | undefined> {
    return (await this.#find(sql.BY_RECEIPT_ID, receiptId))[0];
  }

  byPaymentId(paymentId: string): Promise<readonly PaymentRecord[]> {
    return this.#find(sql.BY_PAYMENT_ID, paymentId);
  }

  byNonce(nonce: string): Promise<readonly PaymentRecord[]> {
    return this.#find(sql.BY_NONCE, nonce.toLowerCase());
  }

  undecided(): Promise<readonly PaymentRecord[]> {
    return this.#find(sql.UNDECIDED);
  }

  watched(): Promise<readonly PaymentRecord[]> {
    return this.#find(sql.WATCHED);
  }

  /** Settled rows of which it is not shown yet that they stay so. */
  unproven(settledBeforeMs: number): Promise<readonly PaymentRecord[]> {
    return this.#find(sql.UNPROVEN, settledBeforeMs);
  }

  async outdated(beforeMs: number): Promise<string[]> {
    return (await this.#find(sql.OUTDATED, beforeMs)).map(({ id }) => id);
  }

  reserve(payment: NewPayment): Promise<ReserveResult> {
    const { store, owner } = this.#options;
    return store.run(paymentUnit, { type: 'reserve', payment, owner, ownerMs: HANDLER_OWNER_MS });
  }

  async drop(id: string, reason: string): Promise<void> {
    const { store, owner } = this.#options;
    await store.run(paymentUnit, { type: 'drop', id, owner, reason });
  }

  /**
   * Records what happened. What the handler stored goes with the row's claim to it, and a refund that falls due is
   * sealed, in the same transaction.
   */
  async recordEvent(record: Pick<PaymentRecord, 'id' | 'operationId'>, event: PaymentEvent): Promise<Happened> {
    const { store, rowOf, sealRefundDue } = this.#options;
    const own = step(paymentUnit, { type: 'event', id: record.id, event });
    const isRefund = event.type === 'confirmed' && event.delivery === null;
    const behind = isRefund ? sealRefundDue(record.id) : rowOf(record.operationId)?.undo?.(record.id);
    const [result] = await store.runAll(
      behind === undefined ? [own] : [own, behind],
      isRefund ? isUnchanged : soldOrUnchanged,
    );
    return { isChanged: result?.type === 'changed', record: result?.record };
  }

  #find<T>(query: Query<T>, ...params: Cell[]): Promise<readonly T[]> {
    return this.#options.store.read(query, params);
  }
}

export interface Happened {
  readonly isChanged: boolean;
  /** The row as it stands now; undefined when there is none. */
  readonly record: PaymentRecord | undefined;
}

function isUnchanged(result: unknown): boolean {
  return (result as PaymentResult).type !== 'changed';
}

function soldOrUnchanged(result: unknown): boolean {
  const { type, record } = result as PaymentResult & { readonly record?: PaymentRecord };
  return type !== 'changed' || !(record?.state === 'failed' || record?.state === 'released');
}

/** The only form in which a key is stored. */
export function idempotencyHash(key: string): string {
  return sha256Hex(key);
}
