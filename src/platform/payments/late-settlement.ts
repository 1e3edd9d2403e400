import {
  ChainUnavailableError,
  type GasMoney,
  type PayerFacts,
  type Reconciliation,
  type Settleable,
  type Settlement,
  type SettlementBackend,
} from '#platform/payments/settlement.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { SettlementConfig } from '#platform/config/settlement.ts';
import type { OpenedSettlement, SettlementOptions } from './open-settlement.ts';

const REAL_CHAIN = 'eip155:8453';
const STARTING = 'the chain is starting';

/** The chain of the sandbox, which is opened late too. */
export interface PlayedChain {
  /** Its name, promised before it runs; null where the sandbox cannot even keep a name for one. */
  readonly instance: string | null;
  open(options: SettlementOptions): Promise<OpenedSettlement>;
}

export interface LateSettlementOptions {
  readonly options: SettlementOptions;
  readonly played: PlayedChain;
}

/**
 * Settlement that opens while the service already answers, since a start need not wait for a chain. Whoever
 * needs it waits for it. What cannot be opened settles nothing and says why.
 */
export class LateSettlement implements SettlementBackend {
  readonly name: SettlementBackend['name'];
  /** Names the chain on which open payments stand; null where the sandbox cannot even keep a name for one. */
  readonly chainInstance: string | null;
  readonly #open: () => Promise<OpenedSettlement>;
  #opening: Promise<OpenedSettlement> | undefined;
  #opened: OpenedSettlement | undefined;
  #fault: string | undefined;
  #isClosed = false;

  constructor({ options, played }: LateSettlementOptions) {
    const { settlement } = options.config;
    this.name = settlement?.backend ?? 'chain';
    this.chainInstance = settlement === null ? played.instance : REAL_CHAIN;
    this.#open = () => (settlement === null ? played.open(options) : openReal(options, settlement));
  }

  /**
   * Begins to open unless that has begun, and resolves when there is something to settle with or it is known that there
   * is not; throws what must stop a start.
   */
  opened(): Promise<OpenedSettlement> {
    this.#opening ??= this.#begin();
    return this.#opening;
  }

  async isConfigured(): Promise<boolean> {
    const opened = await this.opened().catch(() => undefined);
    return opened?.backend !== null;
  }

  async payerFacts(authorization: TransferAuthorization): Promise<PayerFacts> {
    return (await this.#backend()).payerFacts(authorization);
  }

  async settle(payment: Settleable): Promise<Settlement> {
    const backend = await this.#backend().catch(() => undefined);
    return backend === undefined ? { outcome: 'unknown', transaction: null } : backend.settle(payment);
  }

  async reconcile(payment: Settleable): Promise<Reconciliation> {
    const backend = await this.#backend().catch(() => undefined);
    return backend === undefined ? { outcome: 'unknown' } : backend.reconcile(payment);
  }

  async verifySlow(payment: Settleable): ReturnType<NonNullable<SettlementBackend['verifySlow']>> {
    const { verifySlow } = await this.#backend().then((backend) => ({ verifySlow: backend.verifySlow?.bind(backend) }));
    return verifySlow === undefined ? { valid: false, reason: 'unsupported_payload_type' } : verifySlow(payment);
  }

  async probe(): Promise<void> {
    await (await this.#backend()).probe?.();
  }

  status(): ReturnType<SettlementBackend['status']> {
    if (this.#opened === undefined) return { state: 'degraded', detail: this.#fault ?? STARTING };
    const { backend, reason } = this.#opened;
    return backend?.status() ?? { state: 'down', detail: reason };
  }

  gas(): GasMoney | null {
    return this.#opened?.backend?.gas?.() ?? null;
  }

  /** Test money of the sandbox. */
  async mint(to: Hex, amountAtomic: bigint): Promise<Hex> {
    return (await this.#sandbox()).money.mint(to, amountAtomic);
  }

  async balance(account: Hex): Promise<bigint> {
    return (await this.#sandbox()).money.balance(account);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }

  async #begin(): Promise<OpenedSettlement> {
    if (this.#isClosed) throw new ChainUnavailableError('the service is stopping');
    try {
      this.#opened = await this.#open();
    } catch (error) {
      this.#fault = (error as Error).message;
      throw error;
    }
    return this.#opened;
  }

  async #backend(): Promise<SettlementBackend> {
    const { backend, reason } = await this.opened();
    if (backend === null) throw new ChainUnavailableError(reason ?? 'there is no chain');
    return backend;
  }

  async #sandbox(): Promise<NonNullable<OpenedSettlement['sandbox']>> {
    const { sandbox, reason } = await this.opened();
    if (sandbox === null) throw new ChainUnavailableError(reason ?? 'there is no test money');
    return sandbox;
  }
}

async function openReal(options: SettlementOptions, settlement: SettlementConfig): Promise<OpenedSettlement> {
  // Loaded only when it is used, and not before the service has begun to start.
  const { openRealSettlement } = await import('./open-settlement.ts');
  return openRealSettlement(options, settlement);
}
