import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#kernel/clock.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { Anvil, findAnvil } from './anvil.ts';
import { chainInstance } from './chain-instance.ts';
import { EmbeddedChain } from './embedded-chain.ts';
import { plantContracts } from './planting.ts';
import { RpcServer } from './rpc-server.ts';
import { SANDBOX_CHAIN_ID } from './sandbox-contracts.ts';

/** The local chain of the sandbox, contracts planted, reachable from this machine only. */
export interface SandboxChain extends AsyncDisposable {
  readonly rpcUrl: string;
  readonly kind: 'anvil' | 'embedded';
  /** Other than before when the state of the chain was lost. */
  readonly chainInstance: string;
  close(): Promise<void>;
}

export interface SandboxChainOptions {
  /** Holds the state of the chain. */
  readonly directory: string;
  readonly clock: Clock;
  /** Without it a block is made as soon as a transaction comes. */
  readonly blockTimeMs?: number | undefined;
  /** Anvil where this machine has one, unless said otherwise. */
  readonly kind?: 'anvil' | 'embedded' | undefined;
  readonly onFault?: (error: unknown) => void;
}

export async function startSandboxChain(options: SandboxChainOptions): Promise<SandboxChain> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const command = options.kind === 'embedded' ? undefined : await findAnvil();
  if (command === undefined && options.kind === 'anvil') {
    throw new Error('there is no anvil: install Foundry so that anvil is on PATH');
  }
  const chain = command === undefined ? await startEmbedded(options) : await startAnvil(command, options);
  try {
    await plantContracts(chain.rpcUrl);
  } catch (error) {
    await chain.close();
    throw error;
  }
  return chain;
}

async function startAnvil(command: string, options: SandboxChainOptions): Promise<SandboxChain> {
  const { directory, blockTimeMs } = options;
  const anvil = await Anvil.start({ command, directory, blockTimeMs });
  const close = () => anvil[Symbol.asyncDispose]();
  const instance = chainInstance(directory, anvil.isNew);
  return { rpcUrl: anvil.rpcUrl, kind: 'anvil', chainInstance: instance, close, [Symbol.asyncDispose]: close };
}

async function startEmbedded(options: SandboxChainOptions): Promise<SandboxChain> {
  const { directory, ...others } = options;
  const path = join(directory, 'blocks.ndjson');
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
  const engine = await chooseRecoverEngine();
  const chain = await EmbeddedChain.open({ ...others, path, chainId: SANDBOX_CHAIN_ID, engine });
  const server = await RpcServer.listen(chain);
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
  };
  const instance = chainInstance(directory, isNew);
  return { rpcUrl: server.url, kind: 'embedded', chainInstance: instance, close, [Symbol.asyncDispose]: close };
}
