import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import {
  ChainUnavailableError,
  type GasMoney,
  type PayerFacts,
  type Reconciliation,
  type Settleable,
  type Settlement,
  type SettlementBackend,
} from './settlement.ts';

type Slow = Awaited<ReturnType<NonNullable<SettlementBackend['verifySlow']>>>;

/**
 * A backend that takes no payment before its check has passed once. A chain that is down at the start is checked when
 * it is first needed; until then no new payment is begun.
 */
export class CheckedBackend implements SettlementBackend {
  readonly name: SettlementBackend['name'];
  readonly verifySlow?: (payment: Settleable) => Promise<Slow>;
  readonly #backend: SettlementBackend;
  readonly #check: () => Promise<void>;
  #passed: Promise<boolean> | undefined;
  #fault: string | null = null;

  constructor(backend: SettlementBackend, check: () => Promise<void>) {
    this.name = backend.name;
    this.#backend = backend;
    this.#check = check;
    if (backend.verifySlow !== undefined) this.verifySlow = backend.verifySlow.bind(backend);
  }

  /** Resolves with false when the check could not be made; throws what it found wrong. */
  start(): Promise<boolean> {
    this.#passed ??= this.#run();
    return this.#passed;
  }

  async payerFacts(authorization: TransferAuthorization): Promise<PayerFacts> {
    const isReady = await this.start().catch(() => false);
    if (!isReady) throw new ChainUnavailableError(this.#fault ?? 'the chain does not respond');
    return this.#backend.payerFacts(authorization);
  }

  async settle(payment: Settleable): Promise<Settlement> {
    const isReady = await this.start().catch(() => false);
    return isReady ? this.#backend.settle(payment) : { outcome: 'unknown', transaction: null };
  }

  async reconcile(payment: Settleable): Promise<Reconciliation> {
    const isReady = await this.start().catch(() => false);
    return isReady ? this.#backend.reconcile(payment) : { outcome: 'unknown' };
  }

  async probe(): Promise<void> {
    if (!(await this.start())) throw new ChainUnavailableError(this.#fault ?? 'the chain does not respond');
    await this.#backend.probe?.();
  }

  status(): ReturnType<SettlementBackend['status']> {
    return this.#fault === null ? this.#backend.status() : { state: 'down', detail: this.#fault };
  }

  gas(): GasMoney | null {
    return this.#backend.gas?.() ?? null;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#backend[Symbol.asyncDispose]();
  }

  async #run(): Promise<boolean> {
    try {
      await this.#check();
      this.#fault = null;
      return true;
    } catch (error) {
      this.#fault = (error as Error).message;
      // What was found wrong may be put right: only a check that passed is not made again.
      this.#passed = undefined;
      if (!(error instanceof ChainUnavailableError)) throw error;
      return false;
    }
  }
}
