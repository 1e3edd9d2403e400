import type { Config } from '#platform/config/config.ts';
import type { Secrets } from '#platform/config/secrets.ts';
import type { SettlementConfig } from '#platform/config/settlement.ts';
import type { Clock } from '#kernel/clock.ts';
import { ChainSettler } from './chain-settler.ts';
import { CheckedBackend } from './checked-backend.ts';
import type { FacilitatorOptions } from './facilitator.ts';
import { listingKeeper } from './listing.ts';
import { RPC_TIMEOUT_MS, type RpcClient } from './rpc.ts';
import type { SettlementBackend } from './settlement.ts';
import { accountOf } from '#protocol/payment/account.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import type { Store } from '#platform/storage/store.ts';
import {
  BASE_CHAIN_ID,
  BASE_NETWORK,
  BASE_USDC,
  openFacilitator,
  openNode,
  REAL_POLL_MS,
  weiOf,
} from './real-settlement.ts';

/** EIP-7825: no transaction may ask for more. */
const EIP7825_MAX_GAS = 16_777_216n;

export interface SettlementOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly store: Store;
  readonly clock: Clock;
  /** One process of those on a data directory runs the chain of the sandbox; the others use it. */
  readonly runsChain: boolean;
  /** How many times longer than usual the chain may take. */
  readonly patience?: number;
  readonly onFault?: (error: unknown) => void;
}

/** What takes payments. */
export interface OpenedSettlement extends AsyncDisposable {
  /** Null when there is no chain: then `reason` says why and what to do. */
  readonly backend: SettlementBackend | null;
  readonly reason: string | null;
  /** Names the chain on which open payments stand: those of a sandbox chain that is gone are lost with it. */
  readonly chainInstance: string;
  /** The sandbox's own money; null in production. */
  readonly sandbox: { readonly money: TestMoney; readonly buyer: Hex } | null;
}

/** Money of a chain that is worth nothing. */
interface TestMoney {
  mint(to: Hex, amountAtomic: bigint): Promise<Hex>;
  balance(account: Hex): Promise<bigint>;
}

/** Opens real money, as the settings say. */
export async function openRealSettlement(
  options: SettlementOptions,
  config: SettlementConfig,
): Promise<OpenedSettlement> {
  const { clock, secrets, patience = 1 } = options;
  const { rpc, reads, check } = openNode(config, clock, patience * RPC_TIMEOUT_MS);
  const keepListing = listingKeeper(options.store, clock);
  const onListing: FacilitatorOptions['onListing'] = (operationId, answer) =>
    void keepListing(operationId, answer).catch((error: unknown) => options.onFault?.(error));
  const facilitator =
    config.backend === 'facilitator' ? openFacilitator(config, secrets, { reads, clock, onListing }) : undefined;
  const backend = new CheckedBackend(facilitator ?? (await openChainSettler(options, config, rpc)), async () => {
    await check();
    await facilitator?.requireSupport();
  });
  try {
    await backend.start();
  } catch (error) {
    await backend[Symbol.asyncDispose]();
    throw error;
  }
  const close = () => Promise.resolve(backend[Symbol.asyncDispose]());
  return { backend, reason: null, chainInstance: BASE_NETWORK, sandbox: null, [Symbol.asyncDispose]: close };
}

async function openChainSettler(
  options: SettlementOptions,
  config: SettlementConfig,
  rpc: RpcClient,
): Promise<ChainSettler> {
  const { store, clock, secrets } = options;
  return new ChainSettler({
    rpc,
    store,
    clock,
    token: BASE_USDC,
    signer: accountOf(secrets.settlerKey?.reveal() as Hex, await chooseRecoverEngine(options.config.secp256k1)),
    chainId: BASE_CHAIN_ID,
    batchContract: config.batchContract as Hex,
    chain: BASE_NETWORK,
    minBalanceWei: weiOf(config.settlerMinEth),
    maxGas: EIP7825_MAX_GAS,
    pollEveryMs: REAL_POLL_MS,
  });
}
