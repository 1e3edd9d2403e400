import type { Secrets } from '#platform/config/secrets.ts';
import type { SettlementConfig } from '#platform/config/settlement.ts';
import type { Clock } from '#kernel/clock.ts';
import { randomBytes } from '#kernel/ids.ts';
import { ChainReads } from '#platform/payments/chain-reads.ts';
import { FacilitatorBackend, type FacilitatorOptions } from '#platform/payments/facilitator.ts';
import { RpcClient } from '#platform/payments/rpc.ts';
import { requireToken } from '#platform/payments/settlement-guards.ts';
import type { TokenDomain } from '#protocol/payment/authorization-digest.ts';
import { facilitatorToken } from '#protocol/payment/facilitator-token.ts';
import type { Hex } from '#protocol/payment/hex.ts';

export const BASE_CHAIN_ID = 8453;
export const BASE_NETWORK = `eip155:${BASE_CHAIN_ID}`;
export const BASE_USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const REAL_POLL_MS = 500;
const REAL_DOMAIN: TokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: BASE_CHAIN_ID,
  verifyingContract: BASE_USDC,
};

export interface RealNode {
  readonly rpc: RpcClient;
  readonly reads: ChainReads;
  /** Throws where the token on the chain is not the real one, or where nobody answers. */
  readonly check: () => Promise<void>;
}

/** The node of real money that the settings name. */
export function openNode({ rpcUrl }: SettlementConfig, clock: Clock, timeoutMs: number): RealNode {
  const rpc = new RpcClient({ url: rpcUrl.reveal(), timeoutMs });
  const reads = new ChainReads({ rpc, clock, token: BASE_USDC });
  return { rpc, reads, check: () => requireToken(reads, REAL_DOMAIN) };
}

/** The facilitator that the settings name. */
export function openFacilitator(
  { facilitatorUrl }: SettlementConfig,
  secrets: Pick<Secrets, 'facilitatorAuth' | 'facilitatorKey'>,
  parts: Pick<FacilitatorOptions, 'reads' | 'clock' | 'timeoutMs' | 'onListing'>,
): FacilitatorBackend {
  return new FacilitatorBackend({
    ...parts,
    url: facilitatorUrl as string,
    network: BASE_NETWORK,
    authorization: authorizationOf(secrets, parts.clock),
    pollEveryMs: REAL_POLL_MS,
  });
}

function authorizationOf(
  { facilitatorAuth, facilitatorKey }: Pick<Secrets, 'facilitatorAuth' | 'facilitatorKey'>,
  clock: Clock,
): FacilitatorOptions['authorization'] {
  if (facilitatorKey === null) return facilitatorAuth === null ? null : () => facilitatorAuth().reveal();
  return (method, url) => {
    const nonce = Buffer.from(randomBytes(16)).toString('hex');
    const nowSeconds = Math.floor(clock.now() / 1000);
    return `Bearer ${facilitatorToken(facilitatorKey, { method, url, nonce, nowSeconds })}`;
  };
}

/** Ether as a decimal, in its smallest unit. */
export function weiOf(ether: string): bigint {
  const [whole = '0', fraction = ''] = ether.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}
