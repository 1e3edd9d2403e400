import type { Refusal } from '#kernel/problem.ts';
import type { Order, OrderState } from './order.ts';

export type SupplierState = OrderState | 'received';

/** A supplier that a program can order from. Calls may be repeated; null and false are no answer, to be asked for again. */
export interface SupplierChannel {
  readonly supplier: string;
  /** Gives the supplier's own reference. */
  place(order: Order): Promise<string | null>;
  status(ref: string): Promise<SupplierState | null>;
  /** Whether the supplier knows now that nothing is to be delivered. */
  cancel(order: Order): Promise<boolean>;
}

/** The mandate handshake as the installation's own platform. */
export interface MandatePort {
  readonly platformId: string;
  verify(asked: {
    readonly mandateId: string;
    readonly amountCents: number;
    readonly payloadHash: string;
    readonly requestId: string;
  }): Promise<{ readonly ok: boolean; readonly verifyRef: string; readonly reason: string } | Refusal>;
  seal(
    verifyRef: string,
    outcome: string,
    of: { readonly orderId: string; readonly documentSha256?: string | undefined },
  ): Promise<{ readonly attestationId: string } | Refusal>;
}
