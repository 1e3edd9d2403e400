import { addressWord, bytesWords, callData, selector, uintWord } from '#protocol/payment/abi.ts';
import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import { type Hex, hexOf } from '#protocol/payment/hex.ts';
import { isEcdsaSignatureForm, parseEcdsaSignature, tokenV } from '#protocol/payment/signature.ts';
import type { Settleable } from './settlement.ts';

const AUTH_TYPE = '(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)';
const SETTLE_SELECTOR = selector(`settle(address,${AUTH_TYPE}[])`);
const EIP3009_TRANSFER_VRS = selector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
);
/** The overload of the token that also takes signatures of wallets that are contracts. */
const EIP3009_TRANSFER_BYTES = selector(
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
);

const MAX_BATCH_MEMBERS = 250;
const GAS_PER_MEMBER = 90_000n;
const GAS_BASE = 100_000n;
/** A signature check of a wallet contract costs what the wallet makes of it. */
const GAS_WALLET = 500_000n;

/** A call that settles its members. */
export interface SettleCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

/** True for a payment that the batch contract can take: r, s and v in the form that the token accepts. */
export function fitsBatch({ payload }: Settleable): boolean {
  const { signature } = payload.payload;
  return isEcdsaSignatureForm(signature) && parseEcdsaSignature(signature) !== undefined;
}

/** How many members fit below a limit of gas. */
export function membersWithin(maxGas: bigint): number {
  return Math.max(1, Math.min(MAX_BATCH_MEMBERS, Number((maxGas - GAS_BASE) / GAS_PER_MEMBER)));
}

/** One call of the batch contract for all members; one that fails takes none of the others with it. */
export function batchCall(contract: Hex, token: Hex, members: readonly Settleable[]): SettleCall {
  const words = members.flatMap(({ authorization, payload }) => [
    ...authorizationWords(authorization),
    ...signatureWords(payload.payload.signature),
  ]);
  const head = [addressWord(token), uintWord(64n), uintWord(BigInt(members.length))];
  const gas = GAS_BASE + GAS_PER_MEMBER * BigInt(members.length);
  return { to: contract, data: callData(SETTLE_SELECTOR, [...head, ...words]), gas };
}

/** The transfer of one payment with whatever signature it has. */
export function singleCall(token: Hex, payment: Settleable): SettleCall {
  const { authorization, payload } = payment;
  const words = authorizationWords(authorization);
  const { signature } = payload.payload;
  if (fitsBatch(payment)) {
    const data = callData(EIP3009_TRANSFER_VRS, [...words, ...signatureWords(signature)]);
    return { to: token, data, gas: GAS_BASE + GAS_PER_MEMBER };
  }
  const data = callData(EIP3009_TRANSFER_BYTES, [...words, uintWord(7n * 32n), ...bytesWords(signature)]);
  return { to: token, data, gas: GAS_BASE + GAS_WALLET };
}

function authorizationWords({ from, to, value, validAfter, validBefore, nonce }: TransferAuthorization): Hex[] {
  return [addressWord(from), addressWord(to), uintWord(value), uintWord(validAfter), uintWord(validBefore), nonce];
}

function signatureWords(signature: string): Hex[] {
  const parsed = isEcdsaSignatureForm(signature) ? parseEcdsaSignature(signature) : undefined;
  if (parsed === undefined) throw new TypeError('the signature does not fit a batch');
  const { compact } = parsed;
  return [uintWord(BigInt(tokenV(parsed))), hexOf(compact.subarray(0, 32)), hexOf(compact.subarray(32))];
}
