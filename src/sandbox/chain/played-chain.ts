import { join } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import type { PlayedChain } from '#platform/payments/late-settlement.ts';
import { CHAIN_FOLDER } from '../chain-place.ts';
import { chainInstanceIn } from './chain-instance.ts';

/** The chain of test money, loaded when it is opened. */
export function playedChain({ dataDir }: Config): PlayedChain {
  return {
    instance: promised(join(dataDir, CHAIN_FOLDER)),
    open: async (options) => (await import('./open-chain-settlement.ts')).openChainSettlement(options),
  };
}

function promised(directory: string): string | null {
  try {
    return chainInstanceIn(directory);
  } catch {
    return null;
  }
}
