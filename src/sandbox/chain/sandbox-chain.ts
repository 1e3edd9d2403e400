import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Anvil, findAnvil } from './anvil.ts';
import { chainInstance } from './chain-instance.ts';
import { ChainThread } from './chain-thread.ts';
import { plantContracts } from './planting.ts';
import type { ServedChainOptions } from './served-chain.ts';

/** The local chain of the sandbox, contracts planted, reachable from this machine only. */
export interface SandboxChain extends AsyncDisposable {
  readonly rpcUrl: string;
  readonly kind: 'anvil' | 'embedded';
  /** Other than before when the state of the chain was lost. */
  readonly chainInstance: string;
  close(): Promise<void>;
}

export interface SandboxChainOptions extends Pick<ServedChainOptions, 'blockTimeMs' | 'onFault'> {
  /** Holds the state of the chain. */
  readonly directory: string;
  /** Anvil where this machine has one, unless said otherwise. */
  readonly kind?: 'anvil' | 'embedded' | undefined;
}

export async function startSandboxChain(options: SandboxChainOptions): Promise<SandboxChain> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const command = options.kind === 'embedded' ? undefined : await findAnvil();
  if (command === undefined && options.kind === 'anvil') {
    throw new Error('there is no anvil: install Foundry so that anvil is on PATH');
  }
  return command === undefined ? startEmbedded(options) : startAnvil(command, options);
}

async function startAnvil(command: string, { directory, blockTimeMs }: SandboxChainOptions): Promise<SandboxChain> {
  const anvil = await Anvil.start({ command, directory, blockTimeMs });
  const close = () => anvil[Symbol.asyncDispose]();
  try {
    await plantContracts(anvil.rpcUrl);
  } catch (error) {
    await close();
    throw error;
  }
  const instance = chainInstance(directory, anvil.isNew);
  return { rpcUrl: anvil.rpcUrl, kind: 'anvil', chainInstance: instance, close, [Symbol.asyncDispose]: close };
}

async function startEmbedded({ directory, blockTimeMs, onFault }: SandboxChainOptions): Promise<SandboxChain> {
  const path = join(directory, 'blocks.ndjson');
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
  const thread = await ChainThread.start({ path, blockTimeMs, ...(onFault !== undefined && { onFault }) });
  const close = () => thread[Symbol.asyncDispose]();
  const instance = chainInstance(directory, isNew);
  return { rpcUrl: thread.rpcUrl, kind: 'embedded', chainInstance: instance, close, [Symbol.asyncDispose]: close };
}
