import type { Clock } from '#kernel/clock.ts';
import type { PaidRow } from '#kernel/paid-operation.ts';
import type { Step } from '#platform/storage/store.ts';
import { type DeliveryDeps, deliveryOf } from './delivery.ts';
import { discoveryOf } from './discovery.ts';
import { type Happened, type PaymentLedger, SETTLE_MS } from './ledger.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { OnChain, Settleable, Settlement, SettlementBackend } from './settlement.ts';
import { within } from './time-limit.ts';
import { deliveredBefore } from './transitions.ts';

export interface SettlerOptions extends DeliveryDeps {
  readonly ledger: PaymentLedger;
  readonly backend: SettlementBackend;
  readonly clock: Pick<Clock, 'now'>;
  readonly rowOf: (operationId: string) => PaidRow<Step> | undefined;
  readonly logFault: (what: string, error: unknown) => void;
}

/** Has the backend move the money of a stored verdict, and records what came of it before anybody is told. */
export class Settler {
  readonly #options: SettlerOptions;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  async settle(record: PaymentRecord, payment: Settleable): Promise<Happened> {
    const outcome = await this.#outcome(this.#listed(record, payment));
    if (outcome.outcome === 'confirmed') return this.confirm(record, outcome);
    const { ledger } = this.#options;
    if (outcome.outcome === 'failed') return ledger.recordEvent(record, { type: 'failed', reason: outcome.reason });
    return ledger.recordEvent(record, { type: 'undecided', transaction: outcome.transaction });
  }

  /**
   * The chain shows the transfer: the answer is made and stored; without a verdict a refund is due. A payment that was
   * answered before keeps that answer.
   */
  async confirm(record: PaymentRecord, onChain: OnChain): Promise<Happened> {
    const { ledger, rowOf, clock, logFault } = this.#options;
    const { transaction, logIndex } = onChain;
    const kind = rowOf(record.operationId)?.kind;
    const time = { nowMs: clock.now(), parts: this.#options };
    const delivery = deliveredBefore(record) ?? (kind === undefined ? null : deliveryOf(record, kind, onChain, time));
    const { resultSha256 } = record;
    const event = await ledger.recordEvent(record, {
      type: 'confirmed',
      resultSha256,
      transaction,
      logIndex,
      delivery,
    });
    if (event.isChanged && event.record?.state === 'refund_due') {
      logFault('payment without a result; a refund is due', new Error(`payment ${record.id}`));
    }
    return event;
  }

  #listed({ operationId }: PaymentRecord, payment: Settleable): Settleable {
    const row = this.#options.rowOf(operationId);
    const bazaar = row && discoveryOf(row.operation).short[0];
    return bazaar === undefined ? payment : { ...payment, listing: { operationId, bazaar } };
  }

  /** A backend promises not to throw; should it, or stay silent, nothing is known. */
  async #outcome(payment: Settleable): Promise<Settlement> {
    const unknown = { outcome: 'unknown', transaction: null } as const;
    try {
      return (await within(this.#options.backend.settle(payment), SETTLE_MS)) ?? unknown;
    } catch (error) {
      this.#options.logFault('settlement backend failed', error);
      return unknown;
    }
  }
}
