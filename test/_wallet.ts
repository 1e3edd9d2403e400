// Puts money into a wallet without a card.
import { newId } from '#kernel/ids.ts';
import { isRefused, ledger, walletOf } from '#ledger/steps.ts';
import type { Store } from '#storage/store.ts';

/** The wallet is opened where there is none. */
export async function fund(store: Store, agentId: string, amountMicro: number): Promise<void> {
  const txId = newId('tx_');
  const legs = [
    { account: 'psp:stripe', amountMicro },
    { account: walletOf(agentId), amountMicro: -amountMicro },
  ];
  const post = ledger.post({ txId, kind: 'topup', idem: `topup:${txId}`, ref: txId, legs });
  const results = await store.runAll([ledger.open({ agentId }), post], isRefused);
  if (results.some(isRefused)) throw new Error(JSON.stringify(results));
}
