// A settler on a chain and a store, and payments for it in their form; without what only the tests themselves need.
import { systemClock } from '#kernel/clock.ts';
import { accountOf } from '#protocol/payment/account.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import {
  SANDBOX_BATCH_SETTLE,
  SANDBOX_CHAIN_ID,
  SANDBOX_SETTLER_KEY,
  SANDBOX_TOKEN,
} from '#sandbox/chain/sandbox-contracts.ts';
import type { Store } from '#platform/storage/store.ts';
import { ChainSettler, type ChainSettlerOptions } from './chain-settler.ts';
import { RpcClient } from './rpc.ts';
import type { Settleable } from './settlement.ts';

export const NETWORK = `eip155:${SANDBOX_CHAIN_ID}`;
export const clock = systemClock();
const settlerAccount = accountOf(SANDBOX_SETTLER_KEY, await chooseRecoverEngine());
/** Whatever comes at all comes sooner on the slowest machine; who waits for a time-out brings a shorter one. */
export const PATIENT_MS = 60_000;

export function settleable(message: TransferAuthorization, signature: Hex): Settleable {
  const { from, to, value, validAfter, validBefore, nonce } = message;
  const requirements = {
    scheme: 'exact',
    network: NETWORK,
    amount: String(value),
    asset: SANDBOX_TOKEN,
    payTo: to,
    maxTimeoutSeconds: 120,
    extra: { name: 'Sandbox USDC', version: '2' },
  };
  const texts = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) };
  return {
    key: [NETWORK, SANDBOX_TOKEN, from, nonce].join('|').toLowerCase(),
    authorization: message,
    requirements,
    payload: {
      x402Version: 2,
      payload: { authorization: { from, to, nonce, ...texts }, signature },
      accepted: requirements,
    },
  };
}

export function settlerOn(rpcUrl: string, store: Store, change: Partial<ChainSettlerOptions> = {}): ChainSettler {
  return new ChainSettler({
    rpc: new RpcClient({ url: rpcUrl, timeoutMs: PATIENT_MS }),
    store,
    clock,
    signer: settlerAccount,
    chainId: SANDBOX_CHAIN_ID,
    token: SANDBOX_TOKEN,
    batchContract: SANDBOX_BATCH_SETTLE,
    chain: 'test',
    minBalanceWei: 10n ** 15n,
    maxGas: 400_000_000n,
    pollEveryMs: 15,
    minesOnDemand: true,
    unknownAfterMs: PATIENT_MS,
    ...change,
  });
}
