import { type Clock, systemClock } from '#kernel/clock.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { EmbeddedChain, type EmbeddedChainOptions } from './embedded-chain.ts';
import { plantContracts } from './planting.ts';
import { RpcServer } from './rpc-server.ts';
import { SANDBOX_CHAIN_ID } from './sandbox-contracts.ts';

export type ServedChainOptions = Pick<EmbeddedChainOptions, 'path' | 'blockTimeMs' | 'keptBlocks' | 'onFault'> & {
  readonly clock?: Clock;
};

export interface ServedChain {
  readonly rpcUrl: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An embedded chain with the contracts of the sandbox, as JSON-RPC on this machine. */
export async function serveChain(options: ServedChainOptions): Promise<ServedChain> {
  await using stack = new AsyncDisposableStack();
  const engine = await chooseRecoverEngine();
  const chain = stack.use(
    await EmbeddedChain.open({ clock: systemClock(), ...options, chainId: SANDBOX_CHAIN_ID, engine }),
  );
  const { url: rpcUrl } = stack.use(await RpcServer.listen(chain));
  await plantContracts(rpcUrl);
  const kept = stack.move();
  return { rpcUrl, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
