// Settles through the simulator facilitator in one mode, many times, and tells what became of every payment.
import type { FacilitatorMode } from '#sandbox/facilitator/mode.ts';
import { FacilitatorSimulator } from '#sandbox/facilitator/simulator.ts';
import { SANDBOX_TOKEN } from '#sandbox/chain/sandbox-contracts.ts';
import { payee } from '#sandbox/chain/_chain.ts';
import { ChainReads } from './chain-reads.ts';
import { FacilitatorBackend } from './facilitator.ts';
import { RpcClient } from './rpc.ts';
import { until } from '../../../test/support/until.ts';
import { clock, inSeconds, NETWORK, paidTo, PATIENT_MS, payment, type World } from './_settlement.ts';
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

/** In these modes nothing but the time limit ends the wait. */
const ENDED_BY_TIME: ReadonlySet<FacilitatorMode> = new Set<FacilitatorMode>(['accept_then_timeout', 'lying_success']);
const TIMEOUT_MS = 200;
const SLOW_MS = 50;

/** `count` payments in one mode, at most 32 at a time. */
export async function runFacilitatorMode(world: World, mode: FacilitatorMode, count: number): Promise<FacilitatorRun> {
  const { rpcUrl } = world.chain;
  await using simulator = await FacilitatorSimulator.start({ rpcUrl, network: NETWORK, mode, slowMs: SLOW_MS });
  const reads = new ChainReads({
    rpc: new RpcClient({ url: rpcUrl, timeoutMs: PATIENT_MS }),
    token: SANDBOX_TOKEN,
    clock,
    minesOnDemand: true,
  });
  const timeoutMs = ENDED_BY_TIME.has(mode) ? TIMEOUT_MS : PATIENT_MS;
  const options = {
    url: simulator.url,
    network: NETWORK,
    reads,
    clock,
    authorization: null,
    pollEveryMs: 20,
    timeoutMs,
  };
  await using backend = new FacilitatorBackend(options);
  const paid = await paidTo(payee, world);
  const tally = { settled: {} as Record<string, number>, reconciled: {} as Record<string, number>, paid: 0, wrong: 0 };
  const one = async () => {
    const asked = await payment({ value: AMOUNT, validBefore: inSeconds(3_600) });
    const settlement = await backend.settle(asked);
    count1(tally.settled, settlement.outcome);
    if (mode === 'accept_then_timeout') {
      await until('a settlement that nobody waits for', () => simulator.settled.includes(asked.authorization.nonce));
    }
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
    moved: await paid(),
  };
}

function count1(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
