import { z } from 'zod';
import { addressWord } from '#protocol/payment/abi.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { OnChain } from './settlement.ts';

/** Topics of the events of EIP-20 and EIP-3009. */
const EIP20_TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const EIP3009_AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
export const EIP3009_AUTHORIZATION_CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase() as Hex);
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform(Number);

export const ChainLog = z.object({
  address: hex,
  topics: z.array(hex),
  data: hex,
  logIndex: quantity,
  transactionHash: hex,
});
export type ChainLog = Readonly<z.infer<typeof ChainLog>>;

export const ChainReceipt = z.object({ transactionHash: hex, status: quantity, logs: z.array(ChainLog) });
export type ChainReceipt = Readonly<z.infer<typeof ChainReceipt>>;

/** The use of an authorization and the transfer that it made. */
interface Use extends OnChain {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly value: bigint | undefined;
}

/** The uses in one transaction, by payer and nonce: two payers may pick the same nonce. */
export type Uses = ReadonlyMap<string, Use>;

/**
 * The token writes Transfer right after AuthorizationUsed. Only that one counts: a payer who signs two authorizations
 * with one nonce could otherwise let the transfer of another payment in the same transaction stand for both.
 */
export function usesIn({ logs }: ChainReceipt, token: Hex): Uses {
  const address = token.toLowerCase();
  const own = logs.filter((log) => log.address === address);
  const uses = new Map<string, Use>();
  for (const [i, { topics, transactionHash, logIndex }] of own.entries()) {
    const [event, authorizer, nonce] = topics;
    if (event !== EIP3009_AUTHORIZATION_USED || authorizer === undefined || nonce === undefined) continue;
    const next = own[i + 1];
    const isTransfer = next?.topics[0] === EIP20_TRANSFER && next.topics.length === 3;
    uses.set(`${authorizer}|${nonce}`, {
      transaction: transactionHash,
      logIndex,
      from: isTransfer ? next.topics[1] : undefined,
      to: isTransfer ? next.topics[2] : undefined,
      value: isTransfer && next.data.length === 66 ? BigInt(next.data) : undefined,
    });
  }
  return uses;
}

/** Where the authorization moved its value to its payee; `other` when its nonce was used for something else. */
export function useOf(uses: Uses, { from, to, value, nonce }: TransferAuthorization): OnChain | 'other' | undefined {
  const use = uses.get(`${addressWord(from)}|${nonce.toLowerCase()}`);
  if (use === undefined) return undefined;
  const isExact = use.from === addressWord(from) && use.to === addressWord(to) && use.value === value;
  return isExact ? { transaction: use.transaction, logIndex: use.logIndex } : 'other';
}
