// Settles through the stand-in facilitator in one mode, many times, and tells what became of every payment.
import type { FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { FacilitatorStandIn } from '#sandbox/facilitator/stand-in.ts';
import { SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { payee } from '#sandbox/chain/_chain.ts';
import { ChainReads } from './chain-reads.ts';
import { FacilitatorBackend } from './facilitator.ts';
import { RpcClient } from './rpc.ts';
import { clock, inSeconds, NETWORK, openWorld, payment } from './_settlement.ts';
import type { Reconciliation, Settlement } from './settlement.ts';

export const AMOUNT = 10n;

export interface FacilitatorRun {
  readonly settlements: Readonly<Partial<Record<Settlement['outcome'], number>>>;
  /** What the chain says afterwards of the payments whose outcome was unknown. */
  readonly reconciled: Readonly<Partial<Record<Reconciliation['outcome'], number>>>;
  /** Payments that the chain shows as paid. */
  readonly paidOnChain: number;
  /** Called failed although the money moved, or confirmed although it did not. */
  readonly wrong: number;
  readonly moved: bigint;
}

/** `count` payments in one mode, at most 32 at a time. */
export async function runFacilitatorMode(
  mode: FacilitatorMode,
  count: number,
  timeoutMs = 400,
): Promise<FacilitatorRun> {
  await using world = await openWorld();
  const { rpcUrl } = world.chain;
  await using standIn = await FacilitatorStandIn.start({ rpcUrl, network: NETWORK, mode, slowMs: timeoutMs / 2 });
  const reads = new ChainReads({
    rpc: new RpcClient({ url: rpcUrl }),
    token: SANDBOX_TOKEN,
    clock,
    minesOnDemand: true,
  });
  const options = { url: standIn.url, network: NETWORK, reads, clock, authorization: null, pollEveryMs: 20 };
  await using backend = new FacilitatorBackend({ ...options, timeoutMs: mode === 'clean' ? 20_000 : timeoutMs });
  const tally = { settled: {} as Record<string, number>, reconciled: {} as Record<string, number>, paid: 0, wrong: 0 };
  const one = async () => {
    const asked = await payment({ value: AMOUNT, validBefore: inSeconds(600) });
    const settlement = await backend.settle(asked);
    count1(tally.settled, settlement.outcome);
    const found = await backend.reconcile(asked);
    if (found.outcome === 'confirmed') tally.paid += 1;
    if (settlement.outcome === 'unknown') count1(tally.reconciled, found.outcome);
    if (settlement.outcome === 'confirmed' && found.outcome !== 'confirmed') tally.wrong += 1;
    if (settlement.outcome === 'failed' && found.outcome === 'confirmed') tally.wrong += 1;
  };
  for (let done = 0; done < count; done += 32) {
    await Promise.all(Array.from({ length: Math.min(32, count - done) }, one));
  }
  return {
    settlements: tally.settled,
    reconciled: tally.reconciled,
    paidOnChain: tally.paid,
    wrong: tally.wrong,
    moved: await world.money.balance(payee),
  };
}

function count1(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
