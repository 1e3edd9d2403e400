import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '#platform/config/config.ts';
import type { Secrets } from '#platform/config/secrets.ts';
import type { SettlementConfig } from '#platform/config/settlement.ts';
import type { Clock } from '#kernel/clock.ts';
import { ChainReads } from '#platform/payments/chain-reads.ts';
import { ChainSettler, UNKNOWN_AFTER_MS } from '#platform/payments/chain-settler.ts';
import { CheckedBackend } from '#platform/payments/checked-backend.ts';
import { RPC_TIMEOUT_MS, RpcClient } from '#platform/payments/rpc.ts';
import type { SettlementBackend } from '#platform/payments/settlement.ts';
import { requireToken } from '#platform/payments/settlement-guards.ts';
import { accountOf } from '#protocol/payment/account.ts';
import type { TokenDomain } from '#protocol/payment/authorization-digest.ts';
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
import { CHAIN_FOLDER, publishChainUrl, publishedChainUrl } from './sandbox/chain-place.ts';
import { ensureBuyerKey } from './sandbox/chain/buyer-key.ts';
import { chainInstanceIn } from './sandbox/chain/chain-instance.ts';
import { startSandboxChain } from './sandbox/chain/sandbox-chain.ts';
import {
  SANDBOX_BATCH_SETTLE,
  SANDBOX_CHAIN_ID,
  SANDBOX_SETTLER_KEY,
  SANDBOX_TOKEN,
  SANDBOX_TOKEN_NAME,
} from './sandbox/chain/sandbox-contracts.ts';
import { fundBuyer, SandboxMoney } from './sandbox/chain/sandbox-money.ts';

const SANDBOX_DOMAIN: TokenDomain = {
  name: SANDBOX_TOKEN_NAME,
  version: '2',
  chainId: SANDBOX_CHAIN_ID,
  verifyingContract: SANDBOX_TOKEN,
};
const JOIN_POLL_MS = 100;
const JOIN_POLLS = 100;
const SANDBOX_SETTLER = {
  chainId: SANDBOX_CHAIN_ID,
  batchContract: SANDBOX_BATCH_SETTLE,
  minBalanceWei: 1n,
  maxGas: 400_000_000n,
  pollEveryMs: 25,
};
/** EIP-7825: no transaction may ask for more. */
const EIP7825_MAX_GAS = 16_777_216n;

export interface OpenSettlementOptions {
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
  readonly sandbox: { readonly money: SandboxMoney; readonly buyer: Hex } | null;
}

/** Opens what the configuration says. A sandbox without a chain starts all the same and says so. */
export async function openSettlement(options: OpenSettlementOptions): Promise<OpenedSettlement> {
  const { settlement } = options.config;
  return settlement === null ? openSandbox(options) : openProduction(options, settlement);
}

async function openSandbox(options: OpenSettlementOptions): Promise<OpenedSettlement> {
  const { config, store, clock, patience = 1 } = options;
  await using stack = new AsyncDisposableStack();
  try {
    const { rpcUrl, chainInstance: chain } = options.runsChain
      ? await runChain(options, stack)
      : await joinChain(config, patience);
    const rpc = new RpcClient({ url: rpcUrl, timeoutMs: patience * RPC_TIMEOUT_MS });
    const parts = { rpc, store, clock, token: SANDBOX_TOKEN, minesOnDemand: true };
    await requireToken(new ChainReads(parts), SANDBOX_DOMAIN);
    const buyer = ensureBuyerKey(config.dataDir).address;
    const signer = accountOf(SANDBOX_SETTLER_KEY, await chooseRecoverEngine(config.secp256k1));
    const backend = stack.use(
      new ChainSettler({ ...parts, ...SANDBOX_SETTLER, signer, chain, unknownAfterMs: patience * UNKNOWN_AFTER_MS }),
    );
    const kept = stack.move();
    const sandbox = { money: new SandboxMoney(rpcUrl), buyer };
    const close = () => kept.disposeAsync();
    return { backend, reason: null, chainInstance: chain, sandbox, [Symbol.asyncDispose]: close };
  } catch (error) {
    options.onFault?.(error);
    const reason = `the sandbox has no chain, so paid calls cannot be settled: ${(error as Error).message}`;
    const close = async () => {};
    return { backend: null, reason, chainInstance: 'none', sandbox: null, [Symbol.asyncDispose]: close };
  }
}

interface ChainPlace {
  readonly rpcUrl: string;
  readonly chainInstance: string;
}

async function runChain(options: OpenSettlementOptions, stack: AsyncDisposableStack): Promise<ChainPlace> {
  const { config, onFault } = options;
  const directory = join(config.dataDir, CHAIN_FOLDER);
  const chain = await startSandboxChain({ directory, onFault });
  stack.use(chain);
  // Before others know it: the faucet has one key, and would take the same nonce twice.
  await fundBuyer(chain.rpcUrl, ensureBuyerKey(config.dataDir).address);
  stack.use(publishChainUrl(directory, chain.rpcUrl));
  return chain;
}

async function joinChain(config: Config, patience: number): Promise<ChainPlace> {
  const directory = join(config.dataDir, CHAIN_FOLDER);
  let rpcUrl = publishedChainUrl(directory);
  for (let i = 0; rpcUrl === undefined && i < patience * JOIN_POLLS; i++) {
    await pause(JOIN_POLL_MS);
    rpcUrl = publishedChainUrl(directory);
  }
  if (rpcUrl === undefined) throw new Error('the first process on this data directory, which runs it, is not up');
  return { rpcUrl, chainInstance: chainInstanceIn(directory) };
}

async function openProduction(options: OpenSettlementOptions, config: SettlementConfig): Promise<OpenedSettlement> {
  const { clock, secrets, patience = 1 } = options;
  const { rpc, reads, check } = openNode(config, clock, patience * RPC_TIMEOUT_MS);
  const facilitator = config.backend === 'facilitator' ? openFacilitator(config, secrets, { reads, clock }) : undefined;
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
  options: OpenSettlementOptions,
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
