import type { Foundation, ServiceOptions } from '#platform/foundation.ts';
import { LateSettlement, type PlayedChain } from './late-settlement.ts';
import type { ReceiptSigner } from './receipt-signer.ts';
import type { SettlementBackend } from './settlement.ts';
import { type PaymentTerms, paymentTerms, sandboxPayTo } from './terms.ts';
import { PaymentFigures } from './totals.ts';

/** What payments are made of. */
export interface PaymentGround {
  readonly terms: PaymentTerms;
  /** Moves the money; undefined where paid calls are refused uncharged. */
  readonly backend: SettlementBackend | undefined;
  /** Names the chain on which open payments stand. */
  readonly chainInstance: string | null;
  /** The money of the sandbox's own chain; undefined where there is none. */
  readonly testMoney: LateSettlement | undefined;
  readonly figures: PaymentFigures;
}

interface GroundDeps {
  readonly foundation: Foundation;
  readonly receipts: ReceiptSigner;
  readonly played: PlayedChain;
}

/** What the settings, or a test in their place, say of money. */
export async function openPaymentGround(
  options: ServiceOptions,
  { foundation, receipts, played }: GroundDeps,
  stack: AsyncDisposableStack,
): Promise<PaymentGround> {
  const { config, opensSettlement, settlement, chainInstance } = options;
  const { store, clock, processName } = foundation;
  const sandbox = config.profile === 'sandbox';
  const own = { ...options, store, clock, runsChain: processName === 'p1' };
  const late =
    opensSettlement && config.services === 'all' ? stack.use(new LateSettlement({ options: own, played })) : undefined;
  // Production must not start on a wrong chain; the sandbox need not wait for its own.
  if (!sandbox) await late?.opened();
  return {
    terms: paymentTerms(sandbox, config.payTo ?? sandboxPayTo(receipts.first())),
    backend: settlement === undefined ? late : stack.use(settlement),
    chainInstance: chainInstance ?? late?.chainInstance ?? null,
    testMoney: sandbox ? late : undefined,
    figures: new PaymentFigures(store),
  };
}
