import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '#platform/config/config.ts';
import { ChainReads } from '#platform/payments/chain-reads.ts';
import { ChainSettler, UNKNOWN_AFTER_MS } from '#platform/payments/chain-settler.ts';
import type { OpenedSettlement, SettlementOptions } from '#platform/payments/open-settlement.ts';
import { RPC_TIMEOUT_MS, RpcClient } from '#platform/payments/rpc.ts';
import { requireToken } from '#platform/payments/settlement-guards.ts';
import { accountOf } from '#protocol/payment/account.ts';
import type { TokenDomain } from '#protocol/payment/authorization-digest.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { CHAIN_FOLDER, publishChainUrl, publishedChainUrl } from '../chain-place.ts';
import { ensureBuyerKey } from './buyer-key.ts';
import { chainInstanceIn } from './chain-instance.ts';
import { startSandboxChain } from './sandbox-chain.ts';
import {
  SANDBOX_BATCH_SETTLE,
  SANDBOX_CHAIN_ID,
  SANDBOX_SETTLER_KEY,
  SANDBOX_TOKEN,
  SANDBOX_TOKEN_NAME,
} from './sandbox-contracts.ts';
import { fundBuyer, SandboxMoney } from './sandbox-money.ts';

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

/** Settlement on the chain of the sandbox. A sandbox without a chain starts all the same and says so. */
export async function openChainSettlement(options: SettlementOptions): Promise<OpenedSettlement> {
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

async function runChain(options: SettlementOptions, stack: AsyncDisposableStack): Promise<ChainPlace> {
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
