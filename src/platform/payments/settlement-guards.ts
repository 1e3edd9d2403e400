import { domainSeparator, type TokenDomain } from '#protocol/payment/authorization-digest.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import type { ChainReads } from './chain-reads.ts';

/** The service would take payments that it must not take. */
export class SettlementRefusedError extends Error {
  override readonly name = 'SettlementRefusedError';
}

/** Throws when the token on the chain is not the one whose signatures are taken; a chain without answer passes on its fault. */
export async function requireToken(reads: ChainReads, domain: TokenDomain): Promise<void> {
  const expected = hexOf(domainSeparator(domain));
  if ((await reads.domainSeparator()) === expected) return;
  throw new SettlementRefusedError(
    `the token on the chain is not ${domain.name}: payments signed for it would be worth nothing there`,
  );
}
